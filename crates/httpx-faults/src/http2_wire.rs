//! HTTP/2: how one stream says its reply.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio::sync::mpsc::UnboundedSender;

use crate::answer::Answer;
use crate::behaviour::LastStream;
use crate::end::End;
use crate::http2_frame::{
    DATA, END_HEADERS, END_STREAM, HEADERS, MAX_FRAME_SIZE, RST_STREAM, put, put_field, put_go_away,
};
use crate::perform::Wire;

/// What a stream asks of its connection.
#[derive(Debug)]
pub(crate) enum Order {
    Write(Bytes),
    End(End),
}

/// Writes the frames of one stream.
#[derive(Debug)]
pub(crate) struct Http2Wire {
    stream: u32,
    orders: UnboundedSender<Order>,
    written: BytesMut,
}

impl Http2Wire {
    pub(crate) fn new(stream: u32, orders: UnboundedSender<Order>) -> Self {
        Self { stream, orders, written: BytesMut::new() }
    }

    /// Ends the whole connection, once what was flushed is written.
    pub(crate) fn end(&self, end: End) {
        // Without a receiver the connection has ended already.
        self.orders.send(Order::End(end)).ok();
    }
}

impl Wire for Http2Wire {
    fn head(&mut self, answer: &Answer, last: bool) {
        let mut block = BytesMut::new();
        put_field(&mut block, ":status", &answer.status.to_string());
        for (name, value) in &answer.headers {
            put_field(&mut block, &name.to_ascii_lowercase(), value);
        }
        if let Some(length) = answer.announced_length() {
            put_field(&mut block, "content-length", &length.to_string());
        }
        let flags = if last { END_HEADERS | END_STREAM } else { END_HEADERS };
        put(&mut self.written, HEADERS, flags, self.stream, &block);
    }

    fn piece(&mut self, _answer: &Answer, piece: &[u8], sent: usize) {
        for part in piece[..sent].chunks(MAX_FRAME_SIZE) {
            put(&mut self.written, DATA, 0, self.stream, part);
        }
    }

    fn finish(&mut self, answer: &Answer) {
        if answer.trailers.is_empty() {
            return put(&mut self.written, DATA, END_STREAM, self.stream, &[]);
        }
        let mut block = BytesMut::new();
        for (name, value) in &answer.trailers {
            put_field(&mut block, &name.to_ascii_lowercase(), value);
        }
        put(&mut self.written, HEADERS, END_HEADERS | END_STREAM, self.stream, &block);
    }

    fn raw(&mut self, bytes: &Bytes) {
        self.written.extend_from_slice(bytes);
    }

    fn reset_stream(&mut self, code: u32) {
        put(&mut self.written, RST_STREAM, 0, self.stream, &code.to_be_bytes());
    }

    fn go_away(&mut self, last: LastStream) {
        put_go_away(&mut self.written, last.id(self.stream));
    }

    async fn flush(&mut self) -> io::Result<()> {
        let order = Order::Write(self.written.split().freeze());
        self.orders.send(order).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

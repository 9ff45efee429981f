//! HTTP/2 (RFC 9113): the streams of one connection and what their requests consist of.

use std::collections::BTreeMap;

use bytes::BytesMut;
use loona_hpack::Decoder;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::sleep;

use crate::behaviour::{IDLE, LastStream, NO_ERROR, Plan, REFUSED_STREAM, Read, Reply, Then};
use crate::end::End;
use crate::http2_frame::{
    ACK, CONTINUATION, DATA, END_HEADERS, END_STREAM, Frame, HEADERS, PING, RST_STREAM, SETTINGS, put, put_credit,
};
use crate::http2_wire::{Http2Wire, Order};
use crate::perform::{Wire, perform};
use crate::request::{Incoming, Request};
use crate::session::Session;

/// The streams of one connection.
pub(crate) struct Streams {
    session: Session,
    orders: UnboundedSender<Order>,
    decoder: Decoder<'static>,
    /// A header block whose CONTINUATION is still to come.
    block: Option<Block>,
    receiving: BTreeMap<u32, Receiving>,
    performing: JoinSet<u32>,
    performers: BTreeMap<u32, AbortHandle>,
    /// Streams above this one are ignored, as a GOAWAY has told.
    last_stream: Option<u32>,
    /// The highest stream whose request has been taken up.
    taken_up: u32,
}

struct Block {
    stream: u32,
    ends_stream: bool,
    bytes: BytesMut,
}

struct Receiving {
    request: Request,
    plan: Plan,
    body: Incoming,
}

impl Streams {
    pub(crate) fn new(session: Session, orders: UnboundedSender<Order>) -> Self {
        Self {
            session,
            orders,
            decoder: Decoder::new(),
            block: None,
            receiving: BTreeMap::new(),
            performing: JoinSet::new(),
            performers: BTreeMap::new(),
            last_stream: None,
            taken_up: 0,
        }
    }

    /// Takes one frame in; what the connection owes for it at once is appended to `owed`.
    pub(crate) fn frame(&mut self, frame: &Frame, owed: &mut BytesMut) {
        match frame.kind {
            DATA => self.data(frame, owed),
            HEADERS => {
                let bytes = BytesMut::from(&frame.content()[..]);
                let block = Block { stream: frame.stream, ends_stream: frame.has(END_STREAM), bytes };
                self.fragment(block, frame.has(END_HEADERS));
            }
            CONTINUATION => {
                if let Some(mut block) = self.block.take() {
                    block.bytes.extend_from_slice(&frame.payload);
                    self.fragment(block, frame.has(END_HEADERS));
                }
            }
            RST_STREAM => self.cancel(frame.stream),
            SETTINGS if !frame.has(ACK) => put(owed, SETTINGS, ACK, 0, &[]),
            PING if !frame.has(ACK) => put(owed, PING, ACK, 0, &frame.payload),
            // Priorities, windows and unknown kinds change nothing here.
            _ => {}
        }
    }

    /// The connection is over: what has not arrived will not.
    pub(crate) fn abandon(&mut self) {
        while let Some((_, stream)) = self.receiving.pop_first() {
            self.record(stream);
        }
    }

    fn data(&mut self, frame: &Frame, owed: &mut BytesMut) {
        if let Ok(credit @ 1..) = u32::try_from(frame.payload.len()) {
            put_credit(owed, 0, credit);
            put_credit(owed, frame.stream, credit);
        }
        if let Some(stream) = self.receiving.get_mut(&frame.stream) {
            stream.body.push(&frame.content());
        }
        if frame.has(END_STREAM) {
            self.finish(frame.stream);
        }
    }

    fn fragment(&mut self, block: Block, complete: bool) {
        if complete {
            self.headers(&block);
        } else {
            self.block = Some(block);
        }
    }

    fn headers(&mut self, block: &Block) {
        // Decoded even when ignored: the table of the decoder has to keep step with the peer's.
        let fields = self.decoder.decode(&block.bytes).unwrap_or_default();
        let trailers = self.receiving.contains_key(&block.stream);
        if !trailers && self.last_stream.is_none_or(|last| block.stream <= last) {
            self.open(block.stream, fields);
        }
        if block.ends_stream {
            self.finish(block.stream);
        }
    }

    fn open(&mut self, stream: u32, fields: Vec<(Vec<u8>, Vec<u8>)>) {
        // What could not be decoded stands as a question mark.
        let (mut method, mut path) = ("?".to_owned(), "?".to_owned());
        let mut headers = Vec::new();
        for (name, value) in fields {
            let value = String::from_utf8_lossy(&value).into_owned();
            match String::from_utf8_lossy(&name).as_ref() {
                ":method" => method = value,
                ":path" => path = value,
                ":authority" => headers.push(("host".to_owned(), value)),
                name if name.starts_with(':') => {}
                name => headers.push((name.to_owned(), value)),
            }
        }
        let (request, plan) = self.session.begin(method, path, headers);
        let receiving = Receiving { request, plan, body: Incoming::default() };
        match receiving.plan.read {
            Read::Head => self.reply(stream, receiving),
            Read::Whole => drop(self.receiving.insert(stream, receiving)),
        }
    }

    /// The request of `stream` is there in full.
    fn finish(&mut self, stream: u32) {
        if let Some(mut receiving) = self.receiving.remove(&stream) {
            receiving.body.finish();
            self.reply(stream, receiving);
        }
    }

    fn record(&self, mut receiving: Receiving) -> (Request, Plan) {
        self.session.record(&mut receiving.request, receiving.body, &receiving.plan);
        (receiving.request, receiving.plan)
    }

    fn reply(&mut self, stream: u32, receiving: Receiving) {
        let (request, plan) = self.record(receiving);
        let plan = if self.taken_up > stream { without_goaway(plan) } else { plan };
        self.taken_up = self.taken_up.max(stream);
        let mut wire = Http2Wire::new(stream, self.orders.clone());
        if let Reply::GoAway(last) = plan.reply {
            self.go_away(last.id(stream));
        } else if self.session.should_close() && self.taken_up == stream {
            wire.go_away(LastStream::This);
            self.go_away(stream);
        }
        let performer = self.performing.spawn(async move {
            // An error means that the connection is gone.
            if perform(&plan.reply, &request, &mut wire).await.is_ok() {
                end(plan.then, &mut wire).await;
            }
            stream
        });
        self.performers.insert(stream, performer);
        while let Some(done) = self.performing.try_join_next() {
            self.performers.retain(|stream, _| done.as_ref().ok() != Some(stream));
        }
    }

    /// From now on streams above `last` are ignored, also those whose requests are still arriving.
    fn go_away(&mut self, last: u32) {
        self.last_stream = Some(last);
        for receiving in self.receiving.split_off(&(last + 1)).into_values() {
            self.record(receiving);
        }
    }

    /// The client has lost interest in `stream`.
    fn cancel(&mut self, stream: u32) {
        if let Some(receiving) = self.receiving.remove(&stream) {
            self.record(receiving);
        }
        if let Some(performer) = self.performers.remove(&stream) {
            performer.abort();
        }
    }
}

/// What can be said truly instead of a GOAWAY, which would call every higher stream unprocessed (RFC 9113 §6.8), when one has
/// been taken up already: the same about this stream alone, or nothing.
fn without_goaway(plan: Plan) -> Plan {
    match plan.reply {
        Reply::GoAway(LastStream::Before) => Plan { reply: Reply::ResetStream(REFUSED_STREAM), ..plan },
        Reply::GoAway(LastStream::This) => Plan { reply: Reply::Nothing, ..plan },
        _ => plan,
    }
}

async fn end(then: Then, wire: &mut Http2Wire) {
    match then {
        Then::KeepOpen | Then::End(End::Silence) | Then::EndWhenIdle(End::Silence) => {}
        Then::End(End::StreamNoError) | Then::EndWhenIdle(End::StreamNoError) => {
            wire.reset_stream(NO_ERROR);
            wire.flush().await.ok(); // An error means that the connection is gone.
        }
        Then::End(end) => wire.end(end),
        Then::EndWhenIdle(end) => {
            sleep(IDLE).await;
            wire.end(end);
        }
    }
}

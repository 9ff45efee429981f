//! HTTP/2 (RFC 9113): the loop over the frames of one connection.
//!
//! Windows of the peer are not watched: an answer should fit into the 65,535 bytes that every peer grants.

use std::io;

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::end::{End, Socket};
use crate::http2_frame::{Frame, PREFACE, opening};
use crate::http2_streams::Streams;
use crate::http2_wire::Order;
use crate::session::Session;

/// Serves `socket` until either side ends it.
pub(crate) async fn serve(mut socket: impl Socket, session: Session) -> io::Result<()> {
    let (orders, mut inbox) = mpsc::unbounded_channel();
    let mut streams = Streams::new(session, orders);
    let ending = converse(&mut socket, &mut streams, &mut inbox).await;
    streams.abandon();
    match ending? {
        Some(end) => end.apply(socket).await,
        None => Ok(()),
    }
}

/// Returns how the server ends the connection; none when the client did.
async fn converse(
    socket: &mut impl Socket,
    streams: &mut Streams,
    inbox: &mut UnboundedReceiver<Order>,
) -> io::Result<Option<End>> {
    let mut buffer = BytesMut::new();
    let mut owed = opening();
    while buffer.len() < PREFACE.len() {
        if socket.read_buf(&mut buffer).await? == 0 {
            return Ok(None);
        }
    }
    if !buffer.starts_with(PREFACE) {
        return Ok(Some(End::Fin));
    }
    buffer.advance(PREFACE.len());
    loop {
        while let Some(frame) = Frame::take(&mut buffer) {
            streams.frame(&frame, &mut owed);
        }
        socket.write_all(&owed.split()).await?;
        socket.flush().await?;
        buffer.reserve(16 * 1024);
        tokio::select! {
            read = socket.read_buf(&mut buffer) => {
                if read? == 0 {
                    return Ok(None);
                }
            }
            Some(order) = inbox.recv() => match order {
                Order::Write(bytes) => socket.write_all(&bytes).await?,
                Order::End(end) => return Ok(Some(end)),
            },
        }
    }
}

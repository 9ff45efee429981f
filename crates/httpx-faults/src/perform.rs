//! Says a reply, whatever the protocol.

use std::io;

use bytes::Bytes;
use tokio::time::sleep;

use crate::answer::Answer;
use crate::behaviour::{LastStream, Reply};
use crate::request::Request;

/// What a protocol can say. Nothing is sent before [`flush`](Self::flush).
pub(crate) trait Wire {
    /// `last` tells that no body follows.
    fn head(&mut self, answer: &Answer, last: bool);

    /// The next `piece` of a body, of which only the first `sent` bytes are written.
    fn piece(&mut self, answer: &Answer, piece: &[u8], sent: usize);

    /// The end of a body.
    fn finish(&mut self, answer: &Answer);

    fn raw(&mut self, bytes: &Bytes);

    fn reset_stream(&mut self, code: u32);

    fn go_away(&mut self, last: LastStream);

    fn flush(&mut self) -> impl Future<Output = io::Result<()>> + Send;
}

/// Says `reply` to `request`.
pub(crate) async fn perform(reply: &Reply, request: &Request, wire: &mut (impl Wire + Send)) -> io::Result<()> {
    match reply {
        // Forwarding takes the whole connection, not just an answer on it.
        Reply::Nothing | Reply::Forward => {}
        Reply::Answer(answer) => say(answer, request, wire).await?,
        Reply::Echo => say(&echo(request), request, wire).await?,
        Reply::Raw(bytes) => wire.raw(bytes),
        Reply::ResetStream(code) => wire.reset_stream(*code),
        Reply::GoAway(last) => wire.go_away(*last),
    }
    wire.flush().await
}

async fn say(answer: &Answer, request: &Request, wire: &mut (impl Wire + Send)) -> io::Result<()> {
    if !answer.delay.is_zero() {
        sleep(answer.delay).await;
    }
    let bare = answer.ends_with_head(&request.method);
    wire.head(answer, bare);
    if bare {
        return Ok(());
    }
    let sent = answer.sent();
    match answer.drip {
        Some(pause) => {
            for byte in answer.body[..sent].chunks(1) {
                wire.flush().await?;
                sleep(pause).await;
                wire.piece(answer, byte, 1);
            }
        }
        None if sent > 0 => wire.piece(answer, &answer.body, sent),
        None => {}
    }
    if answer.cut.is_none() {
        wire.finish(answer);
    }
    Ok(())
}

fn echo(request: &Request) -> Answer {
    let answer = Answer::status(200).body(request.body.clone());
    match request.header("content-type") {
        Some(kind) => answer.header("content-type", kind),
        None => answer,
    }
}

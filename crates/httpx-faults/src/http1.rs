//! HTTP/1.1 (RFC 9112): the loop over the requests of one connection.

use std::io;

use bytes::{Bytes, BytesMut};
use tokio::io::AsyncWriteExt;
use tokio::time::sleep;

use crate::answer::{Answer, Framing};
use crate::behaviour::{IDLE, LastStream, Plan, Read, Reply, Then};
use crate::end::{End, Socket};
use crate::forward::{After, Forwarder};
use crate::http1_read::{Head, read_body, read_head};
use crate::perform::{Wire, perform};
use crate::request::Incoming;
use crate::session::Session;

/// Serves `socket` until either side ends it.
pub(crate) async fn serve(mut socket: impl Socket, mut session: Session) -> io::Result<()> {
    let mut buffer = BytesMut::new();
    let mut forwarder = Forwarder::default();
    loop {
        let head = match read_head(&mut socket, &mut buffer).await? {
            Some(Ok(head)) => head,
            Some(Err(_)) => return refuse(socket).await,
            None => return Ok(()),
        };
        let Head { method, path, headers, framing, last, continues } = head;
        let (mut request, plan) = session.begin(method, path, headers);
        let mut body = Incoming::default();
        if plan.read == Read::Whole {
            if continues {
                socket.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
            }
            // Whatever goes wrong here, the body has ended; it is kept as far as it came.
            read_body(&mut socket, &mut buffer, framing, &mut body).await.ok();
        }
        session.record(&mut request, body, &plan);
        if plan.read == Read::Whole && !request.complete {
            return Ok(());
        }
        if let Reply::Forward = plan.reply {
            match forwarder.forward(&request, &mut socket, &mut buffer).await? {
                After::NextRequest => continue,
                After::Gone => return Ok(()),
            }
        }
        let close = last || session.should_close();
        let mut wire = Http1Wire { socket: &mut socket, written: BytesMut::new(), close };
        perform(&plan.reply, &request, &mut wire).await?;
        match ending(&plan) {
            Then::KeepOpen if close => return socket.shutdown().await,
            Then::KeepOpen => {}
            Then::End(end) => return end.apply(socket).await,
            Then::EndWhenIdle(end) => {
                sleep(IDLE).await;
                return end.apply(socket).await;
            }
        }
    }
}

/// What follows a plan on a connection without streams.
fn ending(plan: &Plan) -> Then {
    match &plan.reply {
        Reply::ResetStream(_) => Then::End(End::Reset),
        Reply::GoAway(_) => Then::End(End::Fin),
        Reply::Nothing | Reply::Answer(_) | Reply::Echo | Reply::Forward | Reply::Raw(_) => plan.then,
    }
}

/// The bytes were no request.
async fn refuse(mut socket: impl Socket) -> io::Result<()> {
    socket.write_all(b"HTTP/1.1 400 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await?;
    socket.shutdown().await
}

struct Http1Wire<'a, S> {
    socket: &'a mut S,
    written: BytesMut,
    close: bool,
}

impl<S: Socket> Wire for Http1Wire<'_, S> {
    fn head(&mut self, answer: &Answer, _last: bool) {
        // RFC 9112 §4: the reason phrase may be empty, the space before it may not be missing.
        let mut head = format!("HTTP/1.1 {} \r\n", answer.status);
        for (name, value) in &answer.headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(length) = answer.announced_length() {
            head += &format!("content-length: {length}\r\n");
        }
        if answer.framing == Framing::Chunked {
            head += "transfer-encoding: chunked\r\n";
        }
        if self.close {
            head += "connection: close\r\n";
        }
        head += "\r\n";
        self.written.extend_from_slice(head.as_bytes());
    }

    fn piece(&mut self, answer: &Answer, piece: &[u8], sent: usize) {
        if answer.framing == Framing::Chunked {
            self.written.extend_from_slice(format!("{:x}\r\n", piece.len()).as_bytes());
        }
        self.written.extend_from_slice(&piece[..sent]);
        if answer.framing == Framing::Chunked && sent == piece.len() {
            self.written.extend_from_slice(b"\r\n");
        }
    }

    fn finish(&mut self, answer: &Answer) {
        if answer.framing == Framing::Chunked {
            let trailers = answer.trailers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
            self.written.extend_from_slice(format!("0\r\n{}\r\n", trailers.collect::<String>()).as_bytes());
        }
    }

    fn raw(&mut self, bytes: &Bytes) {
        self.written.extend_from_slice(bytes);
    }

    fn reset_stream(&mut self, _code: u32) {}

    fn go_away(&mut self, _last: LastStream) {}

    async fn flush(&mut self) -> io::Result<()> {
        self.socket.write_all(&self.written.split()).await?;
        self.socket.flush().await
    }
}

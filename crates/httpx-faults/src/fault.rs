//! The faults. A new one is one row of the table below: its sentence, name, variant and behaviour.

use std::time::Duration;

use bytes::Bytes;

use crate::answer::Answer;
use crate::behaviour::{Behaviour, Greeting, INTERNAL_ERROR, LastStream, Plan, REFUSED_STREAM, Reply, Then};
use crate::end::End;
use crate::port::PortFault;

/// A host name that no resolver knows (RFC 6761 §6.4).
pub const UNKNOWN_HOST: &str = "no-such-host.invalid";

/// How many body bytes the faults announce that break off within a body.
pub const BODY_ANNOUNCED: usize = 1000;

macro_rules! faults {
    ($( #[doc = $sentence:literal] $name:literal $variant:ident
        $( ( $($field:ident: $type:ty = $example:expr),+ ) )? => $behaviour:expr; )+) => {
        /// One way in which a server can go wrong, or not.
        #[derive(Debug, Clone)]
        #[non_exhaustive]
        pub enum Fault {
            $( #[doc = $sentence] $variant $( ( $($type),+ ) )?, )+
        }

        impl Fault {
            /// Every fault once, with example values where it takes some.
            pub fn all() -> Vec<Self> {
                vec![$( Self::$variant $( ( $($example),+ ) )? ),+]
            }

            /// Its name in lists, paths and tables.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $name ),+ }
            }

            /// What it does, in one sentence.
            pub fn sentence(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $sentence.trim_ascii() ),+ }
            }

            pub(crate) fn behaviour(&self) -> Behaviour {
                match self { $( Self::$variant $( ( $($field),+ ) )? => $behaviour ),+ }
            }
        }
    };
}

faults! {
    /// No fault: `200` with the body `ok`.
    "ok" Ok => request(Plan::answer(Answer::ok()));
    /// An answer with any status, header lines and body.
    "status" Answer(answer: Answer = Answer::status(503)) => request(Plan::answer(answer.clone()));
    /// A redirect with this status to this location.
    "redirect" Redirect(status: u16 = 307, location: String = "/ok".to_owned())
        => request(Plan::answer(Answer::status(*status).header("location", location)));
    /// `200` with the request's own body, as far as the journal keeps it.
    "echo" Echo => request(Plan::reply(Reply::Echo));
    /// A good answer whose body comes byte by byte, with this pause before each.
    "slow-drip" SlowDrip(pause: Duration = Duration::from_millis(20))
        => request(Plan::answer(Answer::ok().body("drop by drop").drip(*pause)));

    /// The port is bound and nobody listens: the connect is refused.
    "refused" Refused => Behaviour::Port(PortFault::Refused);
    /// The backlog is full: the connect is neither accepted nor refused.
    "black-hole" BlackHole => Behaviour::Port(PortFault::BlackHole);

    /// The connection is closed as soon as it is accepted.
    "accept-then-close" AcceptThenClose => Behaviour::Connection(Greeting::OnAccept(End::Fin));
    /// The connection is accepted and reset, with nothing read.
    "accept-then-reset" AcceptThenReset => Behaviour::Connection(Greeting::OnAccept(End::Reset));
    /// The certificate is for another name and from an unknown authority; over plain HTTP there is no fault.
    "bad-certificate" BadCertificate => Behaviour::Connection(Greeting::WrongCertificate);
    /// The ClientHello is never answered.
    "tls-stall" TlsStall => Behaviour::Connection(Greeting::OnFirstBytes(End::Silence));
    /// The connection is reset after the ClientHello.
    "tls-reset" TlsReset => Behaviour::Connection(Greeting::OnFirstBytes(End::Reset));

    /// The connection is closed after the head of the request, whatever body follows.
    "partial-read" PartialRead => request(Plan::unread(End::Fin));
    /// The whole request is read and never answered.
    "never-answer" NeverAnswer => request(Plan::end(End::Silence));
    /// The whole request is read, then the connection is closed.
    "close-after-request" CloseAfterRequest => request(Plan::end(End::Fin));
    /// The whole request is read, then the connection is reset.
    "reset-after-request" ResetAfterRequest => request(Plan::end(End::Reset));
    /// The operation is carried out and the answer never comes: on the wire the same as `never-answer`.
    "applied-then-hang" AppliedThenHang => request(Plan::end(End::Silence));
    /// The operation is carried out and the answer is lost: on the wire the same as `reset-after-request`.
    "applied-then-reset" AppliedThenReset => request(Plan::end(End::Reset));
    /// The answer is no HTTP.
    "garbage" Garbage => request(Plan::reply(Reply::Raw(Bytes::from_static(GARBAGE))).then(Then::End(End::Fin)));

    /// The head and so many body bytes arrive, then nothing more.
    "headers-then-stall" HeadersThenStall(sent: usize = BODY_ANNOUNCED / 2)
        => request(Plan::answer(announced().cut(*sent, End::Silence)));
    /// Half of the body arrives, then the connection is closed.
    "half-body-fin" HalfBodyFin => request(Plan::answer(announced().cut(BODY_ANNOUNCED / 2, End::Fin)));
    /// Half of the body arrives, then the connection is reset.
    "half-body-rst" HalfBodyReset => request(Plan::answer(announced().cut(BODY_ANNOUNCED / 2, End::Reset)));
    /// The connection is closed in the middle of a chunk.
    "chunked-cut" ChunkedCut => request(Plan::answer(announced().chunked().cut(BODY_ANNOUNCED / 2, End::Fin)));

    /// A good answer, then the connection is closed, still idle.
    "idle-fin" IdleFin => request(Plan::answer(Answer::ok()).then(Then::EndWhenIdle(End::Fin)));
    /// A good answer, then the connection is reset, still idle.
    "idle-rst" IdleReset => request(Plan::answer(Answer::ok()).then(Then::EndWhenIdle(End::Reset)));
    /// The first request on a connection is answered well, the next one on it is read and the connection closed.
    "in-use-fin" InUseFin => Behaviour::Reused(Plan::end(End::Fin));
    /// The first request on a connection is answered well, the next one on it is read and the connection reset.
    "in-use-rst" InUseReset => Behaviour::Reused(Plan::end(End::Reset));

    /// The HTTP/2 stream is refused: the request was not processed (RFC 9113 §8.7).
    "h2-refused-stream" RefusedStream => request(Plan::reply(Reply::ResetStream(REFUSED_STREAM)));
    /// The HTTP/2 stream is reset with INTERNAL_ERROR.
    "h2-internal-error" InternalError => request(Plan::reply(Reply::ResetStream(INTERNAL_ERROR)));
    /// A GOAWAY below this HTTP/2 stream: the request was not processed (RFC 9113 §6.8).
    "h2-goaway-unprocessed" GoAwayUnprocessed => request(Plan::reply(Reply::GoAway(LastStream::Before)));
    /// A GOAWAY that includes this HTTP/2 stream, then the connection is closed without an answer.
    "h2-goaway-processed" GoAwayProcessed
        => request(Plan::reply(Reply::GoAway(LastStream::This)).then(Then::End(End::Fin)));
}

/// Where a fault strikes, and so which kind of server can show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The port: no connection comes about.
    Port,
    /// A fresh TCP connection.
    Connection,
    /// A TLS handshake.
    Tls,
    /// A request, whatever the protocol.
    Request,
    /// An HTTP/2 stream or connection.
    Http2,
}

impl Fault {
    /// An empty answer with this status, to be refined.
    pub fn status(status: u16) -> Answer {
        Answer::status(status)
    }

    /// The answer of [`Fault::Ok`], given after `delay`.
    pub fn ok_after(delay: Duration) -> Answer {
        Answer::ok().after(delay)
    }

    /// Whether a real server would have carried out the operation of a request that it read in full.
    ///
    /// No, where the fault strikes before there is a request, where the body is not read, where the answer is garbage
    /// or a status of 400 and above, and where HTTP/2 says that the request was not processed. Yes for all others.
    pub fn applies(&self) -> bool {
        match self.behaviour() {
            Behaviour::Port(_) | Behaviour::Connection(_) => false,
            Behaviour::Request(plan) | Behaviour::Reused(plan) => plan.applies(),
        }
    }

    /// Where it strikes.
    pub fn layer(&self) -> Layer {
        match self.behaviour() {
            Behaviour::Port(_) => Layer::Port,
            Behaviour::Connection(Greeting::OnAccept(_)) => Layer::Connection,
            Behaviour::Connection(Greeting::OnFirstBytes(_) | Greeting::WrongCertificate) => Layer::Tls,
            Behaviour::Request(Plan { reply: Reply::ResetStream(_) | Reply::GoAway(_), .. }) => Layer::Http2,
            Behaviour::Request(_) | Behaviour::Reused(_) => Layer::Request,
        }
    }
}

impl From<Answer> for Fault {
    fn from(answer: Answer) -> Self {
        Self::Answer(answer)
    }
}

/// Neither a status line nor, over HTTP/2, a frame.
const GARBAGE: &[u8] = b"\x15\x03\x01 this is not HTTP \xff\xfe\r\n\r\n";

fn request(plan: Plan) -> Behaviour {
    Behaviour::Request(plan)
}

fn announced() -> Answer {
    Answer::status(200).body(vec![b'x'; BODY_ANNOUNCED])
}

//! The few things a server can do, of which every fault is made. Pure values: the connections act on them.

use std::time::Duration;

use bytes::Bytes;

use crate::answer::Answer;
use crate::end::End;
use crate::port::PortFault;

/// Where a fault strikes.
#[derive(Debug, Clone)]
pub(crate) enum Behaviour {
    /// Nobody ever gets a connection.
    Port(PortFault),
    /// A fresh connection, before any request on it is read.
    Connection(Greeting),
    /// One request.
    Request(Plan),
    /// The next request on a connection that has already carried one; the first is answered well.
    Reused(Plan),
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Greeting {
    /// As soon as the connection is accepted.
    OnAccept(End),
    /// When the first bytes arrive: over TLS, the ClientHello.
    OnFirstBytes(End),
    /// TLS goes on with a certificate that nobody should accept.
    WrongCertificate,
}

/// What is done with one request: so much is read, so much is said, and then.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) read: Read,
    pub(crate) reply: Reply,
    pub(crate) then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Read {
    Head,
    Whole,
}

#[derive(Debug, Clone)]
pub(crate) enum Reply {
    Nothing,
    Answer(Answer),
    /// `200` with the request's own body.
    Echo,
    /// Bytes that are no HTTP.
    Raw(Bytes),
    /// An HTTP/2 RST_STREAM with this error code. Over HTTP/1.1, which has no streams, the connection is reset.
    ResetStream(u32),
    /// What the server that the request is meant for says; a proxy's good answer.
    Forward,
    /// An HTTP/2 GOAWAY without an error. Over HTTP/1.1 the connection is closed.
    GoAway(LastStream),
}

/// What a GOAWAY says about the request that drew it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastStream {
    Before,
    This,
}

impl LastStream {
    /// The last stream to be processed, for the request on `stream`. The client opens the odd ones (RFC 9113 §5.1.1).
    pub(crate) fn id(self, stream: u32) -> u32 {
        match self {
            Self::Before => stream.saturating_sub(2),
            Self::This => stream,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    KeepOpen,
    End(End),
    /// After [`IDLE`], so that the peer has put the connection into its pool.
    EndWhenIdle(End),
}

/// How long the faults named idle leave a connection alone before they end it.
///
/// Long enough for the peer to have put it into its pool. A request that comes earlier is not read, and meets a reset.
pub const IDLE: Duration = Duration::from_millis(20);

/// RFC 9113 §7.
pub(crate) const NO_ERROR: u32 = 0x0;
pub(crate) const INTERNAL_ERROR: u32 = 0x2;
pub(crate) const REFUSED_STREAM: u32 = 0x7;

impl Plan {
    /// Reads the whole request and gives `answer`.
    pub(crate) fn answer(answer: Answer) -> Self {
        let then = answer.cut.map_or(Then::KeepOpen, |cut| Then::End(cut.end));
        Self { read: Read::Whole, reply: Reply::Answer(answer), then }
    }

    /// Reads the whole request and says nothing.
    pub(crate) fn end(end: End) -> Self {
        Self { read: Read::Whole, reply: Reply::Nothing, then: Then::End(end) }
    }

    /// Reads no further than the head, and ends.
    pub(crate) fn unread(end: End) -> Self {
        Self { read: Read::Head, ..Self::end(end) }
    }

    pub(crate) fn reply(reply: Reply) -> Self {
        Self { read: Read::Whole, reply, then: Then::KeepOpen }
    }

    pub(crate) fn then(self, then: Then) -> Self {
        Self { then, ..self }
    }

    /// See [`Fault::applies`](crate::Fault::applies).
    pub(crate) fn applies(&self) -> bool {
        let acted = match &self.reply {
            Reply::Nothing | Reply::Echo | Reply::GoAway(LastStream::This) => true,
            Reply::Answer(answer) => answer.status < 400,
            Reply::ResetStream(code) => *code != REFUSED_STREAM,
            // Whoever it is passed on to may act on it.
            Reply::Raw(_) | Reply::Forward | Reply::GoAway(LastStream::Before) => false,
        };
        acted && self.read == Read::Whole
    }
}

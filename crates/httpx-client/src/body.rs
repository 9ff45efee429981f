//! Request bodies: what can be sent again, and what cannot.

use std::error::Error as StdError;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_core::TryStream;
use futures_util::{FutureExt as _, TryStreamExt as _};
use http_body::Frame;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, StreamBody};
use httpx_retry::Replay;
use sync_wrapper::SyncStream;

use crate::witness::{ExchangeId, Witness};

pub(crate) type BoxError = Box<dyn StdError + Send + Sync>;
type Stream = BoxBody<Bytes, BoxError>;

/// The body of a request.
///
/// Bytes and factories can be sent again, byte for byte. A [`Body::stream`] is sent once: it is never refused before the
/// first send, and never replayed empty after it.
///
/// ```
/// use httpx_client::Body;
///
/// let text = Body::from("hello");
/// let large = Body::factory(|| futures_util::stream::iter([Ok::<_, std::io::Error>("part"), Ok("s")]));
/// let once = Body::stream(futures_util::stream::iter([Ok::<_, std::io::Error>("gone after this")]));
/// ```
#[derive(Default)]
pub struct Body(Kind);

#[derive(Default)]
enum Kind {
    #[default]
    Empty,
    Bytes(Bytes),
    Factory(Box<dyn Fn() -> Stream + Send + Sync>),
    /// Locked so that a request is sent by reference: sends may race.
    Stream(Mutex<Option<Stream>>),
}

impl Body {
    /// No body.
    #[must_use]
    pub const fn empty() -> Self {
        Body(Kind::Empty)
    }

    /// A body made anew for every attempt; each call must give the same bytes.
    pub fn factory<S>(make: impl Fn() -> S + Send + Sync + 'static) -> Self
    where
        S: TryStream + Send + 'static,
        S::Ok: Into<Bytes>,
        S::Error: Into<BoxError>,
    {
        Body(Kind::Factory(Box::new(move || boxed(make()))))
    }

    /// A stream that can be read once, so the request is sent at most once.
    pub fn stream<S>(stream: S) -> Self
    where
        S: TryStream + Send + 'static,
        S::Ok: Into<Bytes>,
        S::Error: Into<BoxError>,
    {
        Body(Kind::Stream(Mutex::new(Some(boxed(stream)))))
    }

    /// Can it be sent again?
    pub(crate) const fn replay(&self) -> Replay {
        match self.0 {
            Kind::Empty | Kind::Bytes(_) | Kind::Factory(_) => Replay::Possible,
            Kind::Stream(_) => Replay::OneShot,
        }
    }

    /// Was it a stream that has been handed out?
    pub(crate) fn is_gone(&self) -> bool {
        match &self.0 {
            Kind::Empty | Kind::Bytes(_) | Kind::Factory(_) => false,
            Kind::Stream(stream) => stream.lock().unwrap_or_else(PoisonError::into_inner).is_none(),
        }
    }

    /// Hands out the body for one exchange. Never asked for a body that is gone: that fails instead of sending nothing.
    pub(crate) fn hand_out(&self, exchange: ExchangeId) -> HandedOut {
        let (stream, fault) = match &self.0 {
            Kind::Empty => return HandedOut::whole(Bytes::new(), exchange),
            Kind::Bytes(bytes) => return HandedOut::whole(bytes.clone(), exchange),
            Kind::Factory(make) => watched(make()),
            Kind::Stream(stream) => {
                watched(stream.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_else(gone))
            }
        };
        HandedOut { body: reqwest::Body::wrap(Witness::new(stream, exchange)), fault: Some(fault) }
    }
}

/// A body on its way, and where its own failure would be found.
pub(crate) struct HandedOut {
    pub(crate) body: reqwest::Body,
    pub(crate) fault: Option<StreamFault>,
}

impl HandedOut {
    fn whole(bytes: Bytes, exchange: ExchangeId) -> Self {
        HandedOut { body: reqwest::Body::wrap(Witness::new(Full::new(bytes), exchange)), fault: None }
    }
}

/// Holds the error of the caller's stream, if it failed.
///
/// Over HTTP/2 the error itself never reaches the future of the answer; only the reset it causes does.
#[derive(Clone, Default)]
pub(crate) struct StreamFault(Arc<Mutex<Option<BoxError>>>);

impl StreamFault {
    pub(crate) fn take(&self) -> Option<BoxError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What stands in for a stream that was handed out before; the send loop never comes here.
fn gone() -> Stream {
    boxed(futures_util::stream::iter([Err::<Bytes, BoxError>("this body was a stream and has been sent".into())]))
}

fn watched(stream: Stream) -> (Stream, StreamFault) {
    let fault = StreamFault::default();
    let slot = fault.clone();
    let stream = stream.map_err(move |error| {
        let told = error.to_string();
        *slot.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        told.into()
    });
    (stream.boxed(), fault)
}

fn boxed<S>(stream: S) -> Stream
where
    S: TryStream + Send + 'static,
    S::Ok: Into<Bytes>,
    S::Error: Into<BoxError>,
{
    let frames = stream.map_ok(|part| Frame::data(part.into())).map_err(Into::into);
    StreamBody::new(SyncStream::new(frames)).boxed()
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Body(Kind::Bytes(bytes))
    }
}

/// Bytes stay bytes, without a copy. What reqwest calls a stream can be sent once.
impl From<reqwest::Body> for Body {
    fn from(mut body: reqwest::Body) -> Self {
        if body.as_bytes().is_none() {
            return Body(Kind::Stream(Mutex::new(Some(body.map_err(Into::into).boxed()))));
        }
        // reqwest shows its bytes and keeps them; as a body it hands them out, all at once and without waiting.
        match body.frame().now_or_never() {
            Some(Some(Ok(frame))) => frame.into_data().map_or_else(|_| Body::empty(), Body::from),
            Some(Some(Err(_)) | None) | None => Body::empty(),
        }
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

impl From<&'static [u8]> for Body {
    fn from(bytes: &'static [u8]) -> Self {
        Bytes::from_static(bytes).into()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Empty => f.write_str("Body::empty"),
            Kind::Bytes(bytes) => write!(f, "Body({} bytes)", bytes.len()),
            Kind::Factory(_) => f.write_str("Body::factory"),
            Kind::Stream(_) => f.write_str("Body::stream"),
        }
    }
}

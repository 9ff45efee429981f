//! Downloads: a body that ends up in a file, whole or not at all.

use std::fmt;
use std::future::IntoFuture;
use std::path::PathBuf;
use std::pin::Pin;

use http::header::{ACCEPT_ENCODING, IF_RANGE, RANGE};
use httpx_retry::{Phase, Sent};

use crate::digest::Digest;
use crate::error::{Error, ErrorKind};
use crate::partial::Unfinished;
use crate::read::Read;
use crate::request::RequestBuilder;
use crate::response::Response;

use crate::send::send;
use crate::sink::{Progress, Sink, Unsaved, Wanted};

/// A request whose answer goes to a file. Await it.
///
/// - The file appears under its name when it is whole, and on disk: it is written beside that name, checked, synced
///   (`fsync`, of the folder too) and renamed. An older file of that name stays until then. A link stays a link.
/// - A body that breaks off is a failed attempt. The next one asks for the rest (`Range` with `If-Range`, RFC 9110
///   §13.1.5), where the server sent a strong `ETag` or a `Last-Modified`; else, or when the body has changed meanwhile,
///   it starts over. The policy decides as for every request, and each attempt counts.
/// - [`timeout`](RequestBuilder::timeout) bounds each attempt with the body it brings, so for long bodies a
///   [`read_timeout`](RequestBuilder::read_timeout) and a [`deadline`](RequestBuilder::deadline) are the better limits.
/// - A status that is not 2xx is an error, and its body is not stored. Nor is a body decoded: it is asked for as it is
///   (`Accept-Encoding: identity`), and stored as it comes.
///
/// ```no_run
/// # async fn example(client: httpx_client::Client) -> Result<(), Box<dyn std::error::Error>> {
/// use httpx_client::Digest;
///
/// let digest = Digest::sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")?;
/// let saved = client.get("https://example.test/tool.tar.gz").download_to("tool.tar.gz").verify(digest).await?;
/// println!("{} bytes after {} attempts", saved.body().bytes, saved.attempts().count());
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is sent until it is awaited"]
pub struct Download {
    request: RequestBuilder,
    path: PathBuf,
    wanted: Wanted,
}

/// What a download brought.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Downloaded {
    /// The file; where a link led to, if there was one.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
}

impl RequestBuilder {
    /// Sends it when awaited, and puts the body into a file; see [`Download`].
    pub fn download_to(self, path: impl Into<PathBuf>) -> Download {
        Download { request: self, path: path.into(), wanted: Wanted::default() }
    }
}

impl Download {
    /// The body must have this digest, or there is no file.
    pub fn verify(mut self, digest: Digest) -> Self {
        self.wanted.digest = Some(digest);
        self
    }

    /// The body must not have more bytes than this.
    pub fn at_most(mut self, bytes: u64) -> Self {
        self.wanted.at_most = Some(bytes);
        self
    }

    /// Called whenever something has come.
    pub fn on_progress(mut self, callback: impl FnMut(Progress) + Send + 'static) -> Self {
        self.wanted.on_progress = Some(Box::new(callback));
        self
    }

    /// What has come is kept when the call fails or the process ends, as `NAME.part`, and the next download of the same
    /// URL to the same file goes on from there.
    ///
    /// `NAME.part.json` beside it tells what it is a part of. Two downloads at a time are told apart by a lock; the second
    /// fails.
    pub fn resumable(mut self) -> Self {
        self.wanted.unfinished = Unfinished::Kept;
        self
    }

    async fn run(self) -> Result<Response<Downloaded>, Error> {
        let Download { request, path, wanted } = self;
        let mut sending = asking_for_plain_bytes(request).sending()?;
        let parts = &sending.call.parts;
        let unsaved = |unsaved: Unsaved| {
            Error::new(unsaved.kind(), Phase::Prepare, Sent::No, &parts.method, &parts.url).with_source(unsaved)
        };
        let mut sink = Sink::open(&path, wanted, &parts.method, &parts.url).await.map_err(unsaved)?;
        let answer = send(&mut sending, Read::Into(&mut sink)).await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                sink.give_up();
                return Err(error);
            }
        };
        let answer = Response::new(answer, (), sending);
        if !sink.is_filled() {
            sink.give_up();
            let status = answer.status();
            return Err(answer.into_error(ErrorKind::Status(status), Phase::Answer));
        }
        match sink.finish().await {
            Ok((path, bytes)) => Ok(answer.with_body(Downloaded { path, bytes })),
            Err(unsaved) => Err(answer.into_error(unsaved.kind(), Phase::Body).with_source(unsaved)),
        }
    }
}

fn asking_for_plain_bytes(request: RequestBuilder) -> RequestBuilder {
    if request.has(&RANGE) || request.has(&IF_RANGE) {
        return request.failed(|| "a download asks for ranges itself; leave Range and If-Range out".to_owned());
    }
    if request.has(&ACCEPT_ENCODING) { request } else { request.header(ACCEPT_ENCODING, "identity") }
}

impl IntoFuture for Download {
    type Output = Result<Response<Downloaded>, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.run())
    }
}

impl fmt::Debug for Download {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Download")
            .field("request", &self.request)
            .field("path", &self.path)
            .field("digest", &self.wanted.digest)
            .finish_non_exhaustive()
    }
}

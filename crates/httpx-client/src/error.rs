//! Errors that tell their story and no secret.

use std::fmt;
use std::time::Duration;

use http::{Method, StatusCode};
use httpx_retry::{FailureKind, Phase, Sent};
use url::Url;

use crate::body::BoxError;
use crate::trace::Attempts;

/// What ended a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No complete answer came.
    Failure(FailureKind),
    /// An answer came whose status the caller did not want.
    Status(StatusCode),
    /// A file could not be written; the error names it, and its sources end with the system's reason. Never retried.
    File,
    /// The body of a download has another digest than it should have. Never retried.
    Digest,
    /// The body is longer than it may be, by [`max_body`](crate::Config::max_body) or by
    /// [`at_most`](crate::Download::at_most) of a download. Never retried.
    TooLarge,
}

/// Why a call brought no result.
///
/// Reads as a sentence: `POST https://example.test/jobs: connection closed after 3 attempts in 1.8s`. User name, password,
/// query and fragment of the URL are never part of it, nor of its sources.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    phase: Phase,
    sent: Sent,
    method: Method,
    url: String,
    received: u64,
    proxy: Option<String>,
    attempts: Option<Attempts>,
    source: Option<BoxError>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, phase: Phase, sent: Sent, method: &Method, url: &Url) -> Self {
        Error(Box::new(Inner {
            kind,
            phase,
            sent,
            method: method.clone(),
            url: redacted(url),
            received: 0,
            proxy: None,
            attempts: None,
            source: None,
        }))
    }

    /// A request that could not be built; `told` names what is wrong and what would be right.
    pub(crate) fn unbuilt(kind: FailureKind, method: &Method, url: String, told: String) -> Self {
        Error(Box::new(Inner {
            kind: ErrorKind::Failure(kind),
            phase: Phase::Prepare,
            sent: Sent::No,
            method: method.clone(),
            url,
            received: 0,
            proxy: None,
            attempts: None,
            source: Some(told.into()),
        }))
    }

    pub(crate) fn with_source(mut self, source: impl Into<BoxError>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    pub(crate) fn with_received(mut self, received: u64) -> Self {
        self.0.received = received;
        self
    }

    pub(crate) fn with_proxy(mut self, proxy: Option<String>) -> Self {
        self.0.proxy = proxy;
        self
    }

    pub(crate) fn with_attempts(mut self, attempts: Attempts) -> Self {
        // One attempt that may have been seen is enough.
        self.0.sent = attempts.iter().map(|attempt| attempt.sent).fold(self.0.sent, Ord::max);
        self.0.attempts = Some(attempts);
        self
    }

    /// What ended the call.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// How far the last attempt had come.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.0.phase
    }

    /// Whether the server saw the request: of all attempts, the one that it is most likely to have seen. What is known of
    /// the last one alone is in [`Error::attempts`].
    #[must_use]
    pub fn sent(&self) -> Sent {
        self.0.sent
    }

    /// The status, when an answer came.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        match self.0.kind {
            ErrorKind::Status(status) => Some(status),
            ErrorKind::Failure(_) | ErrorKind::File | ErrorKind::Digest | ErrorKind::TooLarge => None,
        }
    }

    /// Every attempt; `None` when the request could not be built, so that there was none.
    #[must_use]
    pub fn attempts(&self) -> Option<&Attempts> {
        self.0.attempts.as_ref()
    }

    /// From the first send to the end, waits included.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.attempts.as_ref().map_or(Duration::ZERO, Attempts::elapsed)
    }

    /// How many bytes of the body had come when it broke off.
    #[must_use]
    pub fn bytes_received(&self) -> u64 {
        self.0.received
    }

    /// The proxy that the last attempt went through when no answer came, without user name and password.
    #[must_use]
    pub fn proxy(&self) -> Option<&str> {
        self.0.proxy.as_deref()
    }

    /// The URL, without user name, password, query and fragment.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.0.url
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, phase, method, url, received, proxy, attempts, source, .. } = &*self.0;
        write!(f, "{method} {url}: ")?;
        match (kind, source) {
            (ErrorKind::Failure(kind), _) => f.write_str(kind.phrase())?,
            (ErrorKind::Status(status), _) => write!(f, "answered {status}")?,
            // Names the file, the digests or the limit.
            (ErrorKind::File | ErrorKind::Digest | ErrorKind::TooLarge, source) => {
                source.iter().try_for_each(|unsaved| write!(f, "{unsaved}"))?;
            }
        }
        if let Some(proxy) = proxy {
            write!(f, ", by way of the proxy {proxy},")?;
        }
        if let (ErrorKind::Failure(_), Phase::Body) = (kind, phase) {
            write!(f, " while reading the body, {received} bytes received,")?;
        }
        match (attempts, kind, source) {
            (Some(attempts), _, _) => {
                let (count, elapsed) = (attempts.count(), attempts.elapsed());
                let plural = if count == 1 { "" } else { "s" };
                write!(f, " after {count} attempt{plural} in {:.1}s", elapsed.as_secs_f64())
            }
            (None, ErrorKind::Failure(_), Some(source)) => write!(f, ": {source}"),
            (None, _, _) => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let (ErrorKind::Failure(_), None) = (self.0.kind, &self.0.attempts) {
            return None; // An unbuilt request tells its source already.
        }
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// How much of a URL that cannot be asked is told, in characters.
const TOLD: usize = 200;

/// What may be told of a text that should be a URL: the same as [`redacted`], as far as its parts can be seen.
///
/// ```
/// assert_eq!(httpx_client::redacted_text("//user:pw@host/jobs?token=t"), "...@host/jobs");
/// ```
#[must_use]
pub fn redacted_text(text: &str) -> String {
    if let Ok(url) = Url::parse(text) {
        return redacted(&url);
    }
    let told = match (text.rfind('@'), text.find(['?', '#'])) {
        // A password, or a query: nobody can tell where the one ends and the other begins.
        (Some(at), Some(end)) if end < at => "...".to_owned(),
        (Some(at), end) => format!("...{}", &text[at..end.unwrap_or(text.len())]),
        (None, end) => {
            let told = &text[..end.unwrap_or(text.len())];
            let (scheme, rest) = told.split_once("://").map_or(("", told), |(scheme, rest)| (scheme, rest));
            // The beginning of a user name and a password, perhaps.
            if rest.contains(':') || rest.contains("%40") { format!("{scheme}://...") } else { told.to_owned() }
        }
    };
    shortened(told)
}

/// The beginning of what is too long to be told.
pub(crate) fn shortened(told: String) -> String {
    match told.char_indices().nth(TOLD) {
        Some((cut, _)) => format!("{}...", &told[..cut]),
        None => told,
    }
}

/// What may be told of a URL: no user name, password, query or fragment; of one without a path, such as `data:`, the
/// scheme alone.
///
/// ```
/// let url = "https://user:pw@example.test/jobs?token=t#top".parse().expect("a URL");
/// assert_eq!(httpx_client::redacted(&url), "https://example.test/jobs?...");
/// ```
#[must_use]
pub fn redacted(url: &Url) -> String {
    if url.cannot_be_a_base() {
        // `user:password@host` is one too, with the scheme `user`.
        return if url.path().contains('@') { "...".to_owned() } else { format!("{}:...", url.scheme()) };
    }
    // As in `htp:/user:password@host`.
    if !url.has_host() && url.path().contains('@') {
        return "...".to_owned();
    }
    let mut told = url.clone();
    // Both fail only for URLs that cannot have a user, such as `file:`.
    let _ = told.set_username("");
    let _ = told.set_password(None);
    told.set_fragment(None);
    if told.query().is_some() {
        told.set_query(Some("..."));
    }
    told.into()
}

/// How many characters of a body are told.
const EXCERPT: usize = 120;

/// What may be told of a body that should have been something else, such as a proxy's page: the first 120 characters, on one
/// line and without control characters, which a terminal would obey. `None` when there is no text.
///
/// ```
/// assert_eq!(httpx_client::excerpt(b"<html>\n  Bad\x1b Gateway").as_deref(), Some("<html> Bad Gateway"));
/// ```
#[must_use]
pub fn excerpt(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    let words = text.split(|char: char| char.is_whitespace() || char.is_control()).filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let end = line.char_indices().nth(EXCERPT).map_or(line.len(), |(at, _)| at);
    (!line.is_empty()).then(|| line[..end].to_owned())
}

//! Where a download goes: what has come so far, whichever attempts it took.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use base64::prelude::{BASE64_STANDARD, Engine as _};
use http::{HeaderName, HeaderValue, Method, StatusCode};
use httpx_retry::FailureKind;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::collect::{length, next};
use crate::digest::{Digest, Hasher};
use crate::error::{ErrorKind, redacted};
use crate::failed::Failed;
use crate::limits::{Limits, TooLarge};
use crate::partial::{Origin, Partial, Unfinished};
use crate::range::{Part, Validator, rest};

/// How far a download has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Bytes of the body that are there; fewer than before when it had to start over.
    pub bytes: u64,
    /// Bytes of the whole body, when that is known.
    pub total: Option<u64>,
}

pub(crate) type OnProgress = Box<dyn FnMut(Progress) + Send>;

/// What a download is asked to be.
#[derive(Default)]
pub(crate) struct Wanted {
    pub(crate) digest: Option<Digest>,
    pub(crate) at_most: Option<u64>,
    pub(crate) unfinished: Unfinished,
    pub(crate) on_progress: Option<OnProgress>,
}

/// Why a body that came is not in its file. Nothing of the network, so that no rule is asked about it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unsaved {
    #[error("cannot write {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("the body has {found}, not {wanted}")]
    Digest { wanted: Digest, found: Digest },
    #[error(transparent)]
    TooLarge(TooLarge),
}

impl Unsaved {
    pub(crate) const fn kind(&self) -> ErrorKind {
        match self {
            Unsaved::File { .. } => ErrorKind::File,
            Unsaved::Digest { .. } => ErrorKind::Digest,
            Unsaved::TooLarge(_) => ErrorKind::TooLarge,
        }
    }
}

/// A body on its way to a file. Keeps what one attempt brought for the next one to go on from.
pub(crate) struct Sink {
    partial: Partial,
    wanted: Wanted,
    hasher: Option<Hasher>,
    /// Only a GET has ranges (RFC 9110 §14.2).
    method: Method,
    url: String,
    /// Tells URLs apart that are told alike.
    of: String,
    validator: Option<Validator>,
    have: u64,
    total: Option<u64>,
    /// The fields of the attempt under way.
    range: Vec<(HeaderName, HeaderValue)>,
    /// Whether the last answer was one to read.
    filled: bool,
    unsaved: Option<Unsaved>,
}

/// Why the body goes no further.
enum Broken {
    Off(Failed),
    Unsaved(Unsaved),
}

impl Sink {
    /// Opens the place for it before anything is sent.
    pub(crate) async fn open(target: &Path, wanted: Wanted, method: &Method, url: &Url) -> Result<Self, Unsaved> {
        let cannot = |source| Unsaved::File { path: target.to_owned(), source };
        let partial = Partial::open(target, wanted.unfinished).map_err(cannot)?;
        let hasher = wanted.digest.as_ref().map(Digest::hasher);
        let of = BASE64_STANDARD.encode(Sha256::digest(url.as_str()));
        let (method, url) = (method.clone(), redacted(url));
        let mut sink = Sink {
            partial,
            wanted,
            hasher,
            method,
            url,
            of,
            validator: None,
            have: 0,
            total: None,
            range: Vec::new(),
            filled: false,
            unsaved: None,
        };
        sink.take_up().await.map_err(cannot)?;
        Ok(sink)
    }

    /// Goes on from what an earlier download left, if it is of the same URL.
    async fn take_up(&mut self) -> io::Result<()> {
        let Some((mut have, origin)) = self.partial.left().await.filter(|(_, origin)| origin.of == self.of) else {
            return Ok(());
        };
        match origin.total {
            // Behind the end there is nothing to ask for. The last byte comes again, and with it the server's word that
            // this is still the body.
            Some(total) if have == total && total > 1 => {
                have -= 1;
                self.partial.shorten(have).await?;
            }
            // Not what was written here.
            Some(total) if have > total => return Ok(()),
            Some(_) | None => {}
        }
        self.partial.pass_over(self.hasher.as_mut()).await?;
        (self.have, self.total, self.validator) = (have, origin.total, Some(origin.validator));
        self.tell();
        Ok(())
    }

    /// What the next attempt asks for: the rest, or when there is none to ask for, nothing in particular.
    pub(crate) fn range(&mut self) -> &[(HeaderName, HeaderValue)] {
        self.range = self.resumable().map(|validator| rest(self.have, validator)).unwrap_or_default();
        &self.range
    }

    fn resumable(&self) -> Option<&Validator> {
        self.validator.as_ref().filter(|_| self.have > 0 && self.method == Method::GET)
    }

    /// Has this answer, to a request for the rest, nothing that goes on from here? Then all of it is to be asked for.
    pub(crate) fn starts_over(&mut self, answer: &reqwest::Response) -> bool {
        let Some(validator) = self.resumable() else { return false };
        let useless = match answer.status() {
            StatusCode::RANGE_NOT_SATISFIABLE => true,
            StatusCode::PARTIAL_CONTENT => {
                Part::following(answer.headers(), self.have, validator, self.total).is_none()
            }
            _ => false,
        };
        if useless {
            self.validator = None;
        }
        useless
    }

    /// Reads the body of a successful answer; of any other, nothing.
    ///
    /// A failure of the file is kept for [`Sink::finish`], and so ends the call without being a failure of the attempt.
    pub(crate) async fn fill(&mut self, answer: &mut reqwest::Response, limits: &Limits) -> Result<(), Failed> {
        self.filled = self.is_for_us(answer.status());
        if !self.filled {
            return Ok(());
        }
        match self.copy(answer, limits).await {
            Ok(()) => Ok(()),
            Err(Broken::Off(failed)) => Err(failed),
            Err(Broken::Unsaved(unsaved)) => {
                self.unsaved = Some(unsaved);
                Ok(())
            }
        }
    }

    /// Was the last answer one to read?
    pub(crate) const fn is_filled(&self) -> bool {
        self.filled
    }

    /// A part is, when it was asked for.
    fn is_for_us(&self, status: StatusCode) -> bool {
        status.is_success() && (status != StatusCode::PARTIAL_CONTENT || self.resumable().is_some())
    }

    async fn copy(&mut self, answer: &mut reqwest::Response, limits: &Limits) -> Result<(), Broken> {
        if answer.status() == StatusCode::PARTIAL_CONTENT {
            let part = self
                .resumable()
                .and_then(|validator| Part::following(answer.headers(), self.have, validator, self.total));
            self.total = part.map(|part| part.total);
        } else {
            self.begin(answer).await?;
        }
        self.check_length(self.total.unwrap_or(self.have))?;
        self.tell();
        let ended = loop {
            match next(answer, &self.method, limits, self.have).await {
                Ok(Some(piece)) => self.take(&piece).await?,
                Ok(None) => break self.whole(),
                // The end alone was missing.
                Err(_) if self.total == Some(self.have) => break Ok(()),
                Err(failed) => break Err(failed),
            }
        };
        self.partial.flush().await.map_err(|error| self.cannot_write(error))?;
        ended.map_err(Broken::Off)
    }

    async fn begin(&mut self, answer: &reqwest::Response) -> Result<(), Broken> {
        self.hasher = self.wanted.digest.as_ref().map(Digest::hasher);
        (self.have, self.total) = (0, length(answer, &self.method));
        self.validator = Validator::of(answer.headers());
        let origin = self.validator.clone().map(|validator| Origin {
            url: self.url.clone(),
            of: self.of.clone(),
            validator,
            total: self.total,
        });
        self.partial.begin(origin.as_ref()).await.map_err(|error| self.cannot_write(error))
    }

    async fn take(&mut self, piece: &[u8]) -> Result<(), Broken> {
        let have = self.have + piece.len() as u64;
        self.check_length(have)?;
        self.partial.write(piece).await.map_err(|error| self.cannot_write(error))?;
        if let Some(hasher) = &mut self.hasher {
            hasher.update(piece);
        }
        self.have = have;
        self.tell();
        Ok(())
    }

    /// A server may send less than it was asked for (RFC 9110 §15.3.7).
    fn whole(&self) -> Result<(), Failed> {
        if self.total.is_none_or(|total| total == self.have) {
            return Ok(());
        }
        Err(Failed::body(FailureKind::Truncated, self.have))
    }

    fn check_length(&self, length: u64) -> Result<(), Broken> {
        match self.wanted.at_most {
            Some(at_most) if length > at_most => Err(Broken::Unsaved(Unsaved::TooLarge(TooLarge(at_most)))),
            Some(_) | None => Ok(()),
        }
    }

    fn cannot_write(&self, source: io::Error) -> Broken {
        Broken::Unsaved(Unsaved::File { path: self.partial.target().to_owned(), source })
    }

    fn tell(&mut self) {
        if let Some(on_progress) = &mut self.wanted.on_progress {
            on_progress(Progress { bytes: self.have, total: self.total });
        }
    }

    /// There will be no file now. What a later download can go on from stays, if it is to be kept.
    pub(crate) fn give_up(self) {
        if self.resumable().is_none() {
            // What cannot be removed is in nobody's way: it has another name, and the call has failed already.
            self.partial.discard().ok();
        }
    }

    /// Puts the file in its place, if it is what it should be, and tells its length.
    pub(crate) async fn finish(self) -> Result<(PathBuf, u64), Unsaved> {
        let path = self.partial.target().to_owned();
        let cannot = |source| Unsaved::File { path: path.clone(), source };
        if let Some(unsaved) = self.unsaved {
            if let Unsaved::TooLarge(_) = unsaved {
                self.partial.discard().map_err(cannot)?;
            }
            return Err(unsaved);
        }
        let found = self.hasher.map(Hasher::finish);
        match (self.wanted.digest, found) {
            (Some(wanted), Some(found)) if wanted != found => {
                // To go on from it would bring the same again.
                self.partial.discard().map_err(cannot)?;
                Err(Unsaved::Digest { wanted, found })
            }
            _ => {
                self.partial.persist().await.map_err(cannot)?;
                Ok((path, self.have))
            }
        }
    }
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("partial", &self.partial).field("have", &self.have).finish_non_exhaustive()
    }
}

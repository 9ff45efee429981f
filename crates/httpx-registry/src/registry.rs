//! A registry, and what can be asked of it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::header::AUTHORIZATION;
use http::{HeaderValue, StatusCode};
use httpx_client::{Client, excerpt, redacted};
use semver::{Version, VersionReq};
use tokio::sync::OnceCell;
use url::{Origin, Url};

use crate::cache::{Cache, Cached, Validators};
use crate::config::Config;
use crate::error::{Error, ErrorKind};
use crate::fetch::{Access, Answer, Freshness, ask, conditional, unasked};
use crate::name::Name;
use crate::row::Row;
use crate::versions::{Skipped, Versions};

/// The file that makes a folder an index.
const CONFIG: &str = "config.json";

/// A Cargo registry. Clones are cheap and share what was fetched.
#[derive(Clone)]
pub struct Registry {
    pub(crate) shared: Arc<Shared>,
    freshness: Freshness,
}

pub(crate) struct Shared {
    pub(crate) client: Client,
    pub(crate) index: Url,
    /// Marked as sensitive, so that it is in no log of HTTP fields.
    pub(crate) token: Option<HeaderValue>,
    pub(crate) token_also_after: Vec<StatusCode>,
    pub(crate) trusted: Vec<Origin>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) cache: Cache,
    pub(crate) config: OnceCell<Config>,
}

/// A file of the index, or why it is not there.
enum File<T> {
    There(T),
    NotThere(StatusCode),
}

impl Registry {
    pub(crate) fn new(shared: Shared) -> Self {
        Registry { shared: Arc::new(shared), freshness: Freshness::Usual }
    }

    /// The same registry, asked past every cache: those on the way must check with their origin before they answer. For
    /// callers who wait until a version appears.
    #[must_use]
    pub fn fresh(&self) -> Self {
        Registry { shared: Arc::clone(&self.shared), freshness: Freshness::Checked }
    }

    /// The URL of the index, with a slash at its end.
    #[must_use]
    pub fn index(&self) -> &Url {
        &self.shared.index
    }

    /// What the registry says of itself. Fetched before anything else, and once.
    ///
    /// # Errors
    /// [`ErrorKind::NoRegistry`] when there is no `config.json`, [`ErrorKind::Unreadable`] when it is none (`dl` is
    /// missing, say), and whatever keeps a file from being fetched.
    pub async fn config(&self) -> Result<&Config, Error> {
        self.shared.config.get_or_try_init(|| self.fetch_config()).await
    }

    /// Everything the index says of the crate `name`, yanked versions included; `None` when it is not there.
    ///
    /// # Errors
    /// [`ErrorKind::Name`], [`ErrorKind::Unreadable`] when no line of its file is a version, and whatever keeps a file
    /// from being fetched.
    pub async fn versions(&self, name: &str) -> Result<Option<Versions>, Error> {
        let name = Name::parse(name)?;
        let config = self.config().await?;
        let read = |body: &[u8]| Versions::parse(name, body);
        match self.file(&name.index_path(), self.access(&self.shared.index, config), read).await? {
            File::There(versions) => Ok(Some(versions)),
            File::NotThere(_) => Ok(None),
        }
    }

    /// The row of this very version, build metadata included, yanked or not; see [`Versions::exact`].
    ///
    /// # Errors
    /// As [`Registry::versions`]; [`ErrorKind::Unreadable`] also when a line that cannot be used may be this version.
    pub async fn exact(&self, name: &str, version: &Version) -> Result<Option<Row>, Error> {
        let Some(versions) = self.versions(name).await? else { return Ok(None) };
        versions.exact(version).map(|row| row.cloned()).map_err(|hidden| self.hidden(name, version, hidden))
    }

    /// The newest version that satisfies `requirement` and is not yanked; see [`Versions::newest`].
    ///
    /// # Errors
    /// As [`Registry::versions`]; [`ErrorKind::Unreadable`] also when a line hides which version it is about.
    pub async fn newest(&self, name: &str, requirement: &VersionReq) -> Result<Option<Row>, Error> {
        let Some(versions) = self.versions(name).await? else { return Ok(None) };
        let newest = versions.newest(requirement).map(|row| row.cloned());
        newest.map_err(|hidden| self.hidden(name, "the newest version", hidden))
    }

    /// Whether `version` can no longer be published, since it was once; see [`Versions::is_taken`].
    ///
    /// # Errors
    /// As [`Registry::versions`]; [`ErrorKind::Unreadable`] also when a line that cannot be used may be this version.
    pub async fn is_taken(&self, name: &str, version: &Version) -> Result<bool, Error> {
        let Some(versions) = self.versions(name).await? else { return Ok(false) };
        versions.is_taken(version).map_err(|hidden| self.hidden(name, version, hidden))
    }

    fn hidden(&self, name: &str, version: impl fmt::Display, hidden: &Skipped) -> Error {
        let path = Name::parse(name).map_or_else(|error| error.to_string(), Name::index_path);
        self.unreadable(&path, format!("line {} may be {version}: {}", hidden.line, hidden.why))
    }

    async fn fetch_config(&self) -> Result<Config, Error> {
        let access = match &self.shared.token {
            Some(token) => Access::OnDemand(token, &self.shared.token_also_after),
            None => Access::NoToken,
        };
        let read = |body: &[u8]| {
            serde_json::from_slice(body).map_err(|error| match excerpt(body) {
                Some(began) => format!("{error}; it begins with {began:?}"),
                None => error.to_string(),
            })
        };
        match self.file(CONFIG, access, read).await? {
            File::There(config) => Ok(config),
            File::NotThere(status) => Err(ErrorKind::NoRegistry { url: redacted(&self.url(CONFIG)), status }.into()),
        }
    }

    /// How the token stands to `url`, once the configuration is known.
    pub(crate) fn access(&self, url: &Url, config: &Config) -> Access<'_> {
        let Shared { token, trusted, .. } = &*self.shared;
        match token {
            None => Access::NoToken,
            Some(_) if !trusted.contains(&url.origin()) => Access::Withheld,
            Some(token) if config.auth_required => Access::Wanted(token),
            Some(token) => Access::OnDemand(token, &[]),
        }
    }

    /// A file of the index, decoded by `read`. What is kept of it is used when the server says that it is unchanged, and
    /// only what could be decoded is kept.
    async fn file<T>(
        &self,
        path: &str,
        access: Access<'_>,
        read: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Result<File<T>, Error> {
        let Shared { client, cache, timeout, .. } = &*self.shared;
        let url = self.url(path);
        let kept = cache.get(path).await.and_then(|kept| Some((kept.validators, read(&kept.body).ok()?)));
        let validators = kept.as_ref().map(|(validators, _)| validators);
        let answer = ask(&url, access, &[StatusCode::OK], |token| {
            let request = conditional(client.get(&url), validators, self.freshness);
            let request = match token {
                Some(token) => request.header(AUTHORIZATION, token),
                None => request,
            };
            match timeout {
                Some(timeout) => request.timeout(*timeout).fetch_bytes(),
                None => request.fetch_bytes(),
            }
        });
        let answer = match answer.await? {
            Answer::There(answer) => answer,
            Answer::NotThere(status) => return Ok(File::NotThere(status)),
            Answer::Unchanged => return kept.map(|(_, value)| File::There(value)).ok_or_else(|| unasked(&url)),
        };
        let value = read(answer.body()).map_err(|told| self.unreadable(path, told))?;
        if let Some(validators) = Validators::of(answer.headers()) {
            cache.put(path, Cached { validators, body: answer.into_body() }).await;
        }
        Ok(File::There(value))
    }

    fn url(&self, path: &str) -> Url {
        self.shared.index.join(path).expect("names and `config.json` are path segments")
    }

    fn unreadable(&self, path: &str, told: String) -> Error {
        ErrorKind::Unreadable { url: redacted(&self.url(path)), told }.into()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the token, nor the password that the URL may hold.
        let index = redacted(&self.shared.index);
        f.debug_struct("Registry").field("index", &index).field("freshness", &self.freshness).finish_non_exhaustive()
    }
}

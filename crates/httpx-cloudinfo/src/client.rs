//! The three questions.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::StatusCode;
use http::header::{ETAG, IF_NONE_MATCH};
use httpx_client::{Client, excerpt, redacted};
use serde::de::DeserializeOwned;
use url::Url;

use crate::cache::{Cache, Kept};
use crate::error::{Error, ErrorKind, Refusal};
use crate::family::Families;
use crate::product::Products;
use crate::provider::Provider;
use crate::query::Query;
use crate::region::Region;

/// How long one attempt may take, as lib-cloudinfo 2.1.0 has it: the lists of regions are short, the others long.
const REGIONS_TIMEOUT: Duration = Duration::from_secs(30);
const TIMEOUT: Duration = Duration::from_secs(60);

/// A Cloudinfo server. Clones are cheap and share what was fetched.
#[derive(Clone)]
pub struct CloudInfo {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) client: Client,
    pub(crate) endpoint: Url,
    pub(crate) timeout: Option<Duration>,
    pub(crate) cache: Cache,
}

impl CloudInfo {
    pub(crate) fn new(shared: Shared) -> Self {
        CloudInfo { shared: Arc::new(shared) }
    }

    /// The regions of `provider`.
    ///
    /// # Errors
    /// [`ErrorKind::Status`], [`ErrorKind::Unreadable`] and [`ErrorKind::NoAnswer`].
    pub async fn regions(&self, provider: Provider) -> Result<Vec<Region>, Error> {
        self.get(self.url(provider, &["services", "compute", "regions"]), REGIONS_TIMEOUT).await
    }

    /// The ids of the regions of `provider`.
    ///
    /// # Errors
    /// As [`CloudInfo::regions`].
    pub async fn region_ids(&self, provider: Provider) -> Result<Vec<String>, Error> {
        Ok(self.regions(provider).await?.into_iter().map(|region| region.id).collect())
    }

    /// The instance types of `provider` in the region with this id, as far as `query` wants them.
    ///
    /// # Errors
    /// [`ErrorKind::Region`], and as [`CloudInfo::regions`]; a feature that the server does not know is a
    /// [`ErrorKind::Status`] with [`Error::valid_capabilities`].
    pub async fn products(&self, provider: Provider, region: &str, query: &Query) -> Result<Products, Error> {
        // A dot segment is no segment (RFC 3986 §5.2.4), so the URL would be another.
        if matches!(region, "" | "." | "..") {
            return Err(ErrorKind::Region(region.to_owned()).into());
        }
        let mut url = self.url(provider, &["services", "compute", "regions", region, "products"]);
        url.set_query(query.encoded().as_deref());
        self.get(url, TIMEOUT).await
    }

    /// The machine families of `provider` that have a product with all of these features; without any, all.
    ///
    /// # Errors
    /// As [`CloudInfo::products`].
    pub async fn families<T: Into<String>>(
        &self,
        provider: Provider,
        features: impl IntoIterator<Item = T>,
    ) -> Result<Vec<String>, Error> {
        let mut url = self.url(provider, &["families"]);
        url.set_query(Query::new().features(features).encoded().as_deref());
        let answer: Families = self.get(url, TIMEOUT).await?;
        Ok(answer.families)
    }

    fn url(&self, provider: Provider, path: &[&str]) -> Url {
        let mut url = self.shared.endpoint.clone();
        let mut segments = url.path_segments_mut().expect("the builder takes http and https only, which have paths");
        segments.pop_if_empty().extend(["api", "v1", "providers", provider.name()]).extend(path);
        drop(segments);
        url
    }

    /// Asks, by the `ETag` of what is kept if there is something, and decodes.
    async fn get<T: DeserializeOwned>(&self, url: Url, timeout: Duration) -> Result<T, Error> {
        let Shared { client, cache, .. } = &*self.shared;
        let kept = cache.get(url.as_str());
        let request = client.get(&url).timeout(self.shared.timeout.unwrap_or(timeout));
        let request = match &kept {
            Some(kept) => request.header(IF_NONE_MATCH, &kept.etag),
            None => request,
        };
        let answer = request.fetch_bytes().await.map_err(ErrorKind::NoAnswer)?;
        match (answer.status(), kept) {
            (StatusCode::OK, _) => {}
            (StatusCode::NOT_MODIFIED, Some(kept)) => return decode(&url, &kept.body),
            (status, _) => {
                let refusal = Refusal::read(answer.body());
                return Err(ErrorKind::Status { url: redacted(&url), status, refusal }.into());
            }
        }
        let value = decode(&url, answer.body())?;
        // Only what could be decoded is kept.
        if let Some(etag) = answer.headers().get(ETAG) {
            let kept = Kept { etag: etag.clone(), body: Bytes::clone(answer.body()) };
            cache.put(url.as_str(), kept);
        }
        Ok(value)
    }
}

fn decode<T: DeserializeOwned>(url: &Url, body: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(body).map_err(|error| {
        let told = match excerpt(body) {
            Some(began) => format!("{error}; it begins with {began:?}"),
            None => error.to_string(),
        };
        ErrorKind::Unreadable { url: redacted(url), told }.into()
    })
}

impl fmt::Debug for CloudInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URL as it is may hold a password.
        f.debug_struct("CloudInfo").field("endpoint", &redacted(&self.shared.endpoint)).finish_non_exhaustive()
    }
}

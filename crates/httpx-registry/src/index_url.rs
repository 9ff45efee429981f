//! The URL of an index, as cargo writes it.

use httpx_client::redacted_text;
use url::Url;

use crate::error::{Error, ErrorKind};

/// Reads `sparse+https://host/index` or the same without `sparse+`; what comes out ends with a slash, so that files of the
/// index can be joined to it.
pub(crate) fn parse(given: &str) -> Result<Url, Error> {
    let wrong = |told: String| Error::from(ErrorKind::IndexUrl { given: redacted_text(given), told });
    let text = given.trim();
    let mut url = Url::parse(text.strip_prefix("sparse+").unwrap_or(text)).map_err(|error| wrong(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(format!("{:?} is neither http nor https", url.scheme())));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("files cannot be joined to a query or fragment".to_owned()));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

//! The URL of an index, as cargo writes it.

use url::Url;

use crate::error::{Error, ErrorKind};

/// Reads `sparse+https://host/index` or the same without `sparse+`; what comes out ends with a slash, so that files of the
/// index can be joined to it.
pub(crate) fn parse(given: &str) -> Result<Url, Error> {
    let wrong = |told: String| Error::from(ErrorKind::IndexUrl { given: told_of(given), told });
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

/// What may be told of a text that may hold a password.
fn told_of(given: &str) -> String {
    let told = given.split(['?', '#']).next().unwrap_or_default();
    told.rsplit_once('@').map_or(told.to_owned(), |(_, place)| format!("...@{place}"))
}

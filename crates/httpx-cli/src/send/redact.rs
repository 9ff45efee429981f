//! What may be shown of a URL.

use url::Url;

/// Without user name, password, query and fragment, as in the client's own errors; `None` when it is not a URL.
pub(super) fn redacted(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok().filter(Url::has_host)?;
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    url.set_fragment(None);
    if url.query().is_some() {
        url.set_query(Some("..."));
    }
    Some(url.into())
}

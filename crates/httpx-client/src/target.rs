//! What can be given as the URL of a request.

use http::Method;
use httpx_retry::FailureKind;
use url::Url;

use crate::error::{Error, redacted, redacted_text};
use crate::redirect::is_http;

/// The longest URL that can be sent (http 1.5.0 `uri/mod.rs`: `MAX_LEN`).
pub(crate) const MAX_URL: usize = u16::MAX as usize - 1;

/// A URL, or a text that should be one. A parsed URL is taken as it is and not parsed again.
pub trait IntoUrl: sealed::Sealed {
    #[doc(hidden)]
    fn into_url(self, method: &Method) -> Result<Url, Error>;
}

impl IntoUrl for Url {
    #[inline]
    fn into_url(self, method: &Method) -> Result<Url, Error> {
        if is_http(&self) {
            return Ok(self);
        }
        let told = "a URL to ask starts with http:// or https://".to_owned();
        Err(Error::unbuilt(FailureKind::UnsupportedScheme, method, redacted(&self), told))
    }
}

impl IntoUrl for &str {
    fn into_url(self, method: &Method) -> Result<Url, Error> {
        let wrong = |error| {
            let told = format!("{error}; a URL is like http://host/path");
            Error::unbuilt(FailureKind::Builder, method, redacted_text(self), told)
        };
        Url::parse(self).map_err(wrong)?.into_url(method)
    }
}

impl IntoUrl for &Url {
    fn into_url(self, method: &Method) -> Result<Url, Error> {
        self.clone().into_url(method)
    }
}

impl IntoUrl for String {
    fn into_url(self, method: &Method) -> Result<Url, Error> {
        self.as_str().into_url(method)
    }
}

impl IntoUrl for &String {
    fn into_url(self, method: &Method) -> Result<Url, Error> {
        self.as_str().into_url(method)
    }
}

/// Nobody else makes URLs for us.
mod sealed {
    pub trait Sealed {}
    impl Sealed for url::Url {}
    impl Sealed for &url::Url {}
    impl Sealed for &str {}
    impl Sealed for String {}
    impl Sealed for &String {}
}

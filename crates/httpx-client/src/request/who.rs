//! Who is asking in one request.

use http::HeaderValue;
use http::header::AUTHORIZATION;
use percent_encoding::percent_decode_str;
use url::Url;

use super::RequestBuilder;
use crate::call::Who;
use crate::credentials::{Credentials, CredentialsError};
use crate::parts::Fields;

impl RequestBuilder {
    /// Sends this request without the client's credentials.
    pub fn no_auth(self) -> Self {
        self.otherwise(|overrides| overrides.who = Who::Nobody)
    }

    /// A user name and a password for this request, instead of the client's credentials.
    pub fn basic_auth(self, user: &str, password: &str) -> Self {
        self.credentials(Credentials::basic(user, password))
    }

    /// A token for this request, instead of the client's credentials.
    pub fn bearer_auth(self, token: &str) -> Self {
        self.credentials(Credentials::bearer(token))
    }

    pub(crate) fn credentials(self, credentials: Result<Credentials, CredentialsError>) -> Self {
        match credentials {
            Ok(credentials) => self.with(|parts| push(&mut parts.headers, AUTHORIZATION, credentials.value().clone())),
            Err(mistake) => self.failed(|| mistake.to_string()),
        }
    }
}

/// Adds a field; a second `Authorization` replaces the first, since no request may carry two (RFC 9110 §5.3, §11.6.2).
#[inline]
pub(super) fn push(fields: &mut Fields, name: http::HeaderName, mut value: HeaderValue) {
    if name == AUTHORIZATION {
        value.set_sensitive(true);
        fields.retain(|(earlier, _)| *earlier != AUTHORIZATION);
    }
    fields.push((name, value));
}

/// Takes user name and password out of a URL, where they would be told to whoever is told the URL.
pub(super) fn user_of(url: &mut Url) -> Option<Result<Credentials, CredentialsError>> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let (user, password) = (decoded(url.username()), decoded(url.password().unwrap_or_default()));
    // Both fail only for URLs without a host, which have no user either.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    Some(Credentials::basic(&user, &password))
}

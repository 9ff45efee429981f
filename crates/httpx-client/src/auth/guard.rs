//! The credentials of one call, put on each request it sends.

use http::HeaderMap;
use http::header::AUTHORIZATION;
use url::Url;

use super::{Auth, Kind};

/// Where a request goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) url: &'a Url,
    /// No redirect has led away from the origin that the caller named.
    pub(crate) at_home: bool,
}

/// What one call shows, and to whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a> {
    auth: &'a Auth,
}

impl<'a> Guard<'a> {
    pub(crate) const fn new(auth: &'a Auth) -> Self {
        Guard { auth }
    }

    /// Puts credentials on a request to `place`, or none: never beside another `Authorization`.
    pub(crate) fn authorize(&self, headers: &mut HeaderMap, place: Place<'_>) {
        if !place.at_home || !self.auth.origins.has(place.url) {
            return;
        }
        match &self.auth.kind {
            Kind::None => {}
            Kind::Fixed(_, credentials) => {
                headers.insert(AUTHORIZATION, credentials.value().clone());
            }
        }
    }
}

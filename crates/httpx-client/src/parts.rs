//! What every request of a call is built from.

use http::header::PROXY_AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use smallvec::SmallVec;
use url::Url;

use crate::auth::Found;
use crate::body::Body;
use crate::proxies::Proxies;
use crate::redirect::Hop;

/// Header fields in the order they were given; few requests have more than fit in place.
pub(crate) type Fields = SmallVec<[(HeaderName, HeaderValue); 4]>;

/// What every attempt is built from. Kept apart from any `reqwest::Request`, which costs more to clone than to build.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Fields,
    pub(crate) body: Body,
    pub(crate) version: Version,
    /// What its calls have found out about credentials.
    pub(crate) found: Found,
}

/// How many fields reqwest and hyper add.
const FIELDS_ADDED: usize = 3;

/// How many fields a map has room for from its first one on. With room for all of them it never grows.
const FIELDS_AT_FIRST: usize = 6;

impl Parts {
    pub(crate) fn has(&self, name: &HeaderName) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    pub(crate) fn hop(&self, range: &[(HeaderName, HeaderValue)], proxies: Option<&Proxies>) -> Hop {
        let mut headers = HeaderMap::new();
        self.fill(&mut headers, range, proxies);
        Hop { method: self.method.clone(), url: self.url.clone(), headers, carries_body: true, at_home: true }
    }

    pub(crate) fn fill(&self, map: &mut HeaderMap, range: &[(HeaderName, HeaderValue)], proxies: Option<&Proxies>) {
        let fields = self.headers.len() + range.len() + FIELDS_ADDED;
        if fields > FIELDS_AT_FIRST {
            map.reserve(fields);
        }
        for (name, value) in &self.headers {
            if *name == PROXY_AUTHORIZATION && !self.is_handed_to_proxy(proxies) {
                tracing::warn!(
                    "the field Proxy-Authorization is left out: no proxy would take it, and the server would see it"
                );
                continue;
            }
            map.append(name, value.clone());
        }
        for (name, value) in range {
            map.append(name, value.clone());
        }
    }

    /// Does a proxy get the request itself, to take out what is meant for it (RFC 9110 §11.7.2)? Through a tunnel it goes
    /// on to the server as it is.
    fn is_handed_to_proxy(&self, proxies: Option<&Proxies>) -> bool {
        self.url.scheme() == "http" && proxies.and_then(|proxies| proxies.of(&self.url)).is_some()
    }
}

//! A request that was built with reqwest.

use std::sync::Arc;

use super::{RequestBuilder, who};
use crate::body::Body;
use crate::shared::Shared;

impl RequestBuilder {
    /// Takes over all that reqwest lets out of its request. The URL is copied: it cannot be taken out.
    pub(crate) fn adopting(shared: Arc<Shared>, mut request: reqwest::Request) -> Self {
        let timeout = request.timeout().copied();
        let adopted = RequestBuilder::new(shared, request.method().clone(), request.url()).with(|parts| {
            let mut last = None;
            for (name, value) in request.headers_mut().drain() {
                // A map names a field once, before the first of its values.
                last = name.or(last);
                let name = last.clone().expect("the first field of a map has a name");
                who::push(&mut parts.headers, name, value);
            }
            parts.version = request.version();
            parts.body = request.body_mut().take().map(Body::from).unwrap_or_default();
        });
        match timeout {
            None => adopted,
            Some(timeout) => adopted.timeout(timeout),
        }
    }
}

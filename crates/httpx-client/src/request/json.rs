//! JSON, there and back.

use bytes::Bytes;
use httpx_retry::{FailureKind, Phase};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use super::RequestBuilder;
use crate::error::{Error, ErrorKind};
use crate::response::Response;

impl RequestBuilder {
    /// `value` as JSON, with its `Content-Type` unless one is set.
    pub fn json<T: Serialize + ?Sized>(self, value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(json) => self.typed("application/json", json),
            Err(error) => self.failed(|| format!("JSON body: {error}")),
        }
    }

    /// [`RequestBuilder::fetch_bytes`] decoded from JSON.
    ///
    /// # Errors
    /// As [`RequestBuilder::fetch_bytes`]; [`ErrorKind::Status`](crate::ErrorKind::Status) when the status is not 2xx;
    /// [`FailureKind::Decode`] when the body is not that JSON, which is never retried.
    pub async fn fetch_json<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        decode_json(self.fetch_bytes().await?)
    }
}

fn decode_json<T: DeserializeOwned>(response: Response<Bytes>) -> Result<Response<T>, Error> {
    let status = response.status();
    if !status.is_success() {
        return Err(response.into_error(ErrorKind::Status(status), Phase::Answer));
    }
    match serde_json::from_slice(response.body()) {
        Ok(body) => Ok(response.with_body(body)),
        Err(error) => {
            let received = response.body().len() as u64;
            let failed = response.into_error(ErrorKind::Failure(FailureKind::Decode), Phase::Body);
            Err(failed.with_received(received).with_source(undecoded(&error)))
        }
    }
}

/// What may be told of a body that is not the JSON it should be: where, and what is missing. serde's own words quote the
/// body, and that may be a secret.
fn undecoded(error: &serde_json::Error) -> String {
    let told = error.to_string();
    let what = match error.classify() {
        Category::Data if told.starts_with("missing field") => told.split(" at line").next().unwrap_or_default(),
        Category::Data => "another type of value was expected",
        Category::Syntax | Category::Io => "not JSON",
        Category::Eof => "the JSON ends too soon",
    };
    format!("{what}, at line {} column {}", error.line(), error.column())
}

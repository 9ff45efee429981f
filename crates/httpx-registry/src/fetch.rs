//! One request to a registry: what goes along, and what its answer means.

use http::header::{CACHE_CONTROL, IF_MODIFIED_SINCE, IF_NONE_MATCH};
use http::{HeaderValue, StatusCode};
use httpx_client::{RequestBuilder, Response, redacted};
use url::Url;

use crate::cache::Validators;
use crate::challenge::login_url;
use crate::error::{Error, ErrorKind};

/// The only answers there are; everything else is an error.
#[derive(Debug)]
pub(crate) enum Answer<B> {
    /// The body is it.
    There(Box<Response<B>>),
    /// 304: it is what the validators say.
    Unchanged,
    /// 404, 410 or 451.
    NotThere(StatusCode),
}

/// What is known of the token before a request is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Access<'a> {
    /// None is set.
    NoToken,
    /// One is set, and this origin must not see it.
    Withheld,
    /// It goes along only after the bare answer was 401, or one of these.
    OnDemand(&'a HeaderValue, &'a [StatusCode]),
    /// The registry is known to want it.
    Wanted(&'a HeaderValue),
}

/// Asks without the token first unless it is known to be wanted, and at most once with it. `there` are the statuses that
/// bring what was asked for. What `send` returns for another may be a response or an error, as a download does.
pub(crate) async fn ask<B, F>(
    url: &Url,
    access: Access<'_>,
    there: &[StatusCode],
    send: impl Fn(Option<&HeaderValue>) -> F,
) -> Result<Answer<B>, Error>
where
    F: Future<Output = Result<Response<B>, httpx_client::Error>>,
{
    let token = match access {
        Access::NoToken | Access::Withheld => None,
        Access::Wanted(token) => Some(token),
        Access::OnDemand(token, also_after) => {
            let answer = send(None).await;
            let refused = |status: StatusCode| status == StatusCode::UNAUTHORIZED || also_after.contains(&status);
            if !status(&answer).is_some_and(refused) {
                return read(url, access, there, answer);
            }
            Some(token)
        }
    };
    read(url, token.map_or(access, Access::Wanted), there, send(token).await)
}

fn status<B>(answer: &Result<Response<B>, httpx_client::Error>) -> Option<StatusCode> {
    match answer {
        Ok(answer) => Some(answer.status()),
        Err(error) => error.status(),
    }
}

fn read<B>(
    url: &Url,
    access: Access<'_>,
    there: &[StatusCode],
    answer: Result<Response<B>, httpx_client::Error>,
) -> Result<Answer<B>, Error> {
    let (status, login_url) = match answer {
        Ok(answer) if there.contains(&answer.status()) => return Ok(Answer::There(Box::new(answer))),
        Ok(answer) => (answer.status(), login_url(answer.headers())),
        Err(error) => match error.status() {
            Some(status) => (status, None),
            None => return Err(ErrorKind::NoAnswer(error).into()),
        },
    };
    let url = redacted(url);
    Err(match (status, access) {
        (StatusCode::NOT_MODIFIED, _) => return Ok(Answer::Unchanged),
        (StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS, _) => {
            return Ok(Answer::NotThere(status));
        }
        (StatusCode::UNAUTHORIZED, Access::NoToken) => ErrorKind::TokenWanted { url, login_url },
        (StatusCode::UNAUTHORIZED, Access::Withheld) => ErrorKind::TokenWithheld { url },
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, Access::Wanted(_)) => {
            ErrorKind::TokenRefused { url, status, login_url }
        }
        (_, _) => ErrorKind::Status { url, status },
    }
    .into())
}

/// Whether the caches on the way may answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Freshness {
    /// As the origin allows them to.
    Usual,
    /// Only after asking the origin (RFC 9111 §5.2.1.4).
    Checked,
}

/// Adds what asks for a file only if it changed, and whom to believe.
pub(crate) fn conditional(request: RequestBuilder, kept: Option<&Validators>, freshness: Freshness) -> RequestBuilder {
    let request = match freshness {
        Freshness::Usual => request,
        Freshness::Checked => request.header(CACHE_CONTROL, "no-cache"),
    };
    // A server that understands the first ignores the second (RFC 9110 §13.1.3), so one is enough.
    match kept {
        Some(Validators { etag: Some(etag), .. }) => request.header(IF_NONE_MATCH, etag.as_str()),
        Some(Validators { last_modified: Some(date), .. }) => request.header(IF_MODIFIED_SINCE, date.as_str()),
        Some(Validators { etag: None, last_modified: None }) | None => request,
    }
}

/// A server that says 304 of what it was not asked for so.
pub(crate) fn unasked(url: &Url) -> Error {
    ErrorKind::Status { url: redacted(url), status: StatusCode::NOT_MODIFIED }.into()
}

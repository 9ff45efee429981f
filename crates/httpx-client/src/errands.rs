//! Errands of credentials, run over the client's own connections.

use std::sync::Arc;

use bytes::BytesMut;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use http::Method;
use httpx_retry::{Outcome, Policy, Reason, Rule, Sent, Verdict};

use crate::auth::{Brought, Errand, Errands, What};
use crate::budgets::Budgets;
use crate::error::Error;
use crate::rates::Rates;
use crate::request::RequestBuilder;
use crate::shared::Shared;

/// The most that is read of an answer: tokens are short, and a realm may be anybody's.
const BODY_CAP: usize = 256 * 1024;

/// Runs errands with what a client is made of, but for its credentials, redirects and callbacks.
#[derive(Debug)]
pub(crate) struct Runner(Arc<Shared>);

impl Runner {
    /// Over the connections of `client`, and with its settings.
    pub(crate) fn beside(client: &Shared) -> Self {
        Runner(Arc::new(Shared {
            http: client.http.clone(),
            keeper: None,
            proxies: client.proxies.clone(),
            policy: client.policy.clone(),
            timeout: client.timeout,
            read_timeout: client.read_timeout,
            max_redirects: 0,
            max_body: client.max_body,
            observing: client.observing,
            budgets: Budgets::default(),
            fleet: None,
            rates: Rates::default(),
            on_retry: None,
            config: client.config.clone(),
        }))
    }

    async fn answer(&self, errand: Errand) -> Result<Brought, Error> {
        let Errand { url, what, timeout, limit } = errand;
        let policy = self.0.policy.clone().with_deadline(limit);
        let request =
            |method| RequestBuilder::new(Arc::clone(&self.0), method, url).header("accept", "application/json");
        let request = match what {
            What::Form(form) => request(Method::POST).encoded_form(form).policy(once_sent(policy)),
            What::Get(None) => request(Method::GET).policy(policy),
            What::Get(Some(by)) => request(Method::GET).credentials(Ok(by)).policy(policy),
        };
        let mut answer = request.timeout(timeout).send().await?;
        let mut body = BytesMut::new();
        while let Some(piece) = answer.chunk().await? {
            let room = BODY_CAP - body.len();
            body.extend_from_slice(&piece[..piece.len().min(room)]);
            if body.len() == BODY_CAP {
                break;
            }
        }
        Ok(Brought { status: answer.status(), headers: answer.headers().clone(), body: body.freeze() })
    }
}

impl Errands for Runner {
    fn run(&self, errand: Errand) -> BoxFuture<'_, Result<Brought, Error>> {
        self.answer(errand).boxed()
    }
}

/// `policy`, but what may have been sent is not sent again: not for a failure, nor as a race, only for an answer that asks
/// for it.
fn once_sent(policy: Policy) -> Policy {
    let own = policy.clone();
    policy.without_hedging().with_rule(Rule::new("only what was not sent", move |attempt| match attempt.outcome {
        Outcome::Failure(_) if attempt.sent == Sent::Maybe => Verdict::Stop(Reason::NotIdempotent),
        Outcome::Failure(_) | Outcome::Answer { .. } => own.verdict(attempt),
    }))
}

//! How tokens are renewed: one at a time for each session, in this process and in all that share its store.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use url::form_urlencoded;

use super::errand::{Errand, Errands, What};
use super::grant::{self, Grant};
use super::refresh::Refresh;
use super::session::{Renewal, Session};
use super::store::Lease;
use super::tokens::Tokens;
use crate::secret::Secret;
use crate::store_error::StoreError;
use crate::trace::AuthStep;

/// How often the store is asked whether another process has finished its renewal.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// How much longer than the renewal itself its lease lasts.
const LEASE_MARGIN: Duration = Duration::from_secs(1);

/// Begins a renewal in a task of its own: it ends even when every call that waits for it is given up.
pub(crate) fn start(refresh: Arc<Refresh>, errands: Arc<dyn Errands>, session: Session) -> Renewal {
    let task = tokio::spawn(async move {
        let seen = session.tokens();
        match renew(&refresh, &*errands, session.id(), &seen).await {
            Ok(Renewed::Ours(tokens)) => {
                session.renewed(tokens, refresh.ahead);
                AuthStep::Renewed
            }
            Ok(Renewed::Theirs(tokens)) => {
                session.renewed(tokens, refresh.ahead);
                AuthStep::Overtaken
            }
            Ok(Renewed::Refused) => {
                session.kept(seen.refresh().cloned());
                AuthStep::Refused
            }
            Ok(Renewed::Not) => {
                session.kept(None);
                AuthStep::NotRenewed
            }
            Err(error) => {
                tracing::warn!(%error, "the access token is not renewed: without the store another process may be at it");
                session.kept(None);
                AuthStep::StoreUnreachable
            }
        }
    });
    task.map(|ended| ended.unwrap_or(AuthStep::NotRenewed)).boxed().shared()
}

/// What a renewal has come to.
enum Renewed {
    Ours(Tokens),
    Theirs(Tokens),
    Refused,
    Not,
}

/// Whose turn it is to renew.
enum Turn {
    Ours(Lease),
    /// Nobody's: it has been done.
    Over(Tokens),
}

async fn renew(refresh: &Refresh, errands: &dyn Errands, id: &str, seen: &Tokens) -> Result<Renewed, StoreError> {
    let Some(token) = seen.refresh() else { return Ok(Renewed::Not) };
    // As long as the lease of one that has died, and once more to ask for it.
    let patience = lease_time(refresh).saturating_add(2 * LOOK_AGAIN);
    let lease = match tokio::time::timeout(patience, turn(refresh, id, seen)).await {
        Ok(turn) => match turn? {
            Turn::Ours(lease) => lease,
            Turn::Over(tokens) => return Ok(Renewed::Theirs(tokens)),
        },
        Err(_) => return Ok(Renewed::Not),
    };
    let outcome = match ask(refresh, errands, token, seen).await {
        Grant::Renewed(tokens) => keep(refresh, id, tokens).await,
        Grant::Refused => Renewed::Refused,
        Grant::Unclear(why) => {
            tracing::warn!("the access token is not renewed: the token endpoint did not answer as it should, {why}");
            Renewed::Not
        }
    };
    // A store that cannot be told lets the lease expire.
    let _ = refresh.store.release(id, lease).await;
    Ok(outcome)
}

/// Waits for the right to renew, or for somebody else's renewal.
async fn turn(refresh: &Refresh, id: &str, seen: &Tokens) -> Result<Turn, StoreError> {
    let store = &refresh.store;
    loop {
        let lease = store.lease(id, lease_time(refresh)).await?;
        // Asked after the lease: its last holder has put what it got before it gave the lease back.
        if let Some(held) = store.get(id).await?.filter(|held| held.version() > seen.version()) {
            if let Some(lease) = lease {
                let _ = store.release(id, lease).await;
            }
            return Ok(Turn::Over(held));
        }
        match lease {
            Some(lease) => return Ok(Turn::Ours(lease)),
            None => tokio::time::sleep(LOOK_AGAIN).await,
        }
    }
}

fn lease_time(refresh: &Refresh) -> Duration {
    refresh.limit.saturating_add(LEASE_MARGIN)
}

/// Shows the refresh token to the endpoint.
async fn ask(refresh: &Refresh, errands: &dyn Errands, token: &Secret, seen: &Tokens) -> Grant {
    let errand = Errand {
        url: refresh.url.clone(),
        what: What::Form(form(token)),
        timeout: refresh.timeout,
        limit: refresh.limit,
    };
    match errands.run(errand).await {
        Ok(answer) => grant::read(&answer, seen, &refresh.url, refresh.accept, refresh.cookies),
        Err(error) => {
            tracing::warn!(%error, "the token endpoint did not answer");
            Grant::Unclear("no answer came")
        }
    }
}

/// RFC 6749 §6.
fn form(token: &Secret) -> String {
    let pairs = [("grant_type", "refresh_token"), ("refresh_token", token.expose())];
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

/// Keeps what came. Tokens that the store refuses are late: those that it has are in use already.
async fn keep(refresh: &Refresh, id: &str, tokens: Tokens) -> Renewed {
    match refresh.store.put(id, tokens.clone()).await {
        Ok(held) if held == tokens => Renewed::Ours(tokens),
        Ok(held) => Renewed::Theirs(held),
        Err(error) => {
            tracing::warn!(%error, "the renewed token is known to this process only");
            Renewed::Ours(tokens)
        }
    }
}

//! The credentials of one call, put on each request it sends.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::time::{Instant, timeout_at};
use url::{Origin, Url};

use super::challenges::{Asked, Challenges, Tried};
use super::refresh::Refresh;
use super::session::{Renewal, Session, Turn};
use super::tokens::Tokens;
use super::{Keeper, Kind, renewal};
use crate::credentials::Credentials;
use crate::limits::Limits;
use crate::trace::AuthStep;

/// How often a request is sent again within one attempt because it was answered 401.
const MOST_ROUNDS: u32 = 2;

/// Where a request goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) url: &'a Url,
    /// No redirect has led away from the origin that the caller named.
    pub(crate) at_home: bool,
}

/// What one call shows, and to whom. A call whose request brings an `Authorization` of its own has none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard<'a> {
    keeper: &'a Keeper,
    session: Option<&'a Session>,
    found: &'a Found,
}

/// What a call finds out about credentials, and keeps from one attempt to the next.
#[derive(Debug, Default)]
pub(crate) struct Found(Mutex<Findings>);

#[derive(Debug, Default)]
struct Findings {
    /// What was done last.
    step: Option<AuthStep>,
    /// What answered the challenges of an origin. Few calls meet more than one.
    answers: Vec<Answered>,
}

#[derive(Debug)]
struct Answered {
    origin: Origin,
    /// What was shown at home is nobody's to show there who comes back from elsewhere.
    at_home: bool,
    credentials: Credentials,
}

impl Answered {
    fn is_for(&self, place: Place<'_>) -> bool {
        self.at_home == place.at_home && self.origin == place.url.origin()
    }
}

/// One attempt under a guard: what has been shown and tried so far.
#[derive(Debug)]
pub(crate) struct Visit<'a> {
    guard: Guard<'a>,
    again: u32,
    /// A token that was renewed for this attempt and refused is not renewed again.
    renewed: bool,
    tried: Tried,
}

/// The call's deadline passed while it waited for credentials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overdue;

impl<'a> Guard<'a> {
    /// `session` speaks instead of the client's own.
    pub(crate) const fn new(keeper: &'a Keeper, session: Option<&'a Session>, found: &'a Found) -> Self {
        Guard { keeper, session, found }
    }

    /// What was done about credentials since this was last asked.
    pub(crate) fn take_step(&self) -> Option<AuthStep> {
        self.findings().step.take()
    }

    fn is_meant(&self, place: Place<'_>) -> bool {
        place.at_home && self.keeper.auth.origins.has(place.url)
    }

    /// The access token at hand, renewed when it is about to expire.
    async fn of_session(
        &self,
        refresh: &Arc<Refresh>,
        session: &Session,
        limits: &mut Limits,
    ) -> Result<Credentials, Overdue> {
        if let Err(error) = waiting(limits, session.settle(&*refresh.store)).await? {
            tracing::warn!(%error, "the call goes on with the token at hand");
            self.did(AuthStep::StoreUnreachable);
        }
        let tokens = session.tokens();
        if tokens.is_due(refresh.ahead)
            && session.may_try_ahead()
            && let Turn::Wait(renewal) = session.turn(tokens.access(), || self.begin(refresh, session))
        {
            self.did(waiting(limits, renewal).await?);
        }
        Ok(session.tokens().credentials())
    }

    async fn renew(
        &self,
        refresh: &Arc<Refresh>,
        session: &Session,
        refused: &Credentials,
        limits: &mut Limits,
    ) -> Result<AuthStep, Overdue> {
        let tokens = session.tokens();
        let is_another = |tokens: &Tokens| *refused != tokens.credentials();
        let mut step = if is_another(&tokens) {
            AuthStep::Overtaken
        } else {
            match session.turn(tokens.access(), || self.begin(refresh, session)) {
                Turn::Known(step) => step,
                Turn::Wait(renewal) => waiting(limits, renewal).await?,
            }
        };
        if matches!(step, AuthStep::Refused | AuthStep::Unrenewable) {
            waiting(limits, session.catch_up(refresh)).await?;
        }
        // Whoever has logged in again meanwhile, or was faster with the refresh token, did what could not be done here.
        if step != AuthStep::Renewed && is_another(&session.tokens()) {
            step = AuthStep::Overtaken;
        }
        self.did(step);
        Ok(step)
    }

    fn begin(&self, refresh: &Arc<Refresh>, session: &Session) -> Renewal {
        renewal::start(Arc::clone(refresh), Arc::clone(&self.keeper.errands), session.clone())
    }

    async fn answer(
        &self,
        challenges: &Challenges,
        headers: &HeaderMap,
        place: Place<'_>,
        tried: &mut Tried,
        limits: &mut Limits,
    ) -> Result<bool, Overdue> {
        if !self.keeper.auth.origins.has(place.url) {
            return Ok(false);
        }
        let asked = Asked { url: place.url, at_home: place.at_home };
        let found = challenges.credentials(&self.keeper.errands, headers, asked, tried);
        let found = waiting(limits, found).await?;
        self.did(if found.is_some() { AuthStep::Answered } else { AuthStep::Unanswered });
        let is_found = found.is_some();
        let (origin, at_home) = (place.url.origin(), place.at_home);
        let mut findings = self.findings();
        findings.answers.retain(|earlier| !earlier.is_for(place));
        findings.answers.extend(found.map(|credentials| Answered { origin, at_home, credentials }));
        Ok(is_found)
    }

    fn did(&self, step: AuthStep) {
        self.findings().step = Some(step);
    }

    /// What has answered the challenges of this place in this call.
    fn answered(&self, place: Place<'_>) -> Option<Credentials> {
        self.findings().answers.iter().find(|earlier| earlier.is_for(place)).map(|earlier| earlier.credentials.clone())
    }

    fn findings(&self) -> MutexGuard<'_, Findings> {
        self.found.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'a> Visit<'a> {
    pub(crate) fn new(guard: Guard<'a>) -> Self {
        Visit { guard, again: 0, renewed: false, tried: Tried::default() }
    }

    /// The `Authorization` of a request to `place`, if it is to have one. It has no other: see [`Guard`].
    pub(crate) async fn credentials(
        &mut self,
        place: Place<'_>,
        limits: &mut Limits,
    ) -> Result<Option<HeaderValue>, Overdue> {
        let guard = self.guard;
        let credentials = match &guard.keeper.auth.kind {
            Kind::Challenges(_) => guard.answered(place),
            Kind::Fixed(_, credentials) if guard.is_meant(place) => Some(credentials.clone()),
            Kind::Refreshing(refresh, own) if guard.is_meant(place) => match guard.session.or(own.as_ref()) {
                // Boxed, so that calls without sessions do not carry the room for this.
                Some(session) => Some(Box::pin(guard.of_session(refresh, session, limits)).await?),
                None => None,
            },
            Kind::None | Kind::Fixed(..) | Kind::Refreshing(..) => None,
        };
        let shown = credentials.as_ref().map(|credentials| credentials.value().clone());
        self.tried.refused = credentials;
        Ok(shown)
    }

    /// Whether the request that was answered so is worth sending again, with other credentials.
    pub(crate) async fn has_others(
        &mut self,
        answer: &reqwest::Response,
        place: Place<'_>,
        limits: &mut Limits,
    ) -> Result<bool, Overdue> {
        if answer.status() != StatusCode::UNAUTHORIZED || self.again == MOST_ROUNDS {
            return Ok(false);
        }
        // An adopted client may have followed a redirect by itself: then this is another server's 401.
        if answer.url().origin() != place.url.origin() {
            return Ok(false);
        }
        self.again += 1;
        let guard = self.guard;
        match &guard.keeper.auth.kind {
            Kind::None | Kind::Fixed(..) => Ok(false),
            Kind::Challenges(challenges) => {
                Box::pin(guard.answer(challenges, answer.headers(), place, &mut self.tried, limits)).await
            }
            Kind::Refreshing(refresh, own) => match (guard.session.or(own.as_ref()), &self.tried.refused) {
                (Some(session), Some(refused)) if !self.renewed => {
                    let step = Box::pin(guard.renew(refresh, session, refused, limits)).await?;
                    self.renewed = step == AuthStep::Renewed;
                    Ok(matches!(step, AuthStep::Renewed | AuthStep::Overtaken))
                }
                // Where nothing was shown nothing was refused: this is another server's 401.
                (Some(_) | None, _) => Ok(false),
            },
        }
    }
}

/// Waits for credentials until the call's deadline; the attempt's own time stands still meanwhile.
async fn waiting<T>(limits: &mut Limits, future: impl Future<Output = T>) -> Result<T, Overdue> {
    let began = Instant::now();
    let value = match limits.deadline {
        Some(deadline) => timeout_at(deadline, future).await.map_err(|_| Overdue)?,
        None => future.await,
    };
    let waited = began.elapsed();
    limits.attempt = limits.attempt.and_then(|at| at.checked_add(waited));
    Ok(value)
}

//! One cell: one call, under one policy, through one fault.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Method;
use httpx_client::{Attempts, Client, Config, Error, Limit, Response};
use httpx_retry::{Patience, Preset};

use super::faults::{Connecting, Row};
use super::record::Record;
use super::stage::Stage;

/// The wait before the first retry: short, so that a survey is.
pub(super) const DELAY: Duration = Duration::from_millis(10);

/// The longest wait: as long as the `Retry-After` in the survey, so that it is honoured.
pub(super) const MAX_DELAY: Duration = Duration::from_secs(1);

/// Long enough for a server to close a connection that it was going to close, and for the client to see it.
const IDLE: Duration = Duration::from_millis(150);

/// What is to be measured.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub(super) policy: &'static Preset,
    pub(super) row: Arc<Row>,
    pub(super) method: Method,
    pub(super) timeout: Duration,
    /// All settings of the client.
    pub(super) config: Config,
}

/// Which of our limits stands for that of the client whose policy it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stands {
    /// That of an attempt.
    Request,
    /// That of silence.
    Read,
    /// That of the whole call.
    Call,
}

/// The settings of a survey: `preset` with short waits, so that it is over soon.
pub(super) fn hurried(preset: &Preset, row: &Row, timeout: Duration, stands: Stands) -> Config {
    let limit = |of: Stands| (of == stands).then_some(Limit::After(timeout));
    Config {
        policy: Some(preset.name.to_owned()),
        timeout: limit(Stands::Request),
        read_timeout: limit(Stands::Read),
        deadline: limit(Stands::Call),
        connect_timeout: Some(match row.connecting {
            Connecting::Limited => Limit::After(connect_timeout(timeout)),
            Connecting::Unlimited => Limit::Off,
        }),
        // Where every wait is compared with the timeout, a shorter one would decide.
        delay: match preset.policy().patience() {
            Patience::WithinTimeout => None,
            Patience::Endless | Patience::HintWithinTimeout => Some(DELAY),
        },
        max_delay: Some(MAX_DELAY),
        jitter: Some(0.0),
        ..Config::default()
    }
}

/// Less than the timeout of the attempt, so that either can be seen to elapse.
pub(super) fn connect_timeout(timeout: Duration) -> Duration {
    timeout * 2 / 3
}

impl Cell {
    /// Starts a server, makes one call, and asks the server what it saw of it.
    pub(super) async fn measure(&self) -> io::Result<Record> {
        let stage = Stage::open(&self.row).await?;
        let client = stage.reached_by(self.config.clone().into())?.build().map_err(io::Error::other)?;
        let url = stage.url();
        if self.row.wants_used_connection() {
            self.use_connection(&client, &url).await?;
        }
        let before = stage.contacts();
        let started = Instant::now();
        let ended = self.call(&client, &url).await;
        let wall = started.elapsed();
        let contacts = stage.contacts() - before;
        self.record(&client, &ended, wall, contacts, stage.applied(OPERATION))
    }

    /// One good request, so that the next one finds a connection in the pool.
    async fn use_connection(&self, client: &Client, url: &str) -> io::Result<()> {
        let first = client.get(url).header(OPERATION_FIELD, "the first on this connection");
        first.fetch_bytes().await.map_err(io::Error::other)?;
        tokio::time::sleep(IDLE).await;
        Ok(())
    }

    async fn call(&self, client: &Client, url: &str) -> Result<Response<Bytes>, Error> {
        let request = client.request(self.method.clone(), url).header(OPERATION_FIELD, OPERATION);
        let request = if self.method == Method::POST { request.body("a job") } else { request };
        request.fetch_bytes().await
    }

    fn record(
        &self,
        client: &Client,
        ended: &Result<Response<Bytes>, Error>,
        wall: Duration,
        contacts: u64,
        applied: u64,
    ) -> io::Result<Record> {
        let attempts = match ended {
            Ok(answer) => answer.attempts(),
            Err(error) => error.attempts().ok_or_else(|| io::Error::other(error.to_string()))?,
        };
        let failure = attempts.last().failure();
        Ok(Record {
            policy: self.policy.name,
            fault: self.row.name.clone(),
            method: self.method.to_string(),
            contacts,
            attempts: attempts.count(),
            status: attempts.last().status().map(|status| status.as_u16()),
            error: failure.map(|failure| failure.kind.name()),
            sent: failure.map(|_| attempts.last().sent.name()),
            wall_ms: millis(wall),
            timeout_ms: millis(self.timeout),
            bound_ms: millis(self.timeout.saturating_mul(client.policy().max_attempts().get())),
            applied,
            duplicates: applied.saturating_sub(1),
            stop_reason: stop_reason(attempts),
        })
    }
}

/// What the journal of the server calls an operation, and the name of the one that is measured.
const OPERATION_FIELD: &str = "x-operation";
const OPERATION: &str = "the survey's";

fn stop_reason(attempts: &Attempts) -> String {
    attempts.stop_reason().code().to_owned()
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

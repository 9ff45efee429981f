//! One connection's dealings with script and journal, the same for every protocol.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::answer::Answer;
use crate::behaviour::{Behaviour, Greeting, Plan, Reply};
use crate::end::End;
use crate::fault::Fault;
use crate::journal::Journal;
use crate::request::{Incoming, Request};
use crate::script::Script;

/// What a server is when nothing goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// It answers.
    Origin,
    /// It passes requests on to others.
    Proxy,
}

/// What all connections of a server share.
#[derive(Debug)]
pub(crate) struct Shared {
    script: Mutex<Script>,
    role: Role,
    pub(crate) journal: Journal,
}

impl Shared {
    pub(crate) fn new(script: Script, role: Role, journal: Journal) -> Arc<Self> {
        Arc::new(Self { script: Mutex::new(script), role, journal })
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        // A closure of the user may have panicked; its own test shows that.
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Session {
    shared: Arc<Shared>,
    connection: u64,
    requests: u64,
    /// Waits for the next request on this connection.
    armed: Option<Plan>,
}

impl Session {
    pub(crate) fn new(shared: Arc<Shared>, connection: u64) -> Self {
        Self { shared, connection, requests: 0, armed: None }
    }

    /// A head arrived: makes it a request and says what is to be done with it.
    pub(crate) fn begin(&mut self, method: String, path: String, headers: Vec<(String, String)>) -> (Request, Plan) {
        let request = Request::new(self.connection, method, path, headers);
        self.shared.journal.head_arrived(&request);
        self.requests += 1;
        let plan = match self.armed.take() {
            Some(plan) => plan,
            None => self.draw(&request),
        };
        (request, plan)
    }

    fn draw(&mut self, request: &Request) -> Plan {
        let fault = self.shared.script().draw_for_request(request);
        if let (Fault::Ok, Role::Proxy) = (&fault, self.shared.role) {
            return Plan::reply(Reply::Forward);
        }
        match fault.behaviour() {
            Behaviour::Request(plan) => plan,
            Behaviour::Reused(plan) if self.requests > 1 => plan,
            Behaviour::Reused(plan) => {
                self.armed = Some(plan);
                Plan::answer(Answer::ok())
            }
            // Two connections were open when the turn of the next one came.
            Behaviour::Connection(Greeting::OnAccept(end) | Greeting::OnFirstBytes(end)) => Plan::unread(end),
            Behaviour::Connection(Greeting::WrongCertificate) => Plan::answer(Answer::ok()),
            Behaviour::Port(_) => Plan::unread(End::Reset),
        }
    }

    /// Reading of a request ended, with its body or without.
    pub(crate) fn record(&self, request: &mut Request, body: Incoming, plan: &Plan) {
        if let Reply::Answer(answer) = &plan.reply
            && !answer.recorded
        {
            body.store(request);
        } else {
            self.shared.journal.record(request, body, plan.applies());
        }
    }

    /// Whether the next fault needs a fresh connection, so that this one should not be kept.
    pub(crate) fn should_close(&self) -> bool {
        self.armed.is_none() && self.shared.script().wants_connection()
    }
}

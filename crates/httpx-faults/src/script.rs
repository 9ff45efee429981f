//! Which contact meets which fault.

use std::fmt;
use std::io;

use crate::behaviour::{Behaviour, Greeting};
use crate::fault::Fault;
use crate::port::PortFault;
use crate::request::Request;

/// The faults of a server in their order.
///
/// A contact is one accepted connection when the fault whose turn it is strikes connections, else one request. An
/// answer carries `connection: close` when the next fault needs a fresh connection.
#[must_use]
pub struct Script {
    source: Source,
    contact: u64,
    /// Drawn by nobody yet.
    next: Option<Fault>,
    /// What strikes fresh connections, where that is not the source's to say.
    connections: Option<Box<dyn FnMut(u64) -> Option<Fault> + Send>>,
    accepted: u64,
}

enum Source {
    Steps(Vec<Step>),
    Each(Box<dyn FnMut(u64) -> Fault + Send>),
    ByRequest(Box<dyn FnMut(&Request) -> Fault + Send>),
}

struct Step {
    fault: Fault,
    times: u64,
}

impl Script {
    /// The same fault at every contact.
    pub fn always(fault: impl Into<Fault>) -> Self {
        Self::first(fault)
    }

    /// Starts with this fault, once unless [`times`](Self::times) says otherwise. The last fault of a script repeats.
    pub fn first(fault: impl Into<Fault>) -> Self {
        Self::from(Source::Steps(vec![Step { fault: fault.into(), times: 1 }]))
    }

    /// Goes on with this fault.
    ///
    /// # Panics
    /// On a script made by [`each`](Self::each) or [`by_request`](Self::by_request), which has no steps.
    pub fn then(mut self, fault: impl Into<Fault>) -> Self {
        self.steps().push(Step { fault: fault.into(), times: 1 });
        self
    }

    /// Repeats the fault named last so many times in all.
    ///
    /// # Panics
    /// As [`then`](Self::then).
    pub fn times(mut self, times: u64) -> Self {
        if let Some(step) = self.steps().last_mut() {
            step.times = times;
        }
        self
    }

    /// Asks for a fault at each contact, which is counted from 1.
    pub fn each(fault: impl FnMut(u64) -> Fault + Send + 'static) -> Self {
        Self::from(Source::Each(Box::new(fault)))
    }

    /// Asks for a fault at each request, of which the head is known and the body not yet.
    ///
    /// Faults that strike before there is a request end its connection.
    pub fn by_request(fault: impl FnMut(&Request) -> Fault + Send + 'static) -> Self {
        Self::from(Source::ByRequest(Box::new(fault)))
    }

    /// Asks first at each fresh connection, which is counted from 1, whether a fault strikes it; one that strikes requests
    /// is left out. For scripts that choose [by request](Self::by_request), and so cannot tell connections apart.
    pub fn striking_connections(mut self, fault: impl FnMut(u64) -> Option<Fault> + Send + 'static) -> Self {
        self.connections = Some(Box::new(fault));
        self
    }

    fn from(source: Source) -> Self {
        Self { source, contact: 0, next: None, connections: None, accepted: 0 }
    }

    fn steps(&mut self) -> &mut Vec<Step> {
        match &mut self.source {
            Source::Steps(steps) => steps,
            Source::Each(_) | Source::ByRequest(_) => panic!("a script made from a closure has no steps to add to"),
        }
    }

    /// Takes the fault of the port itself, if the script starts with one.
    ///
    /// Fails when one stands later: nobody can count the contacts of a port without connections.
    pub(crate) fn take_port(&mut self) -> io::Result<Option<PortFault>> {
        if let Source::Steps(steps) = &self.source
            && steps.iter().skip(1).any(|step| matches!(step.fault.behaviour(), Behaviour::Port(_)))
        {
            let message = "a fault of the port must be the first step of its script";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        match self.peek().map(Fault::behaviour) {
            Some(Behaviour::Port(port)) => {
                self.next = None;
                Ok(Some(port))
            }
            Some(Behaviour::Connection(_) | Behaviour::Request(_) | Behaviour::Reused(_)) | None => Ok(None),
        }
    }

    /// Draws for a fresh connection, unless it is the turn of a request.
    pub(crate) fn draw_for_connection(&mut self) -> Option<Greeting> {
        self.accepted += 1;
        let struck = self.connections.as_mut().and_then(|fault| fault(self.accepted));
        if let Some(Behaviour::Connection(greeting)) = struck.as_ref().map(Fault::behaviour) {
            return Some(greeting);
        }
        match self.peek()?.behaviour() {
            Behaviour::Connection(greeting) => {
                self.next = None;
                Some(greeting)
            }
            Behaviour::Port(_) | Behaviour::Request(_) | Behaviour::Reused(_) => None,
        }
    }

    /// Draws for a request.
    pub(crate) fn draw_for_request(&mut self, request: &Request) -> Fault {
        if let Source::ByRequest(fault) = &mut self.source {
            return fault(request);
        }
        self.peek();
        self.next.take().unwrap_or(Fault::Ok)
    }

    /// Whether the next contact has to be a fresh connection.
    pub(crate) fn wants_connection(&mut self) -> bool {
        matches!(self.peek().map(Fault::behaviour), Some(Behaviour::Connection(_)))
    }

    /// The fault whose turn it is; none when that depends on the request.
    fn peek(&mut self) -> Option<&Fault> {
        if self.next.is_none() {
            self.next = match &mut self.source {
                Source::Steps(steps) => Some(step(steps, self.contact)),
                Source::Each(fault) => Some(fault(self.contact + 1)),
                Source::ByRequest(_) => return None,
            };
            self.contact += 1;
        }
        self.next.as_ref()
    }
}

/// The fault after `passed` contacts.
fn step(steps: &[Step], mut passed: u64) -> Fault {
    for step in steps {
        if passed < step.times {
            return step.fault.clone();
        }
        passed -= step.times;
    }
    steps.last().map_or(Fault::Ok, |step| step.fault.clone())
}

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Script");
        match &self.source {
            Source::Steps(steps) => {
                debug.field("steps", &steps.iter().map(|s| (&s.fault, s.times)).collect::<Vec<_>>())
            }
            Source::Each(_) | Source::ByRequest(_) => debug.field("steps", &"chosen by a closure"),
        };
        debug.field("contact", &self.contact).finish_non_exhaustive()
    }
}

//! The loop: what happens next, and what follows from it.

use std::time::Duration;

use httpx_retry::{Policy, Step};
use slab::Slab;

use crate::agenda::{Agenda, Event, Unserved};
use crate::call::{Call, State};
use crate::chance::Chance;
use crate::decider::{Decider, End};
use crate::plan::{Plan, nanos};
use crate::report::{Report, Second, recovery};
use crate::scenario::{OutageKind, Scenario, ScenarioError};
use crate::server::{Arrival, Job, Server, Work};

/// How long it takes until a client knows that it was refused, or that the server is too busy.
pub const ROUND_TRIP: Duration = Duration::from_millis(1);

const SECOND: u64 = 1_000_000_000;

/// Plays `scenario` with clients that retry by `policy`.
///
/// `passed` is told how many simulated seconds have passed, after each. A policy that never gives up, at a service that
/// always fails, is played for ever.
///
/// # Errors
/// When the scenario has a number that is out of its range, or is too large to be played.
pub fn simulate(scenario: &Scenario, policy: &Policy, passed: impl FnMut(usize)) -> Result<Report, ScenarioError> {
    let plan = Plan::of(scenario)?;
    let mut fleet = Fleet::new(scenario, policy, plan);
    fleet.play(passed);
    let mut total = Second { queued: 0, ..fleet.afterwards };
    let peak = fleet.seconds.iter().map(|second| second.attempts).max().unwrap_or(0);
    for second in &fleet.seconds {
        total += Second { queued: 0, ..*second };
    }
    Ok(Report {
        policy: policy.name().to_owned(),
        servers: plan.servers,
        capacity: plan.capacity,
        total,
        peak,
        recovery: recovery(&fleet.seconds, scenario.outage.map(|outage| outage.to)),
        seconds: fleet.seconds,
    })
}

struct Fleet<'a> {
    scenario: &'a Scenario,
    plan: Plan,
    policy: &'a Policy,
    decider: Decider<'a>,
    chance: Chance,
    agenda: Agenda,
    now: u64,
    calls: Slab<Call>,
    servers: Vec<Server>,
    /// How many requests wait in all queues.
    queued: u64,
    seconds: Vec<Second>,
    /// What happens once no more calls come.
    afterwards: Second,
}

impl<'a> Fleet<'a> {
    fn new(scenario: &'a Scenario, policy: &'a Policy, plan: Plan) -> Self {
        let server = || Server::new(scenario.workers, plan.room);
        Fleet {
            scenario,
            plan,
            policy,
            decider: Decider::new(policy, scenario),
            chance: Chance::seeded(scenario.seed),
            agenda: Agenda::default(),
            now: 0,
            calls: Slab::new(),
            servers: std::iter::repeat_with(server).take(plan.servers as usize).collect(),
            queued: 0,
            seconds: vec![Second::default(); plan.end.div_ceil(SECOND) as usize],
            afterwards: Second::default(),
        }
    }

    fn play(&mut self, mut passed: impl FnMut(usize)) {
        if let Some(outage) = self.scenario.outage {
            self.agenda.note(nanos(outage.to), Event::Recovery);
        }
        self.expect_call();
        let mut over = 0;
        while let Some((at, event)) = self.agenda.next() {
            while over < self.seconds.len() && at >= (over as u64 + 1) * SECOND {
                self.seconds[over].queued = self.queued;
                over += 1;
                passed(over);
            }
            debug_assert!(at >= self.now, "the agenda is in order");
            self.now = at;
            self.happens(event);
        }
        for second in over..self.seconds.len() {
            passed(second + 1);
        }
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Call => {
                let process = self.chance.calls.below(self.scenario.clients) % self.scenario.processes;
                self.second().calls += 1;
                let call = self.calls.insert(Call::new(self.now, process)) as u32;
                self.send(call);
                self.expect_call();
            }
            Event::Retry { call } => self.send(call),
            Event::Answer { call, attempt, answer } => {
                let end = match answer {
                    Unserved::Refused => End::Refused,
                    Unserved::Busy => End::Busy,
                };
                self.answered(call, attempt, end);
            }
            Event::Served { server, call, attempt } => {
                self.acted(call, attempt);
                self.servers[server as usize].done();
                self.begin(server);
            }
            Event::GiveUp { call, attempt } => {
                let elapsed = Duration::from_nanos(self.now - self.calls[call as usize].began);
                let too_late = self.policy.deadline().is_some_and(|deadline| elapsed >= deadline);
                self.answered(call, attempt, if too_late { End::TooLate } else { End::TimedOut });
            }
            Event::Recovery => (0..self.plan.servers).for_each(|server| self.begin(server)),
        }
    }

    /// Notes when the next call comes, if one still does.
    fn expect_call(&mut self) {
        let at = self.now + self.chance.calls.exponential(self.plan.gap);
        if at < self.plan.end {
            self.agenda.note(at, Event::Call);
        }
    }

    /// The next attempt of a call leaves.
    fn send(&mut self, at: u32) {
        let call = &mut self.calls[at as usize];
        call.attempts += 1;
        call.state = State::Open;
        let (attempt, began) = (call.attempts, call.began);
        self.second().attempts += 1;
        if self.outage() == Some(OutageKind::Refuse) {
            return self.turn_away((at, attempt), Unserved::Refused);
        }
        self.second().reached += 1;
        if self.outage() == Some(OutageKind::Busy) || self.fails() {
            return self.turn_away((at, attempt), Unserved::Busy);
        }
        let server = self.chance.servers.below(self.plan.servers);
        let work = self.work();
        match self.servers[server as usize].arrives((at, attempt), work) {
            Arrival::Full => return self.turn_away((at, attempt), Unserved::Busy),
            Arrival::Queued => {
                self.queued += 1;
                self.calls[at as usize].named += 1;
            }
            Arrival::Begun => {
                self.calls[at as usize].named += 1;
                self.work_on(server, (at, attempt));
            }
        }
        let timeout = self.now.saturating_add(self.plan.timeout);
        let deadline = self.policy.deadline().map_or(u64::MAX, |deadline| began.saturating_add(nanos(deadline)));
        self.note_for(at, timeout.min(deadline), Event::GiveUp { call: at, attempt });
    }

    fn turn_away(&mut self, (call, attempt): Job, answer: Unserved) {
        self.note_for(call, self.now + nanos(ROUND_TRIP), Event::Answer { call, attempt, answer });
    }

    /// Notes an event after which `call` is named once less.
    fn note_for(&mut self, call: u32, at: u64, event: Event) {
        self.calls[call as usize].named += 1;
        self.agenda.note(at, event);
    }

    /// Idle workers of a server begin what waits.
    fn begin(&mut self, server: u32) {
        while self.work() == Work::Goes
            && let Some(job) = self.servers[server as usize].begin()
        {
            self.queued -= 1;
            self.work_on(server, job);
        }
    }

    fn work_on(&mut self, server: u32, (call, attempt): Job) {
        let done = self.now + self.chance.work.exponential(self.plan.service);
        self.agenda.note(done, Event::Served { server, call, attempt });
    }

    /// A worker has acted on an attempt, whether or not anybody waits for it.
    fn acted(&mut self, at: u32, attempt: u32) {
        let call = &mut self.calls[at as usize];
        let (again, wasted) = (call.acted > 0, !call.awaits(attempt));
        call.acted += 1;
        let second = self.second();
        second.duplicates += u64::from(again);
        second.wasted += u64::from(wasted);
        self.answered(at, attempt, End::Good);
    }

    /// One mention of a call is over; if it still waits for this attempt, it goes on or ends.
    fn answered(&mut self, at: u32, attempt: u32, end: End) {
        let call = &mut self.calls[at as usize];
        call.named -= 1;
        if call.awaits(attempt) {
            let waits = &mut self.chance.waits;
            match self.decider.step(call, end, self.now, || waits.sample()) {
                Step::Retry { wait, .. } => {
                    call.state = State::Waiting;
                    self.agenda.note(self.now.saturating_add(nanos(wait)), Event::Retry { call: at });
                }
                Step::Stop { .. } => {
                    call.state = State::Ended;
                    let second = self.second();
                    match end {
                        End::Good => second.good += 1,
                        End::Busy | End::Refused | End::TimedOut | End::TooLate => second.failed += 1,
                    }
                }
            }
        }
        if self.calls[at as usize].is_over() {
            self.calls.remove(at as usize);
        }
    }

    /// What is wrong now.
    fn outage(&self) -> Option<OutageKind> {
        self.plan.outage(self.now)
    }

    fn work(&self) -> Work {
        if self.outage() == Some(OutageKind::Hang) { Work::StandsStill } else { Work::Goes }
    }

    fn fails(&mut self) -> bool {
        self.scenario.failing > 0.0 && self.chance.servers.sample().value() < self.scenario.failing
    }

    fn second(&mut self) -> &mut Second {
        self.seconds.get_mut((self.now / SECOND) as usize).unwrap_or(&mut self.afterwards)
    }
}

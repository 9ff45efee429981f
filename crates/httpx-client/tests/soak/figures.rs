//! What a soak comes to.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use httpx_client::httpx_retry::Sent;

use crate::calls::{End, Record};
use crate::world::{Seen, WAYS};

/// Everything that is printed at the end.
#[derive(Default)]
pub(crate) struct Figures {
    ways: [Row; WAYS.len()],
    renewals: u64,
    redirects: u64,
    refused: u64,
    /// The latest end of a call after its deadline.
    late: Duration,
}

#[derive(Clone, Copy, Default)]
struct Row {
    calls: u64,
    answered: u64,
    failed: u64,
    /// Of those that failed.
    not_sent: u64,
    dropped: u64,
    attempts: u64,
}

impl Figures {
    pub(crate) fn count(&mut self, record: &Record) {
        let row = &mut self.ways[record.case.way];
        row.calls += 1;
        row.attempts += record.end.attempts().map_or(0, |attempts| attempts.count() as u64);
        match &record.end {
            End::Answered { .. } => row.answered += 1,
            End::Failed { sent, .. } => {
                row.failed += 1;
                row.not_sent += u64::from(*sent == Sent::No);
            }
            End::Dropped => row.dropped += 1,
        }
        self.late = self.late.max(record.late);
    }

    /// Adds what the servers of a road have seen, and returns how much of it should never be.
    pub(crate) fn add(&mut self, seen: &Seen) -> u64 {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        self.renewals += count(&seen.renewals);
        self.redirects += count(&seen.redirects);
        self.refused += count(&seen.refused);
        count(&seen.strayed)
    }

    /// The ways on which nothing was answered: there nothing was tested.
    pub(crate) fn idle(&self) -> Vec<&'static str> {
        let idle = WAYS.iter().zip(&self.ways).filter(|(_, row)| row.answered == 0);
        idle.map(|((name, ..), _)| *name).collect()
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "way                calls  answered    failed  not sent   dropped  attempts")?;
        for ((name, ..), row) in WAYS.iter().zip(&self.ways) {
            let Row { calls, answered, failed, not_sent, dropped, attempts } = row;
            writeln!(f, "{name:<16} {calls:>7} {answered:>9} {failed:>9} {not_sent:>9} {dropped:>9} {attempts:>9}")?;
        }
        let Figures { renewals, redirects, refused, late, .. } = self;
        writeln!(f, "{redirects} redirects, {refused} answers of 401, {renewals} renewals of a token")?;
        write!(f, "the latest end of a call: {late:?} after its deadline")
    }
}

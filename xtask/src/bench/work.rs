//! What is measured, and at which length.

use clap::builder::PossibleValuesParser;

/// One kind of work for every client that can do it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    /// What the lines ask for.
    pub(super) key: &'static str,
    /// What the programs call it.
    pub(super) scenario: &'static str,
    pub(super) length: Length,
    /// Whether callgrind counts, too.
    pub(super) instructions: bool,
}

/// How many calls.
#[derive(Clone, Copy, Debug)]
pub(super) enum Length {
    /// Calls of the shorter and of the longer run: the difference, divided, is the cost of one.
    ///
    /// Repeated runs differ by fewer than a thousand instructions in all, so a thousand calls between the two keep the
    /// noise of one below 0.01 %.
    Two([u32; 2]),
    /// A crowd.
    Once(u32),
}

/// All of it, in the order of work.
const WORKS: &[Work] = &[
    Work { key: "get", scenario: "get", length: Length::Two([200, 1200]), instructions: true },
    Work { key: "post", scenario: "post", length: Length::Two([200, 1200]), instructions: true },
    Work { key: "adopted", scenario: "adopted", length: Length::Two([200, 1200]), instructions: true },
    Work { key: "retry-small", scenario: "retry-small", length: Length::Two([50, 250]), instructions: true },
    Work { key: "retry-chunked", scenario: "retry-chunked", length: Length::Two([50, 250]), instructions: true },
    Work { key: "retry-large", scenario: "retry-large", length: Length::Two([10, 50]), instructions: false },
    Work { key: "retry-tls", scenario: "retry-tls", length: Length::Two([10, 50]), instructions: true },
    Work { key: "parked-1056", scenario: "parked", length: Length::Once(1056), instructions: false },
    Work { key: "parked-10000", scenario: "parked", length: Length::Once(10_000), instructions: false },
    Work { key: "parked-100000", scenario: "parked", length: Length::Once(100_000), instructions: false },
    Work { key: "storm", scenario: "storm", length: Length::Once(1000), instructions: false },
    Work { key: "recovery", scenario: "recovery", length: Length::Once(1000), instructions: false },
    Work { key: "token", scenario: "token", length: Length::Once(10_000), instructions: false },
    Work { key: "read", scenario: "read", length: Length::Two([5, 25]), instructions: false },
];

/// The two lengths that are profiled.
pub(super) const PROFILED: [u32; 2] = [200, 1200];

/// What can be asked for by name.
pub(super) fn keys() -> PossibleValuesParser {
    WORKS.iter().map(|work| work.key).collect::<Vec<_>>().into()
}

/// The work of these keys, or all of it when there are none.
pub(super) fn chosen(keys: &[String]) -> Vec<&'static Work> {
    WORKS.iter().filter(|work| keys.is_empty() || keys.iter().any(|key| key == work.key)).collect()
}

/// A client that holds more connections than this, of 1,056 parked calls, is not asked to park more: it needs one each,
/// and a process may not have so many.
pub(super) const CONNECTIONS_FOR_MORE: f64 = 528.0;

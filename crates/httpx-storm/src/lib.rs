//! What a retry policy does to a service under load: a deterministic simulation of a fleet and an outage.
//!
//! When a service fails, its clients retry, and their retries may be what keeps it down. Whether they are is a question
//! of numbers, which this crate answers for any [`Policy`](httpx_retry::Policy): clients call, servers queue and work,
//! an outage comes and goes, and every decision after an attempt is taken by the very code that the client runs,
//! [`Policy::step_on`](httpx_retry::Policy::step_on), on buckets that are shared as the client shares them.
//!
//! ```
//! use httpx_retry::{Policy, preset};
//! use httpx_storm::{Recovery, Scenario, simulate};
//!
//! // 70 % of the capacity is used; then the servers stand still for 30 seconds.
//! let scenario = Scenario::of(1_000);
//!
//! let budgeted = simulate(&scenario, &Policy::default(), |_| ())?;
//! assert!(matches!(budgeted.recovery, Recovery::After(_)));
//!
//! // Five attempts for every call that times out are three and a half times the capacity, for ever.
//! let storm = simulate(&scenario, &preset("lib_httpx_2_4").expect("it exists").policy(), |_| ())?;
//! assert_eq!(storm.recovery, Recovery::Never);
//! # Ok::<(), httpx_storm::ScenarioError>(())
//! ```
//!
//! The same scenario and policy give the same report, to the last bit and on every machine: time is counted in whole
//! nanoseconds, events at the same nanosecond have an order, and nothing reads a clock or the system's randomness. (Only
//! the powers of a back-off come from the platform; those of 1 and 2, as all presets have them, are exact everywhere.)
//!
//! # What is simulated
//!
//! - *Calls* come by chance at a steady rate, whatever becomes of earlier ones, as those of many independent clients do.
//! - *A server* has workers, and a queue that is served in order of arrival. Where the queue is full it answers 503 at
//!   once. It does not notice that a client has given up, and works for nobody then.
//! - *A client* gives up an attempt after its timeout, asks its policy, and waits as told.
//! - *An outage* ends by itself; see [`OutageKind`].
//! - *Not simulated*: connections and their cost, hedging, adaptive rates, and the way there and back, except that an
//!   answer without work takes [`ROUND_TRIP`].

// What is asked, and what comes of it.
mod report;
mod scenario;

// Time and chance.
mod agenda;
mod chance;

// Those who take part.
mod call;
mod plan;
mod server;

mod decider;

// All of them together.
mod fleet;

pub use fleet::{ROUND_TRIP, simulate};
pub use report::{RECOVERED_SHARE, RECOVERED_WINDOW, Recovery, Report, Second};
pub use scenario::{Outage, OutageKind, Scenario, ScenarioError};

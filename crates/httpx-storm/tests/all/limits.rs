//! When an attempt ends that nobody answers, and when a call does.

use std::num::NonZeroU32;
use std::time::Duration;

use httpx_retry::{Backoff, Policy, Rule};
use httpx_storm::{Scenario, Second, simulate};

/// Up to ten attempts, one after the other without a wait.
fn stubborn() -> Policy {
    Policy::bare(Rule::any_io_error(), NonZeroU32::new(10).unwrap())
}

/// Calls to servers that work on each for weeks, given up after two seconds.
fn unanswered(policy: &Policy) -> Vec<Second> {
    let scenario = Scenario {
        service: Duration::from_secs(10_000_000),
        load: 10.0,
        timeout: Duration::from_secs(2),
        outage: None,
        duration: Duration::from_secs(30),
        ..Scenario::of(50)
    };
    let report = simulate(&scenario, policy, |_| ()).unwrap();
    assert!(report.total.calls > 100);
    assert_eq!(report.total.failed, report.total.calls);
    report.seconds
}

#[test]
fn each_limit_elapses_to_the_nanosecond() {
    let once = stubborn().with_max_attempts(NonZeroU32::MIN);
    let until = |seconds| stubborn().with_deadline(Duration::from_secs(seconds));
    let rows = [
        ("the timeout", once, 2, &[0][..]),
        ("two timeouts", stubborn().with_max_attempts(NonZeroU32::new(2).unwrap()), 4, &[0, 2]),
        ("the deadline, within the first attempt", until(1), 1, &[0]),
        ("the deadline, together with the timeout", until(2), 2, &[0]),
        ("the deadline, within the second attempt", until(3), 3, &[0, 2]),
        ("the deadline, within the third attempt", until(5), 5, &[0, 2, 4]),
    ];
    for (what, policy, ends, sends) in rows {
        let seconds = unanswered(&policy);
        let calls = |at: usize, after: usize| at.checked_sub(after).map_or(0, |at| seconds[at].calls);
        for (at, second) in seconds.iter().enumerate() {
            // Whatever happens whole seconds after a call happens as late in its second.
            assert_eq!(second.failed, calls(at, ends), "{what}: second {at}");
            let attempts: u64 = sends.iter().map(|after| calls(at, *after)).sum();
            assert_eq!(second.attempts, attempts, "{what}: second {at}");
        }
    }
}

#[test]
fn a_wait_that_would_pass_the_deadline_is_not_waited_for() {
    let policy = Policy::default()
        .without_budget()
        .with_max_attempts(NonZeroU32::new(10).unwrap())
        .with_backoff(Backoff::fixed(Duration::from_secs(1)))
        .with_deadline(Duration::from_millis(3_500));
    let scenario = Scenario { failing: 1.0, outage: None, duration: Duration::from_secs(30), ..Scenario::of(50) };
    let total = simulate(&scenario, &policy, |_| ()).unwrap().total;
    // After 0, 1, 2 and 3 seconds, and the milliseconds that the answers take.
    assert_eq!(total.attempts, 4 * total.calls);
}

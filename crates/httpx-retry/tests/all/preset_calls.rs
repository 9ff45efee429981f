//! Whole calls: how often each preset sends when failures of several kinds follow one another, and how long it waits.

use httpx_retry::{Connection, FailureKind, History, Reason, Sample, Sent, Step, Uncounted, preset};

use crate::told::{AT_ONCE, Told, failed, fresh, status};

/// A call whose sends end so, the last end for ever: the waits in milliseconds, and why it stopped.
fn call(name: &str, ends: &[Told]) -> (Vec<u128>, Reason) {
    let policy = preset(name).expect("a preset").policy();
    let (mut history, mut waits, mut uncounted) = (fresh(), Vec::new(), Uncounted::default());
    for number in 1..100 {
        let end = ends.get(number - 1).or(ends.last()).expect("an end").clone();
        let end = end.number(u32::try_from(number).expect("few")).after(uncounted);
        let attempt = end.attempt();
        let step = policy.next_step(&history, &attempt, AT_ONCE, Sample::MIDDLE);
        if policy.verdict(&attempt).is_uncounted() {
            uncounted = uncounted.and(attempt.sent);
        }
        history = History { bucket: step.apply(history.bucket, &policy), ..history };
        match step {
            Step::Retry { wait, .. } => waits.push(wait.as_millis()),
            Step::Stop { reason, .. } => return (waits, reason),
        }
    }
    (waits, Reason::Custom("no end".into()))
}

fn lost() -> Told {
    failed(FailureKind::Closed, Sent::Maybe)
}

fn stale() -> Told {
    lost().over(Connection::Reused)
}

fn refused() -> Told {
    failed(FailureKind::StreamRefused, Sent::NotProcessed)
}

fn reset() -> Told {
    failed(FailureKind::StreamReset, Sent::Maybe).over(Connection::Reused)
}

#[test]
fn failures_of_several_kinds_follow_one_another() {
    let ok = || status(200);
    let again = || status(503).retry_after("0");
    let rows: Vec<(&str, Vec<Told>, &[u128], Reason)> = vec![
        // However many pooled connections are stale, a fresh one comes after them; a status is followed up once.
        ("okhttp_5", vec![stale(), stale(), stale(), status(408), ok()], &[0, 0, 0, 0], Reason::FinalAnswer),
        ("okhttp_5", vec![stale(), stale(), lost()], &[0, 0], Reason::NotRetried),
        ("okhttp_5", vec![status(408)], &[0], Reason::AttemptsExhausted),
        ("okhttp_5", vec![again(), stale(), again()], &[0, 0], Reason::AttemptsExhausted),
        // A stream that is refused or reset leaves its connection in the pool.
        ("okhttp_5", vec![refused().over(Connection::Reused)], &[0], Reason::NotRetried),
        ("okhttp_5", vec![reset()], &[0], Reason::AttemptsExhausted),
        ("go_net_http", vec![stale(), stale(), stale(), ok()], &[0, 0, 0], Reason::FinalAnswer),
        ("go_net_http", vec![stale().post(), ok()], &[], Reason::NotRetried),
        (
            "go_net_http",
            vec![refused().post()],
            &[0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000],
            Reason::AttemptsExhausted,
        ),
        ("reqwest_0_13", vec![refused().post()], &[0, 0], Reason::AttemptsExhausted),
        // One retry in all, whatever for.
        ("apache_5", vec![lost(), status(503)], &[0], Reason::AttemptsExhausted),
        ("apache_5", vec![status(503), lost()], &[1_000], Reason::AttemptsExhausted),
        ("jdk_http_17", vec![failed(FailureKind::Refused, Sent::No), lost()], &[0], Reason::AttemptsExhausted),
        ("apache_4_5", vec![lost()], &[0, 0, 0], Reason::AttemptsExhausted),
        ("urllib3_2", vec![lost(), status(503).retry_after("2"), lost()], &[0, 2_000, 0], Reason::AttemptsExhausted),
        // urllib3 raises InvalidHeader there.
        ("urllib3_2", vec![status(503).retry_after("soon")], &[], Reason::FinalAnswer),
        ("got_14", vec![lost(), status(503).retry_after("2"), ok()], &[1_050, 2_000], Reason::FinalAnswer),
        ("never", vec![lost()], &[], Reason::Never),
    ];
    for (at, (name, ends, waits, reason)) in rows.into_iter().enumerate() {
        assert_eq!(call(name, &ends), (waits.to_vec(), reason), "row {at}, {name}");
    }
}

#[test]
fn no_preset_goes_on_for_ever_against_a_server_that_fails_alike_on_fresh_connections() {
    for preset in httpx_retry::PRESETS {
        for kind in FailureKind::ALL {
            for sent in Sent::ALL {
                let (waits, reason) = call(preset.name, &[failed(*kind, *sent)]);
                let told = format!("{}: {kind}, sent: {sent}", preset.name);
                // A connection that others give up is waited for again, and each time one call fewer shares it.
                let unlimited = ["go_net_http", "grpc"].contains(&preset.name);
                let endless = unlimited && *kind == FailureKind::ConnectAbandoned && *sent == Sent::No;
                assert_eq!(reason.code() == "no end", endless, "{told}");
                assert!(endless || waits.len() < 8, "{told}: {waits:?}");
            }
        }
    }
}

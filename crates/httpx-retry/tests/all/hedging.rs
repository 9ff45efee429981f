//! Hedging: when which sends leave, and of which requests.

use http::Method;
use httpx_retry::{Hedging, Idempotency, Sent};

use crate::told::{failed, ms, n};

#[test]
fn hedged_sends_leave_one_delay_apart() {
    let hedging = Hedging::new(ms(500), n(3));
    let leaving: Vec<_> = (1..=4).map(|attempt| hedging.send_at(n(attempt))).collect();
    assert_eq!(leaving, [Some(ms(0)), Some(ms(500)), Some(ms(1000)), None]);
}

#[test]
fn idempotent_requests_are_hedged_and_all_where_the_policy_declares_it() {
    let hedging = Hedging::new(ms(500), n(3));
    let rows = [
        (Method::GET, Idempotency::Method, true),
        (Method::POST, Idempotency::Method, false),
        (Method::POST, Idempotency::Key, true),
        (Method::POST, Idempotency::Declared, true),
    ];
    for (method, idempotency, hedged) in rows {
        let told = failed(httpx_retry::FailureKind::Closed, Sent::Maybe).method(method).idempotent_by(idempotency);
        let request = told.attempt().request;
        assert_eq!((hedging.hedges(&request), hedging.of_every_request().hedges(&request)), (hedged, true), "{told:?}");
    }
}

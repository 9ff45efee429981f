//! The store of a fleet books as its pure contract says.

use std::time::Duration;

use httpx_client::httpx_retry::{Budget, Charge};
use httpx_client::{Booked, Booking, FleetStore as _};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::redis_server::Redis;

const SMALL: Budget = Budget { capacity: 20, retry_cost: 5, timeout_cost: 10, first_success: 1, ..Budget::DEFAULT };

#[tokio::test(flavor = "multi_thread")]
async fn redis_books_like_the_pure_bucket() {
    let Some(redis) = Redis::start().await else { return };
    let store = redis.store();
    let runtime = tokio::runtime::Handle::current();
    let steps = prop::collection::vec((0_u32..25, 0_u32..25), 1..20);
    let cases = (steps, 0_u32..8, prop::sample::select(vec![Charge::Retries, Charge::Failures]), any::<u64>());
    let checked = tokio::task::spawn_blocking(move || {
        TestRunner::default().run(&cases, |(steps, floor, charge, origin)| {
            let budget = Budget { floor, charge, ..SMALL };
            let origin = format!("http://{origin:x}.test");
            let mut bucket = budget.bucket();
            for (give, cost) in steps {
                let booking = Booking { origin: &origin, budget: &budget, give, cost, close_for: Duration::ZERO };
                let booked = runtime.block_on(store.book(booking)).unwrap();
                bucket = bucket.give(give, &budget);
                prop_assert_eq!(booked, Booked { tokens: bucket.tokens(), closed_for: Duration::ZERO });
                bucket = booking.apply(bucket);
            }
            Ok(())
        })
    });
    checked.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_longest_wish_to_be_left_alone_holds_for_its_origin_whatever_the_budget() {
    let Some(redis) = Redis::start().await else { return };
    let store = redis.store();
    let other = Budget { capacity: 7, ..SMALL };
    let ask = async |origin, budget, close_for| {
        let close_for = Duration::from_secs(close_for);
        let booked = store.book(Booking { origin, budget, give: 0, cost: 0, close_for }).await.unwrap();
        booked.closed_for.as_secs_f64()
    };
    assert_eq!(ask("http://a.test", &SMALL, 0).await, 0.0);
    assert_eq!(ask("http://a.test", &SMALL, 500).await, 0.0);
    // Redis counts down meanwhile.
    let about_500 = 100.0..=500.0;
    assert!(about_500.contains(&ask("http://a.test", &other, 50).await));
    assert!(about_500.contains(&ask("http://a.test", &SMALL, u64::MAX).await));
    assert!(ask("http://a.test", &SMALL, 0).await > 80_000.0, "a day is the longest");
    assert_eq!(ask("http://b.test", &SMALL, 0).await, 0.0);
}

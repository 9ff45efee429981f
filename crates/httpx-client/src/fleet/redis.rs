//! The buckets of a fleet in Redis.

use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use httpx_retry::{Budget, Charge};
use redis::Script;

use super::store::{Booked, Booking, FleetStore};
use crate::auth::RedisStore;
use crate::store_error::StoreError;

/// How long a bucket that nobody touches is remembered, in milliseconds: a day. Then it is full again.
const KEPT: u64 = 24 * 60 * 60 * 1000;

/// Gives, takes and closes, as `Booking::apply` has it. Redis runs a script as one step, and its own clock alone counts how
/// long a server is left alone.
const BOOK: &str = "
    local capacity, give, cost, floor = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
    local held = tonumber(redis.call('GET', KEYS[1]) or capacity)
    local tokens = math.min(held + give, capacity)
    local after = math.max(tokens - cost, 0)
    if ARGV[5] == 'retries' and tokens < cost + floor then after = tokens end
    if after == capacity then
        redis.call('DEL', KEYS[1])
    else
        redis.call('SET', KEYS[1], after, 'PX', ARGV[7])
    end
    local closed = math.max(redis.call('PTTL', KEYS[2]), 0)
    if tonumber(ARGV[6]) > closed then redis.call('SET', KEYS[2], '', 'PX', ARGV[6]) end
    return {tokens, closed}";

impl FleetStore for RedisStore {
    fn book<'a>(&'a self, booking: Booking<'a>) -> BoxFuture<'a, Result<Booked, StoreError>> {
        async move {
            let Booking { origin, budget, give, cost, close_for } = booking;
            let script = Script::new(BOOK);
            let mut call = script.key(self.fleet_key("budget", origin, &rules(budget)));
            call.key(self.fleet_key("closed", origin, ""));
            call.arg(budget.capacity).arg(give).arg(cost).arg(budget.floor).arg(name(budget.charge));
            call.arg(u64::try_from(close_for.as_millis()).unwrap_or(u64::MAX).min(KEPT)).arg(KEPT);
            let (tokens, closed) = self.run(&call).await?;
            Ok(Booked { tokens, closed_for: Duration::from_millis(closed) })
        }
        .boxed()
    }
}

/// The rules of a bucket as a part of its name.
fn rules(budget: &Budget) -> String {
    let Budget { capacity, retry_cost, timeout_cost, first_success, floor, charge } = budget;
    format!(":{capacity}-{retry_cost}-{timeout_cost}-{first_success}-{floor}-{}", name(*charge))
}

const fn name(charge: Charge) -> &'static str {
    match charge {
        Charge::Retries => "retries",
        Charge::Failures => "failures",
    }
}

//! `Retry-After`, with the `Date` and `Age` that it is read beside.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use bolero::check;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use httpx_client::httpx_retry::{
    Attempt, Connection, History, Idempotency, Now, Outcome, Policy, Replay, Request, Sample, Sent, Step, Uncounted,
    retry_after_hint,
};

use crate::support::{field, numbers};

const WORDS: &[&str] = &[
    "0",
    "1",
    "7",
    "120",
    "99999999999999999999",
    "-",
    "+",
    ".",
    " ",
    ",",
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994",
    "Fri, 31 Dec 9999 23:59:59 GMT",
    "GMT",
    "Nov",
    ":",
    "1970",
];

/// A hint is read or ignored; the wait is never below it unless the cap is, and never above the cap.
#[test]
fn retry_after() {
    let lines = (numbers(6), numbers(6), numbers(3), numbers(3));
    check!().with_generator((lines, 0..=u64::MAX)).for_each(|((first, second, date, age), sample)| {
        let mut headers = HeaderMap::new();
        for (name, numbers) in [("retry-after", first), ("retry-after", second), ("date", date), ("age", age)] {
            if let (false, Ok(value)) = (numbers.is_empty(), HeaderValue::from_str(&field(numbers, WORDS))) {
                headers.append(name, value);
            }
        }
        let wall = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let hint = retry_after_hint(&headers, wall);
        // Whatever stands beside them, lines of digits mean seconds, and the longest counts.
        let lines = headers.get_all("retry-after").iter().filter_map(|line| line.to_str().ok().map(str::trim));
        let digits = lines.filter(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()));
        let longest = digits.map(|line| line.parse().unwrap_or(u64::MAX)).max().map(Duration::from_secs);
        assert!(hint >= longest, "{headers:?}: {hint:?}");
        let policy = Policy::default();
        let request = Request {
            method: &Method::GET,
            url: "http://h/",
            idempotency: Idempotency::Method,
            replay: Replay::Possible,
            timeout: None,
        };
        let status = StatusCode::SERVICE_UNAVAILABLE;
        let attempt = Attempt {
            request,
            outcome: Outcome::Answer { status, transient: true, headers: &headers },
            sent: Sent::Maybe,
            number: NonZeroU32::MIN,
            uncounted: Uncounted::default(),
            connection: Connection::Unknown,
        };
        let now = Now { elapsed: Duration::ZERO, wall };
        let history = History::start(policy.budget().unwrap().bucket());
        match policy.next_step(&history, &attempt, now, Sample::from_bits(*sample)) {
            Step::Retry { wait, .. } => {
                let cap = Duration::from_secs(30);
                assert!(wait <= cap && wait >= hint.unwrap_or_default().min(cap), "{headers:?}: {wait:?} {hint:?}");
            }
            Step::Stop { reason, .. } => panic!("{headers:?}: {reason:?}"),
        }
    });
}

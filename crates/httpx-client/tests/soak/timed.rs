//! How late a call ends, whatever the machine is doing meanwhile.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// A bare timer ticks this often once the deadline has passed.
const TICK: Duration = Duration::from_millis(10);

/// What `call` brings, and how much later than at `deadline`.
///
/// A bare timer runs beside it in the same task. As much as that is late is the machine's doing, and so is the longest poll:
/// nothing can end a call while it is being polled. Neither counts.
pub(crate) async fn timed<T>(deadline: Instant, call: impl Future<Output = T>) -> (T, Duration) {
    let mut call = pin!(call);
    let mut timer = pin!(sleep_until(deadline));
    let mut tick = deadline;
    let (mut machine, mut longest) = (Duration::ZERO, Duration::ZERO);
    let ended = std::future::poll_fn(|context| {
        let began = Instant::now();
        let polled = call.as_mut().poll(context);
        let now = Instant::now();
        longest = longest.max(now - began);
        if let Poll::Ready(value) = polled {
            machine += now.saturating_duration_since(tick);
            return Poll::Ready((value, now));
        }
        while timer.as_mut().poll(context).is_ready() {
            let now = Instant::now();
            machine += now - tick;
            tick = now + TICK;
            timer.as_mut().reset(tick);
        }
        Poll::Pending
    });
    let (value, at) = ended.await;
    (value, at.saturating_duration_since(deadline).saturating_sub(machine + longest))
}

#[tokio::test(start_paused = true)]
async fn only_what_a_bare_timer_is_not_late_for_counts_as_late() {
    use tokio::time::sleep;

    let rows = [(5, 0), (100, 0), (130, 30), (400, 300)];
    for (takes, expected) in rows {
        let call = async move { sleep(Duration::from_millis(takes)).await };
        let ((), late) = timed(Instant::now() + Duration::from_millis(100), call).await;
        assert_eq!(late, Duration::from_millis(expected), "a call of {takes} ms with 100 ms to its deadline");
    }
}

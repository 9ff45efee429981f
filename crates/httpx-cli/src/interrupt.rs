//! Ctrl-C ends a command as an error does: what it was about is given up, and no unfinished file stays behind.

use std::future::pending;

use tokio::runtime::Builder;
use tokio::task::spawn_blocking;

use crate::exit::{Exit, Trouble};

/// Runs `work` until it ends, or the command is told to.
pub(crate) fn run<T>(work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    run_on(Builder::new_current_thread(), work)
}

/// The same for work that is done by many tasks.
pub(crate) fn run_on_all_cores<T>(work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    run_on(Builder::new_multi_thread(), work)
}

/// Does work that waits for nothing on a thread of its own, which is left alone when the command is told to end.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Trouble> {
    spawn_blocking(work).await.map_err(Trouble::failed)?
}

fn run_on<T>(mut builder: Builder, work: impl Future<Output = Result<T, Trouble>>) -> Result<T, Trouble> {
    let runtime = builder.enable_all().build().map_err(Trouble::failed)?;
    let ended = runtime.block_on(async {
        tokio::select! {
            // Listened for before anything is done, so that nothing is done that a signal would leave half.
            biased;
            exit = told_to_end() => Err(Trouble::interrupted(exit)),
            ended = work => ended,
        }
    });
    // Not waited for: a thread that reads from a pipe may wait for ever.
    runtime.shutdown_background();
    ended
}

/// By Ctrl-C or SIGTERM; listened for once this has been polled.
pub(crate) async fn told_to_end() -> Exit {
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => Exit::Interrupted,
        () = terminated() => Exit::Terminated,
        else => pending().await,
    }
}

/// As `kill` and supervisors do.
#[cfg(unix)]
async fn terminated() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => signal.recv().await.unwrap_or_default(),
        Err(_) => pending().await,
    }
}

#[cfg(not(unix))]
async fn terminated() {
    pending().await
}

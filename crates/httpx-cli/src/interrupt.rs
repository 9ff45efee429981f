//! Ctrl-C ends a command as an error does: what it was about is given up, and no unfinished file stays behind.

use std::future::pending;

use tokio::runtime::Builder;

use crate::exit::{Exit, Trouble};

/// Runs `work` until it ends, or the command is told to.
pub(crate) fn run(work: impl Future<Output = Result<Exit, Trouble>>) -> Result<Exit, Trouble> {
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Trouble::failed)?;
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

async fn told_to_end() -> Exit {
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

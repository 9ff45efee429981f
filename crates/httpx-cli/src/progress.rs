//! Bars for long work.

use httpx_client::Progress;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar for a download, seen only where standard error is a terminal.
pub(crate) fn bar() -> ProgressBar {
    let bar = ProgressBar::no_length();
    match ProgressStyle::with_template(
        "{bar:40} {binary_bytes} of {binary_total_bytes}, {binary_bytes_per_sec}, {eta} left",
    ) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Moves `bar` as a download comes.
pub(crate) fn shown_by(bar: ProgressBar) -> impl FnMut(Progress) + Send + 'static {
    move |progress| {
        if let Some(total) = progress.total {
            bar.set_length(total);
        }
        bar.set_position(progress.bytes);
    }
}

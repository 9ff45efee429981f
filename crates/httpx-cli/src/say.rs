//! The two streams that a command talks on. Nothing here panics when nobody listens any more.

use std::fmt::Display;
use std::io::{ErrorKind, Write as _};

use crate::exit::Trouble;

/// Prints what was asked for, on standard output. Whoever has read enough, as `head` does, misses nothing.
pub(crate) fn out(text: impl Display) -> Result<(), Trouble> {
    let mut stdout = anstream::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Trouble::failed(format!("cannot write to standard output: {error}")))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Tells a person something, on standard error.
pub(crate) fn aside(text: impl Display) {
    // Whoever closed it does not want to be told, not even that.
    writeln!(anstream::stderr(), "{text}").ok();
}

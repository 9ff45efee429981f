//! The command `httpx`; see the library beside it.

use std::process::ExitCode;

fn main() -> ExitCode {
    httpx_cli::run()
}

//! Runs the command and reads what it says.

use std::process::Output;

use assert_cmd::Command;
use httpx_faults::{Fault, Script, Server};
use serde_json::Value;

/// A server that shows the same fault at every contact.
pub(crate) async fn always(fault: impl Into<Fault>) -> Server {
    Server::start(Script::always(fault)).await.unwrap()
}

/// What the command did.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Standard output as the one JSON value that it is.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}

/// `httpx` with these arguments.
pub(crate) fn httpx<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
    let Output { status, stdout, stderr } = command.args(arguments).env_remove("NXF_VER").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { code: status.code().unwrap(), stdout: text(stdout), stderr: text(stderr) }
}

/// `httpx send` to `url`, with retries that follow at once, and these further arguments.
pub(crate) fn send(url: &str, further: &[&str]) -> Ran {
    httpx(["send", url, "--delay", "1ms", "--max-delay", "5ms"].into_iter().chain(further.iter().copied()))
}

//! The server that `httpx serve` starts.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::httpx;

/// Ends with the test.
pub(crate) struct Serving {
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Serving {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
        command.arg("serve").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Serving { child, stdout }
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// As Ctrl-C does with `-INT`, and a supervisor with `-TERM`.
    fn end(mut self, signal: &str) -> (Option<i32>, String) {
        Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        let mut told = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (self.child.wait().unwrap().code(), told)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Gone already, where it was interrupted.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn get(url: &str) -> String {
    httpx(["send", url, "--policy", "never"]).stdout
}

#[test]
fn every_fault_has_a_url_and_the_journal_tells_what_arrived() {
    let mut serving = Serving::start(&["--json"]);
    let list: Value = serde_json::from_str(&serving.line()).unwrap();
    let url = list["url"].as_str().unwrap();
    let faults = list["faults"].as_array().unwrap();
    let ok = json!({"name": "ok", "url": format!("{url}/ok"), "sentence": "No fault: `200` with the body `ok`."});
    assert!(faults.contains(&ok), "{list}");

    let index = get(&format!("{url}/"));
    assert!(faults.iter().all(|fault| index.contains(fault["url"].as_str().unwrap())), "{index}");
    assert_eq!(get(&format!("{url}/ok")), "ok");

    let journal: Value = serde_json::from_str(&get(list["journal"].as_str().unwrap())).unwrap();
    assert_eq!((&journal["site"]["recorded"], &journal["site"]["requests"][0]["path"]), (&json!(1), &json!("/ok")));
}

#[test]
fn the_port_can_be_chosen_and_faults_look_the_same_there() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut serving = Serving::start(&["--port", &port.to_string()]);
    let url = format!("http://127.0.0.1:{port}");
    assert_eq!(serving.line(), format!("The faulty server listens at {url}\n"));

    let rows = [
        ("/status/503?first=2", Value::Null, 200),
        ("/close-after-request", json!("closed"), 0),
        ("/reset-after-request", json!("reset"), 0),
        ("/half-body-fin", json!("truncated"), 0),
        ("/half-body-rst", json!("reset"), 0),
        ("/garbage", json!("garbage"), 0),
    ];
    for (path, kind, status) in rows {
        let json = httpx(["send", &format!("{url}{path}"), "--delay", "1ms", "--json"]).json();
        assert_eq!((&json["error"]["kind"], json["status"].as_u64().unwrap_or(0)), (&kind, status), "{path}: {json}");
    }
}

#[test]
fn whoever_ends_it_is_told_what_arrived() {
    for signal in ["-INT", "-TERM"] {
        let mut serving = Serving::start(&["--json"]);
        let list: Value = serde_json::from_str(&serving.line()).unwrap();
        get(&format!("{}/ok", list["url"].as_str().unwrap()));
        let told = "\nstopped after 1 request at the main port\n".to_owned();
        assert_eq!(serving.end(signal), (Some(0), told), "{signal}");
    }
}

#[test]
fn it_can_be_ended_as_soon_as_it_says_that_it_serves() {
    for _ in 0..10 {
        let mut serving = Serving::start(&["--json"]);
        serving.line();
        assert_eq!(serving.end("-TERM"), (Some(0), "\nstopped after 0 requests at the main port\n".to_owned()));
    }
}

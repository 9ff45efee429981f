//! A disk that is full: one sentence that names the file, and nothing half-written.
#![cfg(target_os = "linux")]

use std::fs::{File, read_dir};
use std::process::{Command, Output, Stdio};

use httpx_faults::{Answer, Fault, Script, Server};
use serde_json::json;

use crate::support::always;

/// The device that is always full.
const FULL: &str = "/dev/full";

fn told(output: Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn output_that_finds_no_room_is_an_error() {
    let server = always(Fault::Ok).await;
    let url = server.url();
    let rows: [&[&str]; 4] =
        [&["send", &url], &["explain", "--status", "503"], &["policies"], &["survey", "--policy", "never", "--json"]];
    for arguments in rows {
        let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
        let output = command.args(arguments).stdout(File::options().write(true).open(FULL).unwrap()).output();
        let sentence = "httpx: cannot write to standard output: No space left on device (os error 28)\n";
        assert_eq!(told(output.unwrap()), (Some(7), sentence.to_owned()), "{arguments:?}");
    }
    let rows: [(&[&str], &str); 2] = [
        (&["send", &url, "-o", FULL], "cannot write /dev/full"),
        (&["storm", "--clients", "50", "--svg", FULL], "--svg: cannot write /dev/full"),
    ];
    for (arguments, place) in rows {
        let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
        let sentence = format!("httpx: {place}: No space left on device (os error 28)\n");
        assert_eq!(told(command.args(arguments).output().unwrap()), (Some(7), sentence), "{arguments:?}");
    }
}

/// The system's word for a file that may not grow stands for a disk that fills up: both are told at a write.
#[tokio::test(flavor = "multi_thread")]
async fn files_that_find_no_room_leave_nothing_behind() {
    let server = Server::start(Script::by_request(|request| match request.path.as_str() {
        "/config.json" => {
            let dl = format!("http://{}/archive", request.header("host").unwrap());
            Answer::status(200).body(json!({"dl": dl}).to_string()).into()
        }
        "/1/a" => {
            let line = json!({"name": "a", "vers": "1.0.0", "deps": [], "cksum": "0".repeat(64), "features": {}});
            Answer::status(200).body(line.to_string()).into()
        }
        path if path.starts_with("/archive") => Answer::status(200).body(vec![b'x'; 4 << 20]).into(),
        _ => Fault::status(404).into(),
    }));
    let server = server.await.unwrap();
    let index = format!("sparse+{}/", server.url());
    let rows: [(&[&str], &str); 2] = [
        (&["registry", "--index", &index, "download", "a", "1.0.0", "-o"], "a.crate"),
        (&["storm", "--clients", "50", "--svg"], "storm.svg"),
    ];
    for (arguments, name) in rows {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        let mut command = Command::new("sh");
        command.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_httpx")]);
        let (code, told) = told(command.args(arguments).arg(&file).stdout(Stdio::null()).output().unwrap());
        let expected = format!("cannot write {}: File too large (os error 27)", file.display());
        assert!(code == Some(7) && told.contains(&expected), "{code:?} {told}");
        assert_eq!(read_dir(folder.path()).unwrap().count(), 0, "{arguments:?}");
    }
}

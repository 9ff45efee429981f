//! `httpx send -o`: downloads that go on, are checked, and never stand there half.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use httpx_faults::{Answer, End, Fault, Script, Server};

use crate::support::{always, send};

/// Of the body `ok`, by coreutils' sha256sum.
const SHA256_OF_OK: &str = "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df";

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    (folder, file)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn whole() -> Answer {
    Answer::status(200).header("etag", "\"v1\"").body("0123456789")
}

fn rest_from(first: usize) -> Answer {
    let range = format!("bytes {first}-9/10");
    Answer::status(206).header("etag", "\"v1\"").header("content-range", range).body(&b"0123456789"[first..])
}

#[tokio::test]
async fn a_body_that_breaks_off_goes_on_from_there() {
    let server = Server::start(Script::first(whole().cut(4, End::Fin)).then(rest_from(4))).await.unwrap();
    let (folder, file) = folder();
    let ran = send(&server.url(), &["-o", file.to_str().unwrap(), "--json"]);
    assert_eq!((ran.code, std::fs::read_to_string(&file).unwrap().as_str()), (0, "0123456789"), "{}", ran.stderr);
    assert_eq!((ran.json()["body_bytes"].as_u64(), names(folder.path())), (Some(10), vec!["body".to_owned()]));
    let second = server.journal().requests().pop().unwrap();
    assert_eq!((second.header("range"), second.header("if-range")), (Some("bytes=4-"), Some("\"v1\"")));
}

#[tokio::test]
async fn a_run_goes_on_from_what_an_earlier_one_left_when_told_to() {
    let server = Server::start(Script::first(whole().cut(4, End::Fin)).then(rest_from(4))).await.unwrap();
    let (folder, file) = folder();
    let flags = ["-o", file.to_str().unwrap(), "--resume", "--max-attempts", "1"];
    assert_eq!(
        (send(&server.url(), &flags).code, names(folder.path())),
        (7, vec!["body.part".into(), "body.part.json".into()])
    );
    let ran = send(&server.url(), &flags);
    assert_eq!((ran.code, names(folder.path())), (0, vec!["body".to_owned()]), "{}", ran.stderr);
    assert_eq!(server.journal().requests()[1].header("range"), Some("bytes=4-"));
}

#[tokio::test]
async fn a_body_with_another_digest_is_not_stored() {
    let server = always(Fault::Ok).await;
    let (folder, file) = folder();
    let file = file.to_str().unwrap();
    assert_eq!(send(&server.url(), &["-o", file, "--sha256", SHA256_OF_OK]).code, 0);
    std::fs::remove_file(file).unwrap();
    let other = SHA256_OF_OK.replace('2', "3");
    let ran = send(&server.url(), &["-o", file, "--sha256", &other]);
    assert!(
        ran.stderr.contains(&format!("the body has sha256:{SHA256_OF_OK}, not sha256:{other} after 1 attempt")),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, names(folder.path()).len(), ran.stderr.lines().count()), (7, 0, 1));
    let told = send(&server.url(), &["-o", file, "--sha256", &other, "--json"]).json();
    assert_eq!(told["error"]["kind"], "digest");
    assert_eq!(send(&server.url(), &["-o", file, "--sha256", "12"]).code, 2);
    assert_eq!(send(&server.url(), &["--sha256", &other]).code, 2);
}

#[tokio::test]
async fn the_body_of_a_status_that_is_no_success_is_not_stored_and_the_exit_code_says_so() {
    // A part, and a "not modified", that nobody asked for are no file either.
    let rows = [
        (404, 22, "404 Not Found after 1 attempt"),
        (206, 7, "answered 206 Partial Content after 1 attempt"),
        (304, 7, "answered 304 Not Modified after 1 attempt"),
        (302, 7, "answered 302 Found after 1 attempt"),
    ];
    for (status, code, told) in rows {
        let server = always(Answer::status(status).body("not it").header("location", "/")).await;
        let (folder, file) = folder();
        let flags = ["-o", file.to_str().unwrap(), "--max-redirects", "0"];
        let ran = send(&server.url(), &flags);
        assert_eq!((ran.code, names(folder.path()).len()), (code, 0), "{status}");
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
        let json = send(&server.url(), &[&flags[..], &["--json"]].concat()).json();
        assert_eq!(json["error"]["kind"].as_str(), (code == 7).then_some("status"), "{json}");
    }
}

#[tokio::test]
async fn a_run_that_is_killed_in_the_middle_leaves_no_file_of_that_name() {
    let server = always(Fault::HeadersThenStall(500)).await;
    let (folder, file) = folder();
    let mut child = Command::new(env!("CARGO_BIN_EXE_httpx"))
        .args(["send", &server.url(), "-o", file.to_str().unwrap(), "--resume"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let part = folder.path().join("body.part");
    while std::fs::metadata(&part).map_or(0, |part| part.len()) < 500 {
        assert!(started.elapsed() < Duration::from_secs(10), "nothing came");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(names(folder.path()), ["body.part"]);
}

/// The system's word for a file that may not grow stands for a full disk: both are told at a write.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_write_that_fails_is_told_by_the_name_of_the_file_and_not_retried() {
    let server = always(Answer::status(200).body(vec![b'x'; 4 << 20])).await;
    let (folder, file) = folder();
    let script = format!(
        "trap '' XFSZ; ulimit -f 64; exec {} send {} -o {}",
        env!("CARGO_BIN_EXE_httpx"),
        server.url(),
        file.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains(&format!("cannot write {}: File too large (os error 27) after 1 attempt", file.display())),
        "{told}"
    );
    assert_eq!((output.status.code(), names(folder.path()).len(), server.journal().complete()), (Some(7), 0, 1));
}

//! Ctrl-C and a request to terminate: one sentence, the shell's number, and no unfinished file.
#![cfg(unix)]

use std::fs::read_dir;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use httpx_faults::{Answer, End, Fault, Script, Server};
use serde_json::json;

use crate::support::always;

/// An answer that begins and is never whole; with a tag, so that it could be gone on with.
fn endless() -> Answer {
    Answer::status(200).header("etag", "\"v1\"").body("0123456789").drip(Duration::from_secs(60))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// `httpx` with these arguments, sent `signal` once `is_time` says so.
fn interrupted(arguments: &[&str], signal: &str, is_time: impl Fn() -> bool) -> Output {
    interrupted_at(arguments, signal, |_| is_time())
}

/// The same, where it is a matter of the process.
fn interrupted_at(arguments: &[&str], signal: &str, is_time: impl Fn(u32) -> bool) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !is_time(child.id()) {
        assert!(Instant::now() < patience, "nothing to interrupt came");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

fn told(output: &Output) -> (Option<i32>, &str, &str) {
    let text = |bytes| std::str::from_utf8(bytes).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Each signal, and the number that a shell is told.
const SIGNALS: [(&str, i32); 2] = [("-INT", 130), ("-TERM", 143)];

const SENTENCE: &str = "httpx: interrupted before it was done\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_download_that_is_interrupted_leaves_nothing_behind() {
    for (signal, code) in SIGNALS {
        let server = always(endless()).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("body");
        // Interrupted only when there is something to leave behind.
        let begun = || names(folder.path()).iter().any(|name| name.starts_with(".httpx-"));
        let ran = interrupted(&["send", &server.url(), "-o", file.to_str().unwrap()], signal, begun);
        assert_eq!((told(&ran), names(folder.path())), ((Some(code), "", SENTENCE), vec![]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_to_be_kept_is_kept_and_the_next_run_goes_on_from_it() {
    let whole = || Answer::status(200).header("etag", "\"v1\"").body("0123456789");
    let script = Script::first(whole().cut(4, End::Silence))
        .then(Answer::status(206).header("etag", "\"v1\"").header("content-range", "bytes 4-9/10").body("456789"));
    let server = Server::start(script).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    let arguments = ["send", &server.url(), "--resume", "-o", file.to_str().unwrap()];
    let begun = || std::fs::metadata(folder.path().join("body.part")).is_ok_and(|part| part.len() == 4);
    let ran = interrupted(&arguments, "-INT", begun);
    assert_eq!((told(&ran).0, names(folder.path())), (Some(130), vec!["body.part".into(), "body.part.json".into()]));
    assert_eq!(crate::support::httpx(arguments).code, 0);
    assert_eq!((std::fs::read_to_string(&file).unwrap().as_str(), names(folder.path()).len()), ("0123456789", 1));
    assert_eq!(server.journal().requests()[1].header("range"), Some("bytes=4-"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_waits_for_an_answer_for_a_retry_or_for_its_input_ends_at_once() {
    let rows: [(Fault, &[&str]); 5] = [
        (Fault::NeverAnswer, &[]),
        (Fault::NeverAnswer, &["--json"]),
        (Fault::status(503).into(), &["--delay", "1h", "--max-delay", "1h"]),
        // A body is printed when it is whole, or as it comes.
        (endless().into(), &[]),
        (endless().into(), &["--stream"]),
    ];
    for (fault, further) in rows {
        let server = always(fault).await;
        let url = server.url();
        let arguments = [&["send", &url], further].concat();
        for (signal, code) in SIGNALS {
            let before = server.journal().complete();
            let ran = interrupted(&arguments, signal, || server.journal().complete() > before);
            let (ended, stdout, stderr) = told(&ran);
            assert_eq!((ended, stderr), (Some(code), SENTENCE), "{signal} {further:?}");
            assert!(stdout.is_empty() || further == ["--stream"], "{signal} {further:?}: {stdout}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_consumers_end_alike() {
    let server = always(Fault::NeverAnswer).await;
    let url = server.url();
    let (index, repository) = (format!("sparse+{url}"), ["--repository", &url, "--nextflow", "24.04.4"]);
    let rows: [&[&str]; 4] = [
        &["cloudinfo", "regions", "amazon", "--endpoint", &url],
        &["cloudinfo", "products", "amazon", "eu-west-1", "--json", "--endpoint", &url],
        &["registry", "--index", &index, "versions", "a"],
        &[&["plugins"], &repository[..], &["resolve", "a"]].concat(),
    ];
    for arguments in rows {
        for (signal, code) in SIGNALS {
            let before = server.journal().complete();
            let ran = interrupted(arguments, signal, || server.journal().complete() > before);
            assert_eq!(told(&ran), (Some(code), "", SENTENCE), "{signal} {arguments:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_that_is_not_whole_never_stands_under_its_name() {
    let server = Server::start(Script::by_request(|request| {
        let at = |path: &str| format!("http://{}{path}", request.header("host").unwrap());
        match request.path.as_str() {
            "/config.json" => Answer::status(200).body(json!({"dl": at("/archive")}).to_string()).into(),
            "/1/a" => {
                let line = json!({"name": "a", "vers": "1.0.0", "deps": [], "cksum": "0".repeat(64), "features": {}});
                Answer::status(200).body(line.to_string()).into()
            }
            "/plugins.json" => {
                let release = json!({"version": "1.0.0", "url": at("/archive"), "sha512sum": "0".repeat(128)});
                Answer::status(200).body(json!([{"id": "a", "releases": [release]}]).to_string()).into()
            }
            path if path.starts_with("/archive") => endless().into(),
            _ => Fault::status(404).into(),
        }
    }));
    let server = server.await.unwrap();
    let (index, plugins) = (format!("sparse+{}/", server.url()), server.url_at("/plugins.json"));
    let registry = ["registry", "--index", &index, "download", "a", "1.0.0", "-o"];
    let plugins = ["plugins", "--repository", &plugins, "--nextflow", "24.04.4", "download", "a", "-o"];
    // Arguments, the file under the last one where it is not the folder itself, and what is kept to go on from the next time.
    let rows: [(&[&str], &str, &[&str]); 2] =
        [(&registry, "a.crate", &[]), (&plugins, "", &["a-1.0.0.zip.part", "a-1.0.0.zip.part.json"])];
    for (arguments, name, kept) in rows {
        for (signal, code) in SIGNALS {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join(name);
            // Interrupted only when there is something to leave behind.
            let begun = || names(folder.path()).len() >= kept.len().max(1);
            let ran = interrupted(&[arguments, &[target.to_str().unwrap()]].concat(), signal, begun);
            assert_eq!(told(&ran), (Some(code), "", SENTENCE), "{arguments:?}");
            assert_eq!(names(folder.path()), kept, "{arguments:?}");
        }
    }
}

/// Does the process listen for this signal? Before it does, nothing has been done.
#[cfg(target_os = "linux")]
fn listens(process: u32, signal: &str) -> bool {
    let number = if signal == "-INT" { 2 } else { 15 };
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|signals| signals & (1 << (number - 1)) != 0)
}

#[cfg(target_os = "linux")]
#[test]
fn long_measurements_and_simulations_end_alike() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["figure.svg", "figure.png"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    let rows: [&[&str]; 4] = [
        &["storm", "--clients", "1000000", "--svg", &svg, "--png", &png],
        &["storm", "--validate"],
        &["survey"],
        &["survey", "--compare"],
    ];
    for arguments in rows {
        for (signal, code) in SIGNALS {
            let ran = interrupted_at(arguments, signal, |process| listens(process, signal));
            let ended = (told(&ran), names(folder.path()));
            assert_eq!(ended, ((Some(code), "", SENTENCE), vec![]), "{signal} {arguments:?}");
        }
    }
}

//! Every example runs, and prints what it says. `cargo test` builds them before this; `--test examples` alone does not.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PRINTED: &[(&str, &str)] = &[
    ("container_registry", "2 bytes, verified, after 1 attempt\nthe store was shown no token\n"),
    ("custom_handler", "Policy { name: \"classic\", …\n"),
    ("disable_retries", "Policy { name: \"never\", …\n"),
    ("download", "35 bytes after 2 attempts, verified\n"),
    ("get_json", "job 7 is done, after 2 attempts\n"),
    ("hedging", "200 OK: ok\nsend 1: another send was answered first\nsend 2: the answer is final\n"),
    (
        "observe",
        "attempt 1: Answer(503), sent: maybe; transient by convention\n\
         attempt 2: Failure(Failure { kind: Reset, phase: Answer }), sent: maybe; I/O failures are retried\n\
         attempt 3: Failure(Failure { kind: Truncated, phase: Body }), sent: maybe; I/O failures are retried\n\
         attempt 4: 200 OK\n",
    ),
    (
        "post_with_key",
        "attempt 1: the request is idempotent, so repeating it does no harm\n\
         attempt 2: the answer is final\n201 Created\n",
    ),
    ("proxy", "200 OK: ok\nthe proxy was shown credentials\nthe server was shown nothing\n"),
    ("refresh_token", "200 OK: hello, Alice\n200 OK: hello, Alice\n200 OK: hello, Alice\nversion 1 of the tokens\n"),
    ("rule_of_one_request", "200 OK after 2 attempts: ok\n"),
    ("sessions", "alice: hello, alice\nbob: hello, bob\nalice: hello, alice\n"),
    (
        "upload_stream",
        "stream: 503 Service Unavailable after 1 attempt, the body was a stream that can be read only once\n\
         factory: 201 Created after 2 attempts\n",
    ),
    #[cfg(feature = "blocking")]
    ("wait", "200 OK after 2 attempts: ok\nread piece by piece: ok\n"),
];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// The program, which lies beside the folder of this one.
fn program(name: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let program =
        here.ancestors().nth(2).unwrap().join("examples").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    let age = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let source = sources().join(name).with_extension("rs");
    assert!(
        age(&program) >= age(&source),
        "{name} is not built since it changed: cargo build -p httpx-client --examples"
    );
    program
}

#[test]
fn every_example_prints_what_it_promises() {
    for (name, wanted) in PRINTED {
        let output = Command::new(program(name)).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {printed}{}", String::from_utf8_lossy(&output.stderr));
        match wanted.strip_suffix("…\n") {
            None => assert_eq!(&printed, wanted, "{name}"),
            Some(start) => assert!(printed.starts_with(start), "{name}: {printed}"),
        }
    }
}

#[test]
fn no_example_is_left_out() {
    let files = fs::read_dir(sources()).unwrap().map(|file| file.unwrap().path());
    let mut there: BTreeSet<_> = files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    if cfg!(not(feature = "blocking")) {
        there.remove("wait");
    }
    assert_eq!(PRINTED.iter().map(|(name, _)| (*name).to_owned()).collect::<BTreeSet<_>>(), there);
}

#[test]
fn the_guide_leads_to_every_example() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/GUIDE.md")).unwrap();
    for (name, _) in PRINTED {
        let link = format!("[`{name}.rs`](../crates/httpx-client/examples/{name}.rs)");
        assert!(guide.contains(&link), "docs/GUIDE.md has no {link}");
    }
}

//! Programs that a test needs and a machine may lack.

use std::{
    env,
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};

/// The program, from PATH or from where `release bump --install` puts it. Where it is missing, the test leaves itself out,
/// under `HTTPX_CI` too: these programs take minutes to compile, and nothing else needs them.
pub(crate) fn found(program: &str, version: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = xtask::root().join("target/tools/bin");
    let places = env::split_paths(&path).chain([own]).map(|place| place.join(program));
    let found = places.into_iter().find(|place| place.is_file());
    if found.is_none() {
        skipped(&format!("{program} is not installed; cargo install {program} --version {version} --locked"));
    }
    found
}

/// Past the capture of the test harness, which shows what a test prints only if it fails.
pub(crate) fn skipped(reason: &str) {
    let line = format!("WARNING: A TEST OF THE RELEASE WAS SKIPPED, {reason}\n");
    std::io::stderr().write_all(line.as_bytes()).expect("stderr takes a line");
}

#[test]
fn a_test_that_leaves_itself_out_says_so_though_it_passes() {
    let mut again = Command::new(env::current_exe().expect("the tests are a program"));
    again.args(["--exact", "semver::the_real_semver_check_refuses_a_break_and_lets_the_rest_through"]);
    let output = again.env("PATH", "").stdout(Stdio::null()).output().expect("it runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("SKIPPED, cargo-semver-checks is not installed; cargo install"), "{told}");
}

//! The example of README is a program: outside this repository, with nothing but the published face of httpx-client.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use wiremock::matchers::{body_json, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

/// What the example is written for, and what stands in for it.
const URL: &str = "https://example.test/jobs";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The first block of Rust in README, asking `url` instead.
fn example(url: &str) -> String {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let block = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(block.matches(URL).count(), 1, "README's first example asks {URL} once");
    block.replace(URL, url)
}

/// A package of its own, with a workspace of its own.
fn write_package(folder: &Path, url: &str) {
    let client = root().join("crates/httpx-client");
    let manifest = format!(
        "[package]\nname = \"scratch\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         httpx-client = {{ path = {client:?} }}\ntokio = {{ version = \"1\", features = [\"macros\", \"rt\"] }}\n"
    );
    let main = "\n#[tokio::main(flavor = \"current_thread\")]\nasync fn main() {\n    \
                println!(\"answer: {}\", submit(\"one\").await.unwrap());\n}\n";
    fs::create_dir(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/main.rs"), example(url) + main).unwrap();
    // The same versions of all others, so that nothing is fetched, and little is built.
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
}

fn run(folder: &Path) -> Output {
    // Beside everything else that was built, for what is the same.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--offline"]).current_dir(folder).env("CARGO_TARGET_DIR", target).output().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_of_readme_compiles_and_runs_outside_of_the_repository() {
    let server = MockServer::start().await;
    let posted = || Mock::given(method("POST")).and(path("/jobs")).and(body_json("one"));
    posted().respond_with(ResponseTemplate::new(503)).up_to_n_times(1).mount(&server).await;
    posted().respond_with(ResponseTemplate::new(200).set_body_string("queued")).mount(&server).await;

    let folder = tempfile::tempdir().unwrap();
    write_package(folder.path(), &format!("{}/jobs", server.uri()));
    let root = folder.path().to_owned();
    let output = tokio::task::spawn_blocking(move || run(&root)).await.unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    let lines: Vec<_> = told.lines().collect();
    assert_eq!((lines.len(), lines[2]), (3, "answer: queued"), "{told}");
    assert!(lines[0].contains("503") && lines[1].contains("200"), "an attempt is told in each line: {told}");
    assert_eq!(server.received_requests().await.unwrap().len(), 2);
}

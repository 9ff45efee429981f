//! The workflows are well-formed and careful, and tidy sees it when one is not: each row spoils one line of them.

use std::{collections::BTreeSet, process::Command};
use xtask::{Tree, root, tidy};

const CI: &str = ".github/workflows/ci.yml";
const PULL: &str = ".github/workflows/pull-request.yml";
const RELEASE: &str = ".github/workflows/release.yml";

/// The file, what is replaced in it by what, and what is said of it.
type Row = (&'static str, &'static str, &'static str, &'static str);

const SPOILED: &[Row] = &[
    (CI, "    steps:", "    step:", "unknown field `step`"),
    (CI, "jobs:\n", "jobs: [\n", CI),
    (CI, "  consumers:\n    runs-on", "  core:\n    runs-on", "duplicate"),
    (CI, "runs-on: ubuntu-24.04", "runs-on: [ubuntu-24.04]", CI),
    (CI, "permissions:\n  contents: read\n", "", "says no permissions"),
    (CI, "permissions:\n  contents: read\n", "permissions: write-all\n", CI),
    (CI, "permissions:\n  contents: read\n", "permissions:\n  contents: write\n", "every job may write contents"),
    (CI, "permissions: {}", "permissions:\n      contents: write", "ci may write contents, and only the release may"),
    (RELEASE, "contents: write", "packages: write", "release may write packages"),
    (CI, "@11bd71901bbe5b1630ceea73d27597364c9af683", "@v4", "actions/checkout@v4 is not pinned"),
    (CI, "@11bd71901bbe5b1630ceea73d27597364c9af683", "@11bd719", "actions/checkout@11bd719 is not pinned"),
    (CI, "needs: [core, consumers]", "needs: [core, consumer]", "ci needs consumer, which is no other job"),
    (CI, "needs: [core, consumers]", "needs: [core, ci]", "ci needs ci, which is no other job"),
    (CI, "    timeout-minutes: 5\n", "", "ci has no timeout-minutes"),
    (
        PULL,
        "concurrency:\n  group: pull-request-${{ github.event.pull_request.number }}\n  cancel-in-progress: true\n",
        "",
        "has no concurrency",
    ),
    (RELEASE, "cancel-in-progress: false", "cancel-in-progress: true", "one release at a time"),
    (RELEASE, "group: release", "group: release-${{ github.ref }}", "one release at a time"),
    (RELEASE, "    branches: [main]\n", "    branches: [main, next]\n", "runs on pushes to other branches than main"),
    (RELEASE, "  workflow_dispatch:", "  pull_request:\n  workflow_dispatch:", "runs on pull_request"),
    (RELEASE, "    if: github.ref == 'refs/heads/main'\n", "", "release runs on any branch"),
    (RELEASE, "fetch-depth: 0", "fetch-depth: 1", "release sees one commit only"),
    (PULL, "\"$TITLE\"", "\"${{ github.event.pull_request.title }}\"", "hand it over in env"),
    (CI, "join(needs.*.result, ' ')", "join(needs.*.result, ' '", "a parenthesis is not closed"),
    (CI, "join(needs.*.result, ' ')", "joined(needs.*.result, ' ')", "joined is no function"),
    (CI, "join(needs.*.result, ' ')", "join(need.*.result, ' ')", "need.*.result leads to nothing"),
    (CI, "join(needs.*.result, ' ')", "needs.lint.result", "needs.lint.result leads to nothing"),
    (CI, "github.event_name == 'pull_request'", "github.event_name = 'pull_request'", "does not belong there"),
    (CI, "github.event_name == 'pull_request'", "github.event_name 'pull_request'", "no operator before"),
    (CI, "github.event_name == 'pull_request'", "github.event_name ==", "ends before it says something"),
    (CI, "${{ github.ref }}", "${{ github.ref }", "has no end"),
    (RELEASE, "inputs.resume &&", "inputs.again &&", "inputs.again leads to nothing"),
    (RELEASE, "if: github.event_name == 'push'", "if: github.event_name == \"push\"", "does not belong there"),
];

fn tree() -> Tree {
    Tree::read(&root()).expect("the workspace can be read")
}

#[test]
fn what_is_wrong_with_a_workflow_is_seen() {
    let clean = tree();
    for (path, old, new, told) in SPOILED {
        let workflows = clean.files.iter().filter(|(path, _)| path.starts_with(".github/"));
        let files = workflows.map(|(path, text)| (path.clone(), text.clone())).collect();
        let mut tree = Tree { files, ..Tree::default() };
        let text = tree.files.get_mut(*path).expect("the workflow is there");
        assert!(text.contains(old), "{path} has {old:?}");
        *text = text.replacen(old, new, 1);
        let violations = tidy::violations(&tree);
        let seen = violations.iter().any(|line| line.starts_with(path) && line.contains(told));
        assert!(seen, "{new:?} in {path} is not told as {told:?}: {violations:?}");
    }
}

/// What workflows and `.ci/run` call: `cargo xtask …`, also by its thin entry, with flags that are there.
#[test]
fn every_task_that_is_called_exists() {
    let tree = tree();
    let called: BTreeSet<_> =
        tree.files.iter().filter(|(path, _)| is_script(path)).flat_map(|(_, text)| tasks(text)).collect();
    assert!(called.len() >= 8, "{called:?}");
    for call in called {
        let words = call.split_whitespace().map(|word| word.trim_matches('"'));
        let mut program = Command::new(env!("CARGO_BIN_EXE_xtask"));
        let output = program.args(words).arg("--help").output().expect("xtask runs");
        assert!(output.status.success(), "cargo xtask {call}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Every program of the workspace that they run is one of its binaries.
#[test]
fn every_program_that_is_called_exists() {
    let tree = tree();
    let mut called = 0;
    for (path, text) in tree.files.iter().filter(|(path, _)| is_script(path)) {
        for line in text.lines().filter(|line| line.contains("--bin ")) {
            let name = line.split("--bin ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
            let stated = format!("[[bin]]\nname = \"{name}\"\n");
            let is_there = tree.files.iter().any(|(path, text)| path.ends_with("Cargo.toml") && text.contains(&stated));
            assert!(is_there, "{path} runs {name}, which no crate makes");
            called += 1;
        }
    }
    assert!(called > 0);
}

fn is_script(path: &str) -> bool {
    path.starts_with(".github/workflows/") || path == ".ci/run"
}

fn tasks(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let line = line.trim().trim_start_matches("- ").trim_start_matches("run: ");
        let task = line.strip_prefix("cargo xtask ").map(str::to_owned);
        task.or_else(|| Some(format!("release {}", line.strip_prefix("./publish.sh ")?)))
    };
    // What a variable may add is not known here.
    let without = |call: String| call.split(" ${").next().unwrap_or_default().to_owned();
    text.lines().filter_map(line).map(without).collect()
}

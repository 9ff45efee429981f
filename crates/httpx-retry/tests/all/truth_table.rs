//! The table for people: one golden file per preset, compared always.
//!
//! `HTTPX_UPDATE_GOLDEN=1 cargo test -p httpx-retry` writes them anew.

use std::path::Path;

use http::{Method, StatusCode};
use httpx_retry::{FailureKind, Outcome, PRESETS, Policy, Reason, Rule, StatusSet, Verdict, truth_table};

/// Compares `table` with the golden file of this name, or writes the file when asked to.
fn assert_golden(name: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/truth_table_{name}.md"));
    if std::env::var_os("HTTPX_UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, table).expect("the folder of golden files is writable");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(table, golden, "{}: see the top of this file", path.display());
}

#[test]
fn every_presets_table_is_the_one_on_file() {
    for preset in PRESETS {
        assert_golden(preset.name, &truth_table(&preset.policy()));
    }
}

#[test]
fn a_rule_that_judges_every_outcome_apart_shows_what_each_row_asks() {
    let echo = Rule::new("echo", |attempt| {
        let end = match attempt.outcome {
            Outcome::Answer { status, .. } => status.as_str().to_owned(),
            Outcome::Failure(failure) => failure.kind.to_string(),
        };
        let words = format!("{} {end}, sent: {}", attempt.request.method, attempt.sent);
        Verdict::Stop(Reason::Custom(words.into()))
    });
    assert_golden("echo", &truth_table(&Policy::default().with_rule(echo)));
}

#[test]
fn get_and_post_judged_apart_are_told_in_one_row() {
    let rule = Rule::default_rule().unless("not a GET", |attempt| attempt.request.method != Method::GET);
    let table = truth_table(&Policy::default().with_rule(rule));
    assert_eq!(
        rows(&table, "status"),
        ["| status 429, 500, 502, 503, 504 | GET retry, POST stop | GET: transient by convention; POST: not a GET |"]
    );
}

/// The rows of a table whose label starts like this.
fn rows<'a>(table: &'a str, label: &str) -> Vec<&'a str> {
    table.lines().filter(|line| line.starts_with(&format!("| {label}"))).collect()
}

#[test]
fn a_row_whose_outcomes_are_judged_apart_is_split() {
    let policy = Policy::default().with_rule(Rule::default_rule().unless("typo", |attempt| match attempt.outcome {
        Outcome::Failure(failure) => failure.kind == FailureKind::UnknownHost,
        Outcome::Answer { status, .. } => status == StatusCode::INTERNAL_SERVER_ERROR,
    }));
    let table = truth_table(&policy);
    assert_eq!(rows(&table, "unknown host"), ["| unknown host, sent: no | stop | typo |"]);
    assert_eq!(
        rows(&table, "connection refused"),
        ["| connection refused, sent: no | retry | nothing was sent, so a retry cannot duplicate anything |"]
    );
    assert_eq!(
        rows(&table, "status"),
        [
            "| status 429 | retry | transient by convention |",
            "| status 500 | stop | typo |",
            "| status 502 | retry | transient by convention |",
            "| status 503 | retry | transient by convention |",
            "| status 504 | retry | transient by convention |",
        ]
    );
}

#[test]
fn the_rows_of_statuses_follow_the_policys_set() {
    let of = |statuses| truth_table(&Policy::default().with_statuses(statuses));
    let none = of(StatusSet::empty());
    assert_eq!(rows(&none, "status"), Vec::<&str>::new());
    assert_eq!(rows(&none, "any other status"), ["| any other status | done | the answer is final |"]);
    let odd = of([StatusCode::NOT_FOUND, StatusCode::REQUEST_TIMEOUT].into_iter().collect());
    assert_eq!(rows(&odd, "status"), ["| status 404, 408 | retry | transient by convention |"]);
    assert_eq!(rows(&odd, "any other status"), ["| any other status | done | the answer is final |"]);
}

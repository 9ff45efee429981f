//! What is printed: the object of `--json`, the documentation of each code, and the table in docs/RELEASING.md.

use crate::{registry::Upload, repository::Repository, scenario::refused};
use serde_json::Value;
use std::fs;
use xtask::release::{gate_table, gates};

#[test]
fn the_table_of_refusals_in_the_documentation_is_the_one_of_the_code() {
    let path = xtask::root().join("docs/RELEASING.md");
    let text = fs::read_to_string(&path).expect("the documentation is there");
    let (begin, end) = ("<!-- gates: begin -->\n", "<!-- gates: end -->");
    let start = text.find(begin).expect("the table has a begin") + begin.len();
    let stop = text.find(end).expect("the table has an end");
    if std::env::var_os("XTASK_WRITE_DOCS").is_some() {
        let renewed = format!("{}\n{}\n{}", &text[..start], gate_table(), &text[stop..]);
        fs::write(&path, renewed).expect("the documentation is written");
        return;
    }
    assert_eq!(text[start..stop].trim(), gate_table().trim(), "XTASK_WRITE_DOCS=1 renews it");
}

#[test]
fn every_code_is_explained_once() {
    let repository = Repository::new();
    let mut codes: Vec<_> = gates().map(|gate| gate.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), gates().count());
    let call = repository.xtask(&repository.work(), &["release", "--explain", "e-burned"], &[], false);
    assert_eq!(call.exit, Some(0));
    assert!(call.stdout.starts_with("E-BURNED (exit 50)\n"), "{}", call.stdout);
    let call = repository.xtask(&repository.work(), &["release", "--explain", "E-X"], &[], false);
    assert_eq!(call.exit, Some(2), "{}", call.stderr);
}

#[test]
fn what_json_prints_is_what_the_schema_says() {
    let text = fs::read_to_string(xtask::root().join("xtask/release.schema.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.layer("l2", "l1", |repository| repository.add("second"));
    repository.squash("l1", "L1 [release] (#1)");
    let open = refused(&repository, &["--json"], 40, &["E-STACK-OPEN"]);
    let planned = repository.release(&["--json", "--not-in-stack", "l2=another time"]);
    repository.touch("fix");
    repository.land("fix");
    let skipped = repository.release(&["--json", "--if-marked"]);
    let executed = Repository::landed(|_| {});
    executed.green();
    executed.registry.next(&[Upload::Stored, Upload::Refused(503)]);
    let stopped = executed.release(&["--json", "--execute", "--index-wait", "1"]);
    let released = executed.release(&["--json", "--execute", "--resume", "--index-wait", "1"]);
    let rows = [
        (open, "refused", ["absent 1.0.0"; 2]),
        (planned, "planned", ["absent 1.0.0"; 2]),
        (skipped, "skipped", ["unknown -"; 2]),
        (stopped, "stopped", ["same 1.1.0", "unknown 1.0.0"]),
        (released, "released", ["same 1.1.0"; 2]),
    ];
    for (call, outcome, crates) in rows {
        let report: Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
        let lines = report["crates"].as_array().expect("the report has crates").iter();
        let found: Vec<_> = lines
            .map(|line| {
                format!("{} {}", line["registry"].as_str().unwrap_or("-"), line["greatest"].as_str().unwrap_or("-"))
            })
            .collect();
        assert_eq!(found, crates, "{}", call.stdout);
        let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{}", call.stdout);
        assert_eq!(report["outcome"], outcome, "{}", call.stdout);
    }
}

//! What `httpx policies` prints.

use std::path::Path;

use httpx_retry::PRESETS;

use crate::support::httpx;

#[test]
fn every_policy_is_listed_with_its_name_whole() {
    let ran = httpx(["policies"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    for preset in PRESETS {
        assert!(ran.stdout.lines().any(|line| line.split_whitespace().next() == Some(preset.name)), "{}", preset.name);
    }
}

#[test]
fn a_reader_that_has_gone_is_no_trouble() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_httpx"));
    let ran = command.arg("policies").stdout(writer).stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!((ran.status.code(), String::from_utf8(ran.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn a_program_gets_every_part_of_every_policy() {
    let told = httpx(["policies", "--json"]).json();
    let names: Vec<_> = told.as_array().unwrap().iter().map(|policy| policy["policy"].as_str().unwrap()).collect();
    assert_eq!(names, PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>());
    let part = |name: &str, key: &str| {
        let place = names.iter().position(|known| *known == name).unwrap();
        told[place][key].to_string()
    };
    let rows = [
        ("urllib3_2", "max_attempts", "4"),
        ("urllib3_2", "statuses", "[413,429,503]"),
        ("urllib3_2", "retry_after_mode", "\"trigger, replaces\""),
        ("okhttp_5", "retry_after_mode", "\"gate\""),
        ("okhttp_5", "methods", "\"any, on a reused connection\""),
        ("jdk_http_17", "methods", "\"GET, HEAD\""),
        ("apache_5", "methods", "\"idempotent\""),
        ("apache_5", "retry_after_mode", "\"replaces\""),
        ("aws_java2_legacy", "jitter", "\"full\""),
        ("aws_java2_legacy", "delay_ms", "100"),
        ("go_retryablehttp", "max_delay_ms", "30000"),
        ("go_net_http", "max_attempts", "null"),
        ("got_14", "jitter", "{\"additive_ms\":100}"),
        ("okhttp_5", "statuses", "[408,503]"),
        ("never", "statuses", "[]"),
        ("grpc", "retry_after_mode", "\"ignored, pushback replaces\""),
        ("never", "origin", "null"),
    ];
    for (name, key, expected) in rows {
        assert_eq!(part(name, key), expected, "{name} {key}");
    }
}

#[test]
fn the_page_in_docs_is_the_one_that_the_program_prints() {
    let printed = httpx(["policies", "--markdown"]).stdout;
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/POLICIES.md");
    if std::env::var_os("HTTPX_UPDATE_GOLDEN").is_some() {
        std::fs::write(&page, &printed).unwrap();
    }
    assert_eq!(printed, std::fs::read_to_string(&page).unwrap_or_default(), "rewritten by HTTPX_UPDATE_GOLDEN=1");
}

#[test]
fn a_policy_with_rows_is_explained_by_them() {
    let told = httpx(["explain", "--policy", "okhttp_5"]).stdout;
    let rows = [
        "1   reset, closed, io before the answer; on a reused connection                   retry at once, not counted",
        "2   stream-refused, go-away before the answer; sent: not-processed; on a reused   retry at once, not counted",
        "3   stream-reset before the answer; on a reused connection                        retry at once",
        "4   status 408 without Retry-After, or with 0                                     retry at once",
        "5   status 503 with Retry-After: 0                                                retry at once",
        "6   anything else                                                                 stop",
    ];
    for row in rows {
        assert!(told.lines().any(|line| line.trim() == row), "{row}\n{told}");
    }
}

/// The line of `policy` in the table of the page, and its section.
fn on_the_page<'a>(page: &'a str, policy: &str) -> (Vec<&'a str>, &'a str) {
    let line = page.lines().find(|line| line.starts_with(&format!("| [{policy}]"))).unwrap();
    let section = page.split("\n### ").find(|section| section.starts_with(&format!("{policy}\n"))).unwrap();
    (line.split('|').map(str::trim).collect(), section)
}

#[test]
fn the_table_of_the_page_and_its_sections_tell_the_same() {
    let page = httpx(["policies", "--markdown"]).stdout;
    for preset in PRESETS {
        let (cells, section) = on_the_page(&page, preset.name);
        let line = |of: &str| section.lines().find_map(|line| line.strip_prefix(of)).unwrap();
        let (hint, waits, budget) = (line("- Retry-After: "), line("- waits: "), line("- budget: "));
        let same = [
            ("ignored", cells[5].contains("ignored"), hint.starts_with("ignored")),
            ("gate", cells[5].contains("gate"), hint.contains("gate")),
            ("trigger", cells[5].contains("trigger"), hint.contains("trigger")),
            ("replaces", cells[5].contains("replaces"), hint.contains("replaces")),
            ("at once", cells[4].contains("else at once"), waits.contains("only after")),
            ("no waits", cells[4] == "none", waits == "none"),
            ("no budget", cells[7] == "none", budget == "none"),
        ];
        for (what, told, meant) in same {
            assert_eq!(told, meant, "{}: {what}: {cells:?}\n{section}", preset.name);
        }
        // Of one attempt, nothing is retried after any status.
        assert!(cells[2] != "1" || cells[3] == "none", "{}: {cells:?}", preset.name);
    }
}

#[test]
fn the_page_names_every_policy_with_a_budget_to_whom_storms_are_a_danger() {
    let page = httpx(["policies", "--markdown"]).stdout;
    let advice = page.lines().find(|line| line.contains("any policy with a budget")).unwrap();
    for preset in PRESETS {
        let told = advice.contains(&format!("`{}`", preset.name));
        assert_eq!(told, preset.policy().budget().is_some(), "{}: {advice}", preset.name);
    }
    assert!(page.contains("**Hedging**"));
}

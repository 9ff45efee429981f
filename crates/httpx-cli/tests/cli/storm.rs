//! What `httpx storm` simulates, draws and validates.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Ran, httpx};

/// The scenario of the figure in docs/STORM.md, in a size that a test can afford.
const OF_PAGE: [&str; 3] = ["storm", "--clients", "5000"];

/// One that is over at once.
const SMALL: [&str; 5] = ["storm", "--clients", "300", "--policy", "lib_httpx_2_4"];

fn and<'a>(ran: &[&'a str], more: &[&'a str]) -> Ran {
    httpx(ran.iter().chain(more).copied())
}

fn of_project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

#[test]
fn the_figure_and_the_numbers_of_the_page_are_what_comes_out() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("storm.svg");
    let ran = and(&OF_PAGE, &["--svg", drawn.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));

    let table: Vec<_> = ran.stdout.lines().skip_while(|line| !line.starts_with(" policy")).take(6).collect();
    let page = std::fs::read_to_string(of_project("docs/STORM.md")).unwrap();
    let told = table.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n");
    assert!(page.contains(&told), "docs/STORM.md does not have this table:\n{told}");

    let golden = of_project("docs/storm.svg");
    if std::env::var_os("HTTPX_UPDATE_GOLDEN").is_some() {
        std::fs::copy(&drawn, &golden).unwrap();
    }
    let (drawn, golden) = (std::fs::read(&drawn).unwrap(), std::fs::read(golden).unwrap_or_default());
    // They are long, and would be printed.
    assert!(drawn == golden, "docs/storm.svg is not what comes out; rewritten by HTTPX_UPDATE_GOLDEN=1");
}

#[test]
fn the_same_seed_prints_the_same_bytes() {
    let printed = |seed| and(&SMALL, &["--json", "--seed", seed]).stdout;
    assert_eq!(printed("7"), printed("7"));
    assert_ne!(printed("7"), printed("8"));
}

#[test]
fn json_has_the_settings_every_total_and_every_second() {
    let mut told = and(&SMALL, &["--json", "--duration", "3m", "--outage", "busy", "--retry-after", "1"]).json();
    let policy = &mut told["policies"][0];
    let seconds = policy["seconds"].take();
    let seconds = seconds.as_array().unwrap();
    let sum = |key: &str| seconds.iter().map(|second| second[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(seconds.len(), 180);
    let keys: Vec<_> = seconds[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["attempts", "calls", "duplicates", "failed", "good", "queued", "reached", "wasted"]);
    assert_eq!(policy["calls"], sum("calls"));
    assert_eq!(policy["attempts"].as_f64().unwrap() / policy["calls"].as_f64().unwrap(), policy["amplification"]);
    let keys: Vec<_> = policy.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "amplification",
            "attempts",
            "calls",
            "duplicates",
            "failed",
            "good",
            "peak_per_s",
            "policy",
            "reached",
            "recovered_after_s",
            "recovery",
            "seconds",
            "wasted"
        ]
    );
    assert_eq!(
        told["scenario"],
        json!({"clients": 300, "processes": 3, "pause_ms": 10_000.0, "method": "POST", "timeout_ms": 2_000.0,
               "servers": 1, "workers": 10, "service_ms": 70.0, "load": 0.7,
               "capacity_per_s": 10.0 / 0.07, "queue_ms": 10_000.0, "failing": 0.0, "retry_after_s": 1,
               "outage": {"kind": "busy", "from_ms": 120_000.0, "to_ms": 150_000.0},
               "duration_ms": 180_000.0, "seed": 1})
    );
}

#[test]
fn the_real_client_sends_as_many_requests_as_the_simulated_one() {
    let ran = httpx(["storm", "--validate", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let rows = ran.json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len(), 8);
    for row in rows {
        let of = |key: &str| row[key].as_f64().unwrap();
        assert!((of("simulated") / of("measured") - 1.0).abs() <= 0.1, "{row}");
        assert_eq!(row["agrees"], true);
    }
    // What has to come out where everything fails: one attempt, five, or what ten buckets of a hundred retries allow.
    let failing = |policy: &str| rows.iter().find(|row| row["policy"] == policy && row["failing"] == 1.0).unwrap();
    let bounded = |row: &Value| 1.0 + 1_000.0 / row["calls"].as_f64().unwrap();
    for (policy, requests) in [("never", 1.0), ("lib_httpx_2_4", 5.0), ("default", bounded(failing("default")))] {
        for side in ["simulated", "measured"] {
            let told = failing(policy)[side].as_f64().unwrap();
            assert!((told - requests).abs() < 1e-9, "{policy}, {side}: {told}, not {requests}");
        }
    }
}

#[test]
fn a_png_has_the_pixels_of_two_of_the_svgs() {
    let folder = tempfile::tempdir().unwrap();
    let (svg, png) = (folder.path().join("a.svg"), folder.path().join("a.png"));
    let ran = and(&SMALL, &["--svg", svg.to_str().unwrap(), "--png", png.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let (svg, png) = (std::fs::read_to_string(svg).unwrap(), std::fs::read(png).unwrap());
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    let told = |name: &str| {
        let number = svg.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap();
        number.parse::<u32>().unwrap()
    };
    assert_eq!((side(16), side(20)), (2 * told("width"), 2 * told("height")));
    for word in ["lib_httpx_2_4", "outage", "minutes", "requests per second", "capacity"] {
        assert!(svg.contains(word), "{word}");
    }
    // Nothing is left of what it was drafted in.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn what_cannot_be_written_is_told_before_anything_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    // Played, this would take hours.
    let long = ["storm", "--clients", "1000000", "--pause", "90s", "--duration", "24h"];
    let rows = [
        (
            ["--svg", "/no/such/folder/x.svg"],
            "--svg: cannot write /no/such/folder/x.svg: No such file or directory (os error 2)",
        ),
        (["--png", folder], &format!("--png: cannot write {folder}: is a directory")),
    ];
    for (arguments, told) in rows {
        let ran = and(&long, &arguments);
        assert_eq!((ran.code, ran.stderr.trim_end()), (2, &*format!("httpx: {told}")));
    }
}

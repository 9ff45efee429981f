//! What bench makes of counts: which ceilings hold, and what is printed.

use serde_json::json;
use xtask::bench::{Cost, Report, Row, exceeded};

#[test]
fn ceilings_bind_httpx_beside_the_first_client() {
    let base = row("reqwest", (50_000.0, 38.0), (60_000.0, 40.0));
    let rows: &[(&str, Row, &[&str])] = &[
        ("at the ceilings", row("httpx", (50_500.0, 40.0), (60_600.0, 42.0)), &[]),
        ("cheaper", row("httpx", (49_000.0, 36.0), (59_000.0, 38.0)), &[]),
        (
            "too many instructions",
            row("httpx", (50_501.0, 38.0), (61_200.0, 40.0)),
            &[
                "httpx GET: 1.0100 times the instructions of reqwest, at most 1.01 are allowed",
                "httpx POST: 1.0200 times the instructions of reqwest, at most 1.01 are allowed",
            ],
        ),
        (
            "too many allocations",
            row("httpx", (50_000.0, 40.5), (60_000.0, 40.0)),
            &["httpx GET: 2.50 allocations more than reqwest, at most 2 are allowed"],
        ),
        (
            "not there",
            row("other", (1.0, 1.0), (1.0, 1.0)),
            &["httpx was not measured; it needs a row in the peers of httpx-bench"],
        ),
    ];
    for (claim, bound, expected) in rows {
        assert_eq!(exceeded(&[base.clone(), bound.clone()]), *expected, "{claim}");
    }
}

#[test]
fn allocations_bind_also_where_no_instructions_are_counted() {
    let base = uncounted("reqwest", 38.0);
    assert_eq!(exceeded(&[base.clone(), uncounted("httpx", 40.0)]), Vec::<String>::new());
    let expected = [
        "httpx GET: 3.00 allocations more than reqwest, at most 2 are allowed",
        "httpx POST: 3.00 allocations more than reqwest, at most 2 are allowed",
    ];
    assert_eq!(exceeded(&[base, uncounted("httpx", 41.0)]), expected);
}

#[test]
fn the_table_shows_counts_ratios_differences_and_conditions() {
    let report = report(vec![
        row("reqwest", (57_693.4, 38.0), (1_059_653.0, 40.0)),
        row("httpx", (55_756.0, 36.0), (1_059_653.0, 42.0)),
        uncounted("blind", 38.0),
    ]);
    let expected = "\
| client  | instructions GET |        POST | ratio GET |   POST | allocations GET |  POST | difference GET |  POST |
|---------|------------------|-------------|-----------|--------|-----------------|-------|----------------|-------|
| reqwest |           57,693 |   1,059,653 |    1.0000 | 1.0000 |           38.00 | 40.00 |          +0.00 | +0.00 |
| httpx   |           55,756 |   1,059,653 |    0.9664 | 1.0000 |           36.00 | 42.00 |          -2.00 | +2.00 |
| blind   |      not counted | not counted |         - |      - |           38.00 | 38.00 |          +0.00 | -2.00 |

reqwest 0.13.5 · machine a, 2 cores
$ count it
";
    assert_eq!(report.to_string(), expected);
}

#[test]
fn the_object_holds_the_same() {
    let report = report(vec![row("reqwest", (50_000.0, 38.0), (60_000.0, 40.0)), uncounted("httpx", 39.0)]);
    let expected = json!({
        "rows": [
            {
                "peer": "reqwest",
                "get": { "instructions": 50_000.0, "ratio": 1.0, "allocations": 38.0, "difference": 0.0 },
                "post": { "instructions": 60_000.0, "ratio": 1.0, "allocations": 40.0, "difference": 0.0 },
            },
            {
                "peer": "httpx",
                "get": { "instructions": null, "ratio": null, "allocations": 39.0, "difference": 1.0 },
                "post": { "instructions": null, "ratio": null, "allocations": 39.0, "difference": -1.0 },
            },
        ],
        "environment": { "reqwest": "0.13.5", "machine": "a, 2 cores" },
        "commands": ["count it"],
    });
    assert_eq!(report.json(), expected);
}

fn report(rows: Vec<Row>) -> Report {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let environment = vec![fact("reqwest", "0.13.5"), fact("machine", "a, 2 cores")];
    Report { rows, environment, commands: vec!["count it".to_owned()] }
}

/// A client with instructions and allocations of a GET and of a POST.
fn row(peer: &str, get: (f64, f64), post: (f64, f64)) -> Row {
    let cost = |(instructions, allocations)| Cost { instructions: Some(instructions), allocations };
    Row { peer: peer.to_owned(), get: cost(get), post: cost(post) }
}

fn uncounted(peer: &str, allocations: f64) -> Row {
    let cost = Cost { instructions: None, allocations };
    Row { peer: peer.to_owned(), get: cost, post: cost }
}

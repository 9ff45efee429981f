//! What bench makes of numbers: which ceilings hold, and what is printed.

use serde_json::json;
use xtask::bench::{Report, Sheet, exceeded};

/// Everything that has a target, at or below it.
const GOOD: &[(&str, &str, &str, f64)] = &[
    ("get", "reqwest", "instructions", 50_000.0),
    ("get", "reqwest", "allocations", 38.0),
    ("post", "reqwest", "instructions", 60_000.0),
    ("post", "reqwest", "allocations", 40.0),
    ("get", "httpx", "instructions", 50_000.0),
    ("get", "httpx", "allocations", 38.0),
    ("post", "httpx", "instructions", 60_000.0),
    ("post", "httpx", "allocations", 40.0),
    ("adopted", "httpx: builder", "instructions", 50_000.0),
    ("adopted", "httpx: builder", "allocations", 40.0),
    ("adopted", "httpx: execute", "instructions", 51_000.0),
    ("adopted", "httpx: execute", "allocations", 41.0),
    ("retry-small", "httpx", "instructions", 176_000.0),
    ("retry-small", "httpx", "allocations", 110.0),
    ("retry-chunked", "httpx", "instructions", 190_000.0),
    ("retry-chunked", "httpx", "allocations", 114.0),
    ("retry-chunked", "httpx", "connections", 0.0),
    ("retry-large", "httpx", "connections", 0.0),
    ("retry-tls", "httpx", "connections", 0.0),
    ("retry-tls", "httpx", "instructions", 250_000.0),
    ("parked-1056", "httpx", "future", 192.0),
    ("parked-1056", "httpx", "connections_held", 64.0),
    ("parked-10000", "httpx", "heap", 448.0),
    ("parked-100000", "httpx", "heap", 448.0),
    ("storm", "httpx", "requests_per_call", 1.1),
    ("storm", "httpx", "never_ended", 0.0),
    ("recovery", "httpx", "load_after_outage", 1.1),
    ("token", "httpx", "refreshes", 1.0),
    ("token", "httpx", "requests_per_call", 2.0),
    ("read", "httpx: fetch_bytes", "bytes", 1_200_000.0),
    ("read", "httpx: fetch_bytes", "allocations", 40.0),
];

#[test]
fn what_is_on_target_exceeds_no_ceiling() {
    assert_eq!(exceeded(&sheet(GOOD)), Vec::<String>::new());
}

#[test]
fn what_is_above_its_ceiling_is_named_with_both_numbers() {
    let rows: &[(&str, (&str, &str, f64), &str)] = &[
        (
            "more allocations than reqwest",
            ("get", "allocations", 39.0),
            "GET: above reqwest's: 1.0 where at most 0.0 are allowed",
        ),
        (
            "a connection for each hundredth retry",
            ("retry-chunked", "connections", 0.02),
            "retry, chunked body: new connections: 0.01 where at most 0.00 are allowed",
        ),
        (
            "more than one refresh",
            ("token", "refreshes", 2.0),
            "10,000 calls with an expired token: refreshes: 2 where at most 1 are allowed",
        ),
        (
            "calls that hang",
            ("storm", "never_ended", 1.0),
            "storm, 1,000 calls: never ended: 1 where at most 0 are allowed",
        ),
        (
            "a storm",
            ("storm", "requests_per_call", 1.13),
            "storm, 1,000 calls: requests per call: 1.130 where at most 1.122 are allowed",
        ),
    ];
    for (claim, (key, name, value), expected) in rows {
        let mut sheet = sheet(GOOD);
        put(&mut sheet, GOOD, (key, "httpx", name, *value));
        assert_eq!(exceeded(&sheet), [*expected], "{claim}");
    }
}

#[test]
fn two_hundredths_of_slack_pass_and_no_more() {
    for (instructions, is_over) in [(280_499.0, false), (280_501.0, true)] {
        let mut sheet = sheet(GOOD);
        put(&mut sheet, GOOD, ("retry-tls", "httpx", "instructions", instructions));
        assert_eq!(!exceeded(&sheet).is_empty(), is_over, "{instructions}");
    }
}

#[test]
fn without_valgrind_the_other_ceilings_bind_all_the_same() {
    let uncounted: Vec<_> = GOOD.iter().copied().filter(|(_, _, name, _)| *name != "instructions").collect();
    assert_eq!(exceeded(&sheet(&uncounted)), Vec::<String>::new());
    let unmeasured: Vec<_> = uncounted.into_iter().filter(|(key, ..)| *key != "token").collect();
    let expected = [
        "10,000 calls with an expired token: refreshes: httpx was not measured",
        "10,000 calls with an expired token: requests per call: httpx was not measured",
    ];
    assert_eq!(exceeded(&sheet(&unmeasured)), expected);
}

#[test]
fn the_tables_show_what_was_measured_beside_what_is_to_be_reached() {
    let told = [
        ("get", "reqwest", "instructions", 1_000_000.0),
        ("get", "reqwest", "allocations", 38.0),
        ("get", "httpx", "allocations", 36.5),
        ("token", "httpx", "refreshes", 3.0),
        ("read", "httpx: fetch_bytes", "bytes", 1_100_000.0),
    ];
    let expected = "\
|                                               |   reqwest | httpx | to reach | reached |
|-----------------------------------------------|-----------|-------|----------|---------|
| GET: instructions                             | 1,000,000 |     – |          |         |
| GET: of reqwest's                             |    1.0000 |     – | ≤ 1.0000 |         |
| GET: allocations                              |      38.0 |  36.5 |          |         |
| GET: above reqwest's                          |       0.0 |  -1.5 |    ≤ 0.0 |     yes |
| 10,000 calls with an expired token: refreshes |         – |     3 |      ≤ 1 |      NO |

| 1 MiB body by      | bytes allocated | allocations |
|--------------------|-----------------|-------------|
| httpx: fetch_bytes |       1,100,000 |           – |

Not reached by httpx:

- 10,000 calls with an expired token: refreshes: 3 where 1 is to be reached; no reason is known

reqwest 0.13.5 · machine a, 2 cores

    $ count it
";
    assert_eq!(report(&told).to_string(), expected);
}

#[test]
fn the_object_holds_the_same() {
    let told = [("storm", "httpx", "requests_per_call", 1.05), ("read", "httpx: fetch_bytes", "bytes", 5.0)];
    let object = report(&told).json();
    let line =
        |title: &str| object["lines"].as_array().and_then(|lines| lines.iter().find(|line| line["title"] == title));
    let expected = json!({
        "title": "storm, 1,000 calls: requests per call",
        "values": { "reqwest": null, "httpx": 1.05 },
        "at_most": 1.1,
        "reached": true,
    });
    assert_eq!(line("storm, 1,000 calls: requests per call"), Some(&expected));
    assert_eq!(object["reading"][0], json!({ "title": "bytes allocated", "values": { "httpx: fetch_bytes": 5.0 } }));
    assert_eq!(object["environment"], json!({ "reqwest": "0.13.5", "machine": "a, 2 cores" }));
    assert_eq!(object["commands"], json!(["count it"]));
}

fn report(told: &[(&str, &str, &str, f64)]) -> Report {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Report {
        sheet: sheet(told),
        clients: vec!["reqwest".to_owned(), "httpx".to_owned()],
        helpers: vec!["httpx: fetch_bytes".to_owned()],
        environment: vec![fact("reqwest", "0.13.5"), fact("machine", "a, 2 cores")],
        commands: vec!["count it".to_owned()],
    }
}

fn sheet(told: &[(&str, &str, &str, f64)]) -> Sheet {
    let mut sheet = Sheet::default();
    for row in told {
        put(&mut sheet, told, *row);
    }
    sheet
}

/// Tells one number anew; the others of the same worker and work stay.
fn put(sheet: &mut Sheet, told: &[(&str, &str, &str, f64)], (key, worker, name, value): (&str, &str, &str, f64)) {
    let others = told.iter().filter(|(a_key, a_worker, ..)| (*a_key, *a_worker) == (key, worker));
    let mut numbers: xtask::bench::Numbers = others.map(|(_, _, name, value)| ((*name).to_owned(), *value)).collect();
    numbers.insert(name.to_owned(), value);
    sheet.put(key, worker, numbers);
}

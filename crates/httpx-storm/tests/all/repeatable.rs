//! The same seed, the same report.

use httpx_retry::preset;
use httpx_storm::{Recovery, Report, Scenario, simulate};

fn played(policy: &str, seed: u64) -> Report {
    let scenario = Scenario { seed, ..Scenario::of(1_000) };
    simulate(&scenario, &preset(policy).unwrap().policy(), |_| ()).unwrap()
}

#[test]
fn the_same_seed_brings_the_same_report_and_another_seed_another() {
    let bytes = |report: &Report| serde_json::to_vec(&report.seconds).unwrap();
    assert_eq!(bytes(&played("default", 7)), bytes(&played("default", 7)));
    assert_ne!(bytes(&played("default", 7)), bytes(&played("default", 8)));
}

#[test]
fn the_same_calls_come_whatever_the_policy() {
    let calls = |policy| played(policy, 7).seconds.iter().map(|second| second.calls).collect::<Vec<_>>();
    assert_eq!(calls("never"), calls("lib_httpx_2_4"));
}

#[test]
fn a_small_run_comes_out_alike_on_every_machine() {
    let rows = [
        (
            "never",
            r#"{"calls":60042,"attempts":60042,"reached":60042,"queued":0,"good":54169,"failed":5873,"duplicates":0,"wasted":4311}"#,
            128,
            Recovery::After(28),
        ),
        (
            "default",
            r#"{"calls":60042,"attempts":61042,"reached":61042,"queued":0,"good":54169,"failed":5873,"duplicates":0,"wasted":4311}"#,
            378,
            Recovery::After(28),
        ),
        (
            "lib_httpx_2_4",
            r#"{"calls":60042,"attempts":252558,"reached":252558,"queued":0,"good":11913,"failed":48129,"duplicates":29219,"wasted":67208}"#,
            738,
            Recovery::Never,
        ),
    ];
    let played = rows.map(|(policy, ..)| {
        let report = played(policy, 1);
        (policy, serde_json::to_string(&report.total).unwrap(), report.peak, report.recovery)
    });
    assert_eq!(played, rows.map(|(policy, total, peak, recovery)| (policy, total.to_owned(), peak, recovery)));
}

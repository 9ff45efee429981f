//! Files of an index.

use std::panic::AssertUnwindSafe;

use bolero::check;
use httpx_client::Client;
use httpx_registry::Registry;
use semver::VersionReq;

use crate::served::{Served, edited, is_one_line};
use crate::support::numbers;

const INDEX: &str = include_str!("../../../crates/httpx-registry/tests/fixtures/au/to/autocfg");
const CONFIG: &str = r#"{"dl":"https://files.example.test/{crate}/{version}","api":"https://api.example.test"}"#;

/// Every line is a row or is told as none, what was published is taken, and no yanked version is the newest.
#[test]
fn index_file() {
    let served = Served::new(("config.json", CONFIG));
    let registry = Registry::open(&format!("sparse+{}", served.url())).unwrap();
    let world = AssertUnwindSafe((served, registry));
    check!().with_generator(numbers(24)).for_each(|numbers| {
        let (served, registry) = &*world;
        let body = edited(INDEX, numbers);
        let lines = body.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
        match served.ask(body, registry.versions("autocfg")) {
            Err(error) => is_one_line(&error),
            Ok(None) => panic!("200 is never \"not there\""),
            Ok(Some(versions)) => {
                assert_eq!(versions.rows().len() + versions.skipped().len(), lines);
                for row in versions.rows() {
                    assert_eq!((row.name.as_str(), versions.is_taken(&row.vers)), ("autocfg", Ok(true)));
                }
                let newest = versions.newest(&VersionReq::STAR);
                assert!(!matches!(newest, Ok(Some(row)) if row.yanked), "{newest:?}");
            }
        }
    });
}

/// A configuration is refused in one line, or leads to URLs.
#[test]
fn index_config() {
    let served = Served::new(("autocfg", INDEX));
    let index = format!("sparse+{}", served.url());
    let world = AssertUnwindSafe((served, Client::new()));
    check!().with_generator(numbers(12)).for_each(|numbers| {
        let (served, client) = &*world;
        let registry = Registry::builder(&index).client(client.clone()).build().unwrap();
        match served.ask(edited(CONFIG, numbers), registry.config()) {
            Err(error) => is_one_line(&error),
            Ok(config) => {
                if let Err(error) = config.api_url("crates/new") {
                    is_one_line(&error);
                }
            }
        }
    });
}

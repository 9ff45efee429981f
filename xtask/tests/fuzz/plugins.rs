//! What plugin repositories write.

use std::cmp::Ordering;
use std::panic::AssertUnwindSafe;

use bolero::check;
use httpx_client::Client;
use httpx_plugin_repo::{NextflowVersion, PluginRef, PluginRepo};

use crate::served::{Served, edited, is_one_line};
use crate::support::{numbers, text};

const INDEX: &str = include_str!("../../../crates/httpx-plugin-repo/tests/fixtures/plugins-trimmed.json");
const WORDS: &[&str] = &["1", "0", "24", ".", "-", "edge", "rc", "SNAPSHOT", "+", "x", "v", "99999999999999999999"];

/// What is found runs with the Nextflow that was asked for; the rest is told in one line.
#[test]
fn plugins_json() {
    let world = AssertUnwindSafe((Served::new(("nothing", "")), Client::new()));
    let nextflow: NextflowVersion = "24.04.4".parse().unwrap();
    let wanted: PluginRef = "nf-amazon".parse().unwrap();
    check!().with_generator(numbers(24)).for_each(|numbers| {
        let (served, client) = &*world;
        let url = format!("{}/plugins.json", served.url());
        let repo = PluginRepo::builder(nextflow.clone()).client(client.clone()).repository(url).build().unwrap();
        match served.ask(edited(INDEX, numbers), repo.resolve(&wanted)) {
            Ok(found) => assert!(found.release.runs_with(&nextflow), "{found:?}"),
            Err(error) => is_one_line(&error),
        }
    });
}

/// Versions of Nextflow are refused in one line, or ordered.
#[test]
fn nextflow_version() {
    check!().with_generator((numbers(9), numbers(9))).for_each(|(first, second)| {
        let [first, second] = [first, second].map(|numbers| text(numbers, WORDS).parse::<NextflowVersion>());
        match (first, second) {
            (Ok(first), Ok(second)) => {
                assert_eq!(first.compare(&second), second.compare(&first).reverse(), "{first:?} {second:?}");
                assert_eq!(first.compare(&first), Ordering::Equal);
            }
            (Err(error), _) | (_, Err(error)) => is_one_line(&error),
        }
    });
}

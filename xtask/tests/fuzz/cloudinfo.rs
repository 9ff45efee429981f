//! Answers of Cloudinfo.

use std::panic::AssertUnwindSafe;

use bolero::check;
use httpx_cloudinfo::{CloudInfo, Provider, Query};

use crate::served::{Served, edited, is_one_line};
use crate::support::numbers;

const PRODUCTS: &str = include_str!("../../../crates/httpx-cloudinfo/tests/fixtures/products-trimmed.json");

/// Products are read or told to be none, in one line.
#[test]
fn products() {
    let served = Served::new(("nothing", ""));
    let cloudinfo = CloudInfo::open(&served.url()).unwrap();
    let world = AssertUnwindSafe((served, cloudinfo));
    let query = Query::new();
    check!().with_generator(numbers(24)).for_each(|numbers| {
        let (served, cloudinfo) = &*world;
        match served.ask(edited(PRODUCTS, numbers), cloudinfo.products(Provider::Amazon, "eu-west-1", &query)) {
            Ok(products) => drop(serde_json::to_vec(&products).unwrap()),
            Err(error) => is_one_line(&error),
        }
    });
}

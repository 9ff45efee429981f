//! What is answered: the real products in `tests/fixtures`, and their neighbours.

use std::time::{Duration, UNIX_EPOCH};

use httpx_cloudinfo::{Product, Products};
use serde_json::{Value, json};

use crate::support::fixture;

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_product_encodes_back_to_the_values_it_was_decoded_from() {
    let told = fixture("products-trimmed.json");
    let products: Vec<Product> = serde_json::from_str(&told).unwrap();
    assert_eq!((products.len(), serde_json::to_value(&products).unwrap()), (16, value(&told)));
    assert!(products.iter().all(|product| product.other.is_empty()), "no field is unknown");

    let told = fixture("products-response.json");
    let answer: Products = serde_json::from_str(&told).unwrap();
    assert_eq!((answer.products.clone(), serde_json::to_value(&answer).unwrap()), (products, value(&told)));
}

#[test]
fn c89_c91_real_products_are_read_as_they_are() {
    let answer: Products = serde_json::from_str(&fixture("products-response.json")).unwrap();
    let of = |name: &str| answer.products.iter().find(|product| product.instance_type == name).unwrap();

    let micro = of("t1.micro");
    assert_eq!(
        (micro.cpus_per_vm, micro.mem_per_vm, micro.gpus_per_vm, micro.on_demand_price),
        (1.0, 0.613, 0.0, 0.02)
    );
    assert_eq!((micro.burst, micro.features.as_ref(), micro.zones.as_ref()), (true, None, None));
    assert_eq!(micro.attributes.as_ref().unwrap()["memory"], "0.613");

    // 0 is kept: the server does not know, which is not "none".
    let large = of("x1.32xlarge");
    assert_eq!((large.mem_per_vm, large.attributes.as_ref().unwrap()["memory"].as_str()), (0.0, "1,952"));
    assert_eq!(of("x1e.32xlarge").on_demand_price, 32.0);

    let storage = of("i3.8xlarge");
    let zones: Vec<_> = storage.spot_price.iter().flatten().map(|spot| (spot.zone.as_str(), spot.price)).collect();
    assert_eq!(zones, [("eu-west-1a", 2.752), ("eu-west-1b", 0.8303), ("eu-west-1c", 0.8256)]);
    assert_eq!((storage.ntw_perf.as_str(), storage.ntw_perf_category.as_str()), ("10 Gigabit", "high"));
    assert_eq!((storage.current_gen, storage.burst, of("t2.nano").spot_price.as_ref()), (true, false, None));

    assert_eq!(answer.scraped_at(), Some(UNIX_EPOCH + Duration::from_millis(1_552_396_020_000)));
}

/// A product with one field of another value.
fn with(field: &str, value: Value) -> Value {
    let mut product = json!({"type": "x", "category": "c", "cpusPerVm": 2, "memPerVm": 4, "gpusPerVm": 0,
        "onDemandPrice": 0.1, "spotPrice": null, "ntwPerf": "", "ntwPerfCategory": "", "zones": null, "attributes": null,
        "currentGen": false});
    product[field] = value;
    product
}

#[test]
fn c89_numbers_are_whole_or_not() {
    for (text, number) in
        [("0.5", 0.5), ("2", 2.0), ("2.0", 2.0), ("0.613", 0.613), ("30.5", 30.5), ("0", 0.0), ("32", 32.0)]
    {
        for field in ["cpusPerVm", "memPerVm", "gpusPerVm", "onDemandPrice"] {
            let product: Product = serde_json::from_value(with(field, value(text))).unwrap();
            let read = match field {
                "cpusPerVm" => product.cpus_per_vm,
                "memPerVm" => product.mem_per_vm,
                "gpusPerVm" => product.gpus_per_vm,
                _ => product.on_demand_price,
            };
            assert_eq!(read, number, "{field} {text}");
            assert_eq!(serde_json::to_value(&product).unwrap()[field].as_f64(), Some(number));
        }
    }
    let product: Product = serde_json::from_value(with("cpusPerVm", json!(2.0))).unwrap();
    assert!(serde_json::to_string(&product).unwrap().contains(r#""cpusPerVm":2,"#), "a whole number has no fraction");
}

#[test]
fn c91_fields_and_categories_that_are_not_known_are_kept() {
    for (field, new) in [
        ("category", json!("Quantum")),
        ("featuresV2", json!({"a": [1, null]})),
        ("quotaFamily", json!("standardD")),
        ("family", json!("m5d")),
        ("features", json!([])),
        ("features", json!(["gpu", "never-seen"])),
        ("zones", json!(["a"])),
        ("burst", json!(true)),
    ] {
        let told = with(field, new);
        let product: Product = serde_json::from_value(told.clone()).unwrap();
        assert_eq!(serde_json::to_value(&product).unwrap(), told, "{field}");
    }
}

#[test]
fn no_features_and_features_that_are_not_told_are_two_things() {
    let told: Product = serde_json::from_value(with("features", json!([]))).unwrap();
    let untold: Product = serde_json::from_value(with("category", json!("c"))).unwrap();
    assert_eq!((told.features, untold.features), (Some(Vec::new()), None));
}

#[test]
fn c91_attributes_stay_texts() {
    let error = serde_json::from_value::<Product>(with("attributes", json!({"cpu": 32}))).unwrap_err();
    assert!(error.to_string().contains("invalid type: integer `32`, expected a string"), "{error}");
}

#[test]
fn c91_a_scraping_time_that_cannot_be_read_is_none() {
    let at = |millis| Some(UNIX_EPOCH + Duration::from_millis(millis));
    for (told, time) in [
        (json!("1552396020000"), at(1_552_396_020_000)),
        (json!("0"), at(0)),
        (json!(1_552_396_020_000_u64), at(1_552_396_020_000)),
        (json!(""), None),
        (json!("yesterday"), None),
        (json!("-1"), None),
        (json!("1.5"), None),
        (json!("99999999999999999999999"), None),
        (json!(null), None),
        (json!({}), None),
    ] {
        let answer: Products = serde_json::from_value(json!({"products": [], "scrapingTime": told})).unwrap();
        assert_eq!(answer.scraped_at(), time, "{told}");
    }
    let answer: Products = serde_json::from_value(json!({"products": null})).unwrap();
    assert_eq!((answer.scraped_at(), answer.products), (None, Vec::new()));
}

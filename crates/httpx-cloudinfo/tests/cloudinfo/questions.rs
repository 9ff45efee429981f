//! What is asked for: paths and filters.

use httpx_cloudinfo::{CloudInfo, ErrorKind, Provider, Query, UnknownProvider};

use crate::support::{asked, cloud, serve, serve_always};
use httpx_faults::Answer;

#[tokio::test]
async fn regions_are_asked_for_by_the_name_of_the_provider() {
    let server = serve_always(200, r#"[{"id":"eu-west-1","name":"EU (Ireland)"},{"id":"x","name":"","new":1}]"#).await;
    for provider in Provider::ALL {
        let regions = cloud(&server).regions(provider).await.unwrap();
        assert_eq!((regions[0].id.as_str(), regions[0].name.as_str()), ("eu-west-1", "EU (Ireland)"));
        assert_eq!(regions[1].other["new"], 1);
        assert_eq!(cloud(&server).region_ids(provider).await.unwrap(), ["eu-west-1", "x"]);
        let path = format!("/api/v1/providers/{provider}/services/compute/regions");
        assert_eq!(asked(&server).last().unwrap(), &path);
    }
}

#[tokio::test]
async fn c93_items_of_a_list_are_encoded_one_by_one() {
    let server = serve_always(200, r#"{"products":[],"scrapingTime":"0"}"#).await;
    let path = "/api/v1/providers/amazon/services/compute/regions/eu-west-1/products";
    for (query, encoded) in [
        (Query::new(), ""),
        (Query::new().features(["gpu", "a,b", "ü"]), "?features=gpu,a%2Cb,%C3%BC"),
        (Query::new().families(["m5d", "c5.large"]), "?families=m5d,c5.large"),
        (Query::new().features(["a b&c=d", "x+y"]), "?features=a+b%26c%3Dd,x%2By"),
        (Query::new().sched(), "?sched=true"),
        (
            Query::new().families(["m5"]).features(["gpu"]).nvme().sched(),
            "?sched=true&nvme=true&features=gpu&families=m5",
        ),
        (Query::new().features(Vec::<String>::new()), ""),
    ] {
        cloud(&server).products(Provider::Amazon, "eu-west-1", &query).await.unwrap();
        assert_eq!(asked(&server).last().unwrap(), &format!("{path}{encoded}"));
    }
}

#[tokio::test]
async fn families_are_asked_for_by_their_features() {
    let server = serve_always(200, r#"{"families":["c5","m5"]}"#).await;
    for (features, query) in [(vec![], ""), (vec!["gpu", "nvidia"], "?features=gpu,nvidia")] {
        assert_eq!(cloud(&server).families(Provider::Azure, features).await.unwrap(), ["c5", "m5"]);
        assert_eq!(asked(&server).last().unwrap(), &format!("/api/v1/providers/azure/families{query}"));
    }
}

#[tokio::test]
async fn a_region_is_one_segment_of_the_path_whatever_is_in_it() {
    let server = serve_always(200, r#"{"products":[]}"#).await;
    let cloud = cloud(&server);
    for (region, segment) in [("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"), ("é", "%C3%A9")] {
        cloud.products(Provider::Google, region, &Query::new()).await.unwrap();
        let path = format!("/api/v1/providers/google/services/compute/regions/{segment}/products");
        assert_eq!(asked(&server).last().unwrap(), &path);
    }
    for region in ["", ".", ".."] {
        let error = cloud.products(Provider::Google, region, &Query::new()).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Region(given) if given == region));
    }
    assert_eq!(asked(&server).len(), 3);
}

#[tokio::test]
async fn a_path_of_the_endpoint_is_kept() {
    let server = serve(|_| Answer::status(200).body("[]")).await;
    for base in ["/deep/er", "/deep/er/"] {
        CloudInfo::open(&server.url_at(base)).unwrap().regions(Provider::Amazon).await.unwrap();
        assert_eq!(asked(&server).last().unwrap(), "/deep/er/api/v1/providers/amazon/services/compute/regions");
    }
}

#[test]
fn what_is_no_endpoint_is_refused_without_its_secrets() {
    for (given, told) in [
        ("cloudinfo", r#""cloudinfo" is no endpoint: relative URL without a base; it is like https://host"#),
        ("ftp://u:secret@h/", r#""ftp://h/" is no endpoint: "ftp" is neither http nor https; it is like https://host"#),
        (
            "https://h/?key=secret",
            r#""https://h/?..." is no endpoint: paths cannot be joined to a query or fragment; it is like https://host"#,
        ),
    ] {
        assert_eq!(CloudInfo::open(given).unwrap_err().to_string(), told);
    }
    let builder = CloudInfo::builder("https://u:secret@h/");
    assert!(!format!("{builder:?} {:?}", CloudInfo::open("https://u:secret@h/")).contains("secret"));
}

#[test]
fn providers_have_names() {
    for provider in Provider::ALL {
        assert_eq!(provider.name().parse(), Ok(provider));
    }
    assert_eq!("aws".parse::<Provider>(), Err(UnknownProvider("aws".to_owned())));
    assert_eq!(
        UnknownProvider("aws".to_owned()).to_string(),
        r#""aws" is no provider; it is one of amazon, google, azure"#
    );
}

//! Answers that are refusals, or none.

use httpx_cloudinfo::{ErrorKind, Provider, Query};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{asked, cloud, fixture, serve, serve_always};

#[tokio::test]
async fn c93_both_shapes_of_a_refusal_are_told() {
    let unknown = r#"{"error":"unknown feature \"bogus\"","validCapabilities":["arm","gpu"]}"#;
    let problem = r#"{"type":"about:blank","title":"Bad Request","status":400,"detail":"no such region"}"#;
    let page = format!("<html>\n  <h1>Not   Found</h1>{}", "x".repeat(500));
    let excerpt = format!("<html> <h1>Not Found</h1>{}", "x".repeat(95));
    for (status, body, message, known, told) in [
        (
            400,
            unknown,
            Some("unknown feature \"bogus\""),
            vec!["arm", "gpu"],
            ": unknown feature \"bogus\"; it knows arm, gpu",
        ),
        (400, problem, Some("no such region"), vec![], ": no such region"),
        (404, r#"{"title":"Gone"}"#, Some("Gone"), vec![], ": Gone"),
        (404, &page, Some(&excerpt), vec![], &format!(": {excerpt}")),
        (401, "", None, vec![], ""),
        (403, "[1]", Some("[1]"), vec![], ": [1]"),
        (400, "{}", None, vec![], ""),
        (201, "ok", Some("ok"), vec![], ": ok"),
    ] {
        let server = serve_always(status, body).await;
        let error = cloud(&server).families(Provider::Amazon, ["bogus"]).await.unwrap_err();
        assert_eq!(error.status().unwrap(), status);
        assert_eq!(
            (error.message(), error.valid_capabilities()),
            (message, &known.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()[..])
        );
        let url = server.url_at("/api/v1/providers/amazon/families?...");
        assert_eq!(error.to_string(), format!("{url} answered {}{told}", error.status().unwrap()));
    }
}

#[tokio::test]
async fn c93_a_busy_server_is_asked_again() {
    let body = fixture("products-response.json");
    let script = Script::first(Fault::status(503)).times(3).then(Answer::status(200).body(body));
    let server = Server::start(script).await.unwrap();
    let found = cloud(&server).products(Provider::Amazon, "eu-west-1", &Query::new()).await.unwrap();
    assert_eq!((found.products.len(), asked(&server).len()), (16, 4));
}

#[tokio::test]
async fn an_answer_that_is_no_such_json_is_an_error_that_names_the_url() {
    for (body, told) in [
        ("<html>", "expected value at line 1 column 1; it begins with \"<html>\""),
        ("{}", "invalid type: map, expected a sequence at line 1 column 0; it begins with \"{}\""),
        (
            "[{\"id\":7}]",
            "invalid type: integer `7`, expected a string at line 1 column 8; it begins with \"[{\\\"id\\\":7}]\"",
        ),
        ("", "EOF while parsing a value at line 1 column 0"),
    ] {
        let server = serve_always(200, body).await;
        let error = cloud(&server).regions(Provider::Amazon).await.unwrap_err();
        let url = server.url_at("/api/v1/providers/amazon/services/compute/regions");
        assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }));
        assert_eq!(error.to_string(), format!("{url} cannot be read: {told}"));
    }
}

#[tokio::test]
async fn no_list_is_an_error_and_null_is_an_empty_one() {
    let server = serve_always(200, "{}").await;
    assert!(cloud(&server).products(Provider::Amazon, "x", &Query::new()).await.is_err());
    assert!(cloud(&server).families(Provider::Amazon, [""; 0]).await.is_err());
    let server = serve_always(200, r#"{"products":null,"families":null}"#).await;
    assert_eq!(cloud(&server).products(Provider::Amazon, "x", &Query::new()).await.unwrap().products, Vec::new());
    assert_eq!(cloud(&server).families(Provider::Amazon, [""; 0]).await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn a_304_that_nobody_asked_for_is_an_error() {
    let server = serve(|_| Answer::status(304)).await;
    assert_eq!(cloud(&server).regions(Provider::Amazon).await.unwrap_err().status().unwrap(), 304);
}

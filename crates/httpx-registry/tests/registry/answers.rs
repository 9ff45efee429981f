//! Which answers say what is published, and which say nothing.

use httpx_faults::{Answer, Fault, Script, Server};
use httpx_registry::ErrorKind;
use semver::Version;

use crate::support::{CONFIG, registry, serve};

#[tokio::test]
async fn not_there_is_said_by_three_statuses_only() {
    for status in [404, 410, 451] {
        let server = serve_crate(Answer::status(status)).await;
        assert_eq!(registry(&server).versions("a").await.unwrap(), None, "{status}");
        assert!(!registry(&server).is_taken("a", &Version::new(1, 0, 0)).await.unwrap(), "{status}");
    }
}

#[tokio::test]
async fn every_other_status_is_an_error_and_never_not_published() {
    for status in [201, 202, 204, 206, 300, 302, 304, 400, 403, 405, 406, 408, 418, 429, 500, 502, 503, 504, 511] {
        let server = serve_crate(Answer::status(status)).await;
        let error = registry(&server).is_taken("a", &Version::new(1, 0, 0)).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Status { status: told, .. } if *told == status), "{error}");
        assert!(error.to_string().starts_with(&format!("{} answered {status}", server.url_at("/1/a"))), "{error}");
    }
}

#[tokio::test]
async fn a_body_without_one_line_of_a_version_is_an_error() {
    for (body, told) in [
        ("", "it is empty, and a crate without versions has no file"),
        ("\n \n", "it is empty, and a crate without versions has no file"),
        ("<html>\nlogin", "no line of it is a version; line 1: not JSON: expected value at line 1 column 1"),
        ("{}", "no line of it is a version; line 1: missing field `name`"),
        ("[1,2]", "no line of it is a version; line 1: invalid type: sequence, expected struct Row"),
    ] {
        let server = serve_crate(Answer::status(200).body(body)).await;
        let error = registry(&server).versions("a").await.unwrap_err();
        assert_eq!(error.to_string(), format!("{} cannot be read: {told}", server.url_at("/1/a")));
    }
}

#[tokio::test]
async fn no_answer_is_an_error_that_tells_its_story() {
    for fault in [Fault::Refused, Fault::CloseAfterRequest, Fault::Garbage, Fault::HalfBodyFin] {
        let name = fault.name();
        let server = Server::start(Script::always(fault)).await.unwrap();
        let error = registry(&server).versions("a").await.unwrap_err();
        let ErrorKind::NoAnswer(call) = error.kind() else { panic!("{name}: {error}") };
        assert_eq!(call.attempts().unwrap().count(), 5, "{name}");
    }
}

async fn serve_crate(answer: Answer) -> Server {
    serve(move |request| match request.path.as_str() {
        "/config.json" => Answer::status(200).body(CONFIG),
        _ => answer.clone(),
    })
    .await
}

//! Answers that carry an `ETag` are sent again only if they changed.

use httpx_cloudinfo::Provider;
use httpx_faults::{Answer, Server};

use crate::support::{cloud, serve};

fn conditions(server: &Server) -> Vec<Option<String>> {
    let requests = server.journal().requests().into_iter();
    requests.map(|request| request.header("if-none-match").map(str::to_owned)).collect()
}

#[tokio::test]
async fn an_unchanged_answer_is_not_sent_again() {
    let server = serve(|request| match request.header("if-none-match") {
        Some("\"1\"") => Answer::status(304),
        Some(_) | None => Answer::status(200).header("etag", "\"1\"").body(r#"{"families":["m5"]}"#),
    })
    .await;
    let cloud = cloud(&server);
    for _ in 0..3 {
        assert_eq!(cloud.families(Provider::Amazon, ["gpu"]).await.unwrap(), ["m5"]);
    }
    assert_eq!(cloud.families(Provider::Amazon, ["arm"]).await.unwrap(), ["m5"]);
    let known = || Some("\"1\"".to_owned());
    assert_eq!(conditions(&server), [None, known(), known(), None], "another question is another answer");
}

#[tokio::test]
async fn a_changed_answer_takes_the_place_of_the_one_that_is_kept() {
    let mut version = 0;
    let server = serve(move |_| {
        version += 1;
        Answer::status(200).header("etag", format!("\"{version}\"")).body(format!(r#"{{"families":["m{version}"]}}"#))
    })
    .await;
    let cloud = cloud(&server);
    for family in ["m1", "m2", "m3"] {
        assert_eq!(cloud.families(Provider::Amazon, [""; 0]).await.unwrap(), [family]);
    }
    assert_eq!(conditions(&server), [None, Some("\"1\"".to_owned()), Some("\"2\"".to_owned())]);
}

#[tokio::test]
async fn what_has_no_etag_or_cannot_be_read_is_not_kept() {
    for (etag, body) in [(None, "[]"), (Some("\"1\""), "<html>")] {
        let server = serve(move |_| {
            let answer = Answer::status(200).body(body);
            etag.map_or(answer.clone(), |etag| answer.header("etag", etag))
        })
        .await;
        let cloud = cloud(&server);
        for _ in 0..2 {
            assert_eq!(cloud.regions(Provider::Amazon).await.is_ok(), body == "[]");
        }
        assert_eq!(conditions(&server), [None, None]);
    }
}

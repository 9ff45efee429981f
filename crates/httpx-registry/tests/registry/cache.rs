//! What was fetched before, and who must confirm it.

use httpx_faults::{Answer, Server};
use httpx_registry::Registry;
use semver::Version;

use crate::support::{CONFIG, builder, line, serve};

/// The index file of `a`: 304 for who has the state `validator` says.
async fn serve_with(validator: (&'static str, &'static str), condition: &'static str) -> Server {
    serve(move |request| match request.path.as_str() {
        "/config.json" => Answer::status(200).body(CONFIG),
        _ if request.header(condition) == Some(validator.1) => Answer::status(304),
        _ => Answer::status(200).header(validator.0, validator.1).body(line("a", "1.0.0")),
    })
    .await
}

/// What the requests for the index file of `a` said in this field.
fn conditions(server: &Server, field: &str) -> Vec<Option<String>> {
    let requests = server.journal().requests().into_iter().filter(|request| request.path == "/1/a");
    requests.map(|request| request.header(field).map(str::to_owned)).collect()
}

async fn count(registry: &Registry) -> usize {
    registry.versions("a").await.unwrap().unwrap().rows().len()
}

#[tokio::test]
async fn an_unchanged_file_comes_from_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    for (validator, condition) in [
        (("etag", "\"abc\""), "if-none-match"),
        (("etag", "W/\"abc\""), "if-none-match"),
        (("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"), "if-modified-since"),
    ] {
        let server = serve_with(validator, condition).await;
        let one = builder(&server).build().unwrap();
        assert_eq!((count(&one).await, count(&one).await), (1, 1));
        let on_disk = || builder(&server).cache(folder.path()).build().unwrap();
        assert_eq!((count(&on_disk()).await, count(&on_disk()).await), (1, 1));
        let known = Some(validator.1.to_owned());
        assert_eq!(conditions(&server, condition), [None, known.clone(), None, known]);
    }
}

#[tokio::test]
async fn with_both_validators_the_etag_is_the_one_that_is_asked_by() {
    let server = serve(|request| match request.path.as_str() {
        "/config.json" => Answer::status(200).body(CONFIG),
        _ => Answer::status(200).header("etag", "\"1\"").header("last-modified", "x").body(line("a", "1.0.0")),
    })
    .await;
    let registry = builder(&server).build().unwrap();
    assert_eq!((count(&registry).await, count(&registry).await), (1, 1));
    assert_eq!(conditions(&server, "if-none-match"), [None, Some("\"1\"".to_owned())]);
    assert_eq!(conditions(&server, "if-modified-since"), [None, None]);
}

#[tokio::test]
async fn what_cannot_be_read_is_not_kept() {
    let mut asked = 0;
    let server = serve(move |request| match request.path.as_str() {
        "/config.json" => Answer::status(200).body(CONFIG),
        _ => {
            asked += 1;
            let body = if asked == 1 { "<html>".to_owned() } else { line("a", "1.0.0") };
            Answer::status(200).header("etag", "\"1\"").body(body)
        }
    })
    .await;
    let registry = builder(&server).build().unwrap();
    assert!(registry.versions("a").await.is_err());
    assert_eq!(count(&registry).await, 1);
    assert_eq!(conditions(&server, "if-none-match"), [None, None]);
}

#[tokio::test]
async fn a_spoilt_file_of_the_cache_is_fetched_anew() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve_with(("etag", "\"abc\""), "if-none-match").await;
    let on_disk = || builder(&server).cache(folder.path()).build().unwrap();
    count(&on_disk()).await;
    let index = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    let no_field = format!("{}\n{}", r#"{"etag":"\"a\nb\""}"#, line("a", "1.0.0"));
    for spoilt in ["", "no json\nx", "{\"etag\":\"\\\"abc\\\"\"}\n<html>", &no_field] {
        std::fs::write(index.join("1/a"), spoilt).unwrap();
        assert_eq!(count(&on_disk()).await, 1, "{spoilt:?}");
    }
    assert_eq!(conditions(&server, "if-none-match"), [None, None, None, None, None]);
}

#[tokio::test]
async fn registries_share_a_folder_and_not_their_files() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let server = serve_with(("etag", "\"abc\""), "if-none-match").await;
        assert_eq!(count(&builder(&server).cache(folder.path()).build().unwrap()).await, 1);
        assert_eq!(conditions(&server, "if-none-match"), [None]);
    }
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_costs_time_only() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let server = serve_with(("etag", "\"abc\""), "if-none-match").await;
    let registry = builder(&server).cache(file.path()).build().unwrap();
    assert_eq!((count(&registry).await, count(&registry).await), (1, 1));
}

#[tokio::test]
async fn c102_who_waits_for_a_version_asks_past_the_caches_on_the_way() {
    let mut polls = 0;
    let server = serve(move |request| {
        if request.path == "/config.json" {
            return Answer::status(200).body(CONFIG);
        }
        polls += 1;
        let old = line("a", "1.0.0");
        // An edge that holds the old file for ten minutes, unless it is told to check with its origin.
        if request.header("cache-control") != Some("no-cache") {
            return Answer::status(200).header("etag", "\"old\"").header("cache-control", "max-age=600").body(old);
        }
        match (polls > 4, request.header("if-none-match")) {
            (true, _) => Answer::status(200).header("etag", "\"new\"").body(format!("{old}\n{}", line("a", "1.1.0"))),
            (false, Some("\"old\"")) => Answer::status(304),
            (false, _) => Answer::status(200).header("etag", "\"old\"").body(old),
        }
    })
    .await;
    let registry = builder(&server).build().unwrap();
    let version = Version::new(1, 1, 0);
    let mut seen = vec![registry.is_taken("a", &version).await.unwrap()];
    for _ in 0..4 {
        seen.push(registry.fresh().is_taken("a", &version).await.unwrap());
    }
    assert_eq!(seen, [false, false, false, false, true]);
    assert!(!registry.is_taken("a", &version).await.unwrap(), "the edge is asked as usual again");
}

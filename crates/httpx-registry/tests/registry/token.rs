//! C73: when a token is sent, and to whom it is not.

use http::StatusCode;
use httpx_faults::{Answer, Request, Server};
use httpx_registry::ErrorKind;

use crate::support::{ARCHIVE, ARCHIVE_SHA256, builder, line, serve};

const LOGIN: &str = r#"Cargo login_url="https://reg.example.test/me""#;

/// A registry that answers nobody without `token`, with one crate whose archives are at `dl`.
async fn private(refusal: Answer, token: &'static str, dl: String) -> Server {
    serve(move |request| match request.header("authorization") {
        Some(shown) if shown == token => answer(request, &dl),
        Some(_) | None => refusal.clone(),
    })
    .await
}

fn answer(request: &Request, dl: &str) -> Answer {
    match request.path.as_str() {
        "/config.json" => {
            let dl = dl.replace("SELF", request.header("host").unwrap());
            Answer::status(200).body(format!(r#"{{"dl":"{dl}","auth-required":true}}"#))
        }
        "/1/a" => Answer::status(200).body(line("a", "1.0.0").replace(r#""00""#, &format!("\"{ARCHIVE_SHA256}\""))),
        "/dl/a/1.0.0/download" => Answer::status(200).body(ARCHIVE),
        _ => Answer::status(404),
    }
}

fn here() -> String {
    "http://SELF/dl".to_owned()
}

fn refusal(status: u16) -> Answer {
    Answer::status(status).header("www-authenticate", LOGIN)
}

/// Each request and the token that it carried.
fn shown(server: &Server) -> Vec<(String, String)> {
    let token = |request: &Request| request.header("authorization").unwrap_or("-").to_owned();
    server.journal().requests().iter().map(|request| (request.path.clone(), token(request))).collect()
}

fn pairs(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(path, token)| ((*path).to_owned(), (*token).to_owned())).collect()
}

async fn download(registry: &httpx_registry::Registry) -> Result<u64, httpx_registry::Error> {
    let folder = tempfile::tempdir().unwrap();
    let row = registry.exact("a", &"1.0.0".parse().unwrap()).await?.unwrap();
    registry.download(&row, folder.path().join("a.crate")).await
}

#[tokio::test]
async fn c73_the_token_goes_along_verbatim_after_401_and_then_always() {
    for token in ["abc", "Bearer abc"] {
        let server = private(refusal(401), token, here()).await;
        let registry = builder(&server).token(token).build().unwrap();
        assert_eq!(download(&registry).await.unwrap(), ARCHIVE.len() as u64);
        let rows = [("/config.json", "-"), ("/config.json", token), ("/1/a", token), ("/dl/a/1.0.0/download", token)];
        assert_eq!(shown(&server), pairs(&rows));
    }
}

#[tokio::test]
async fn c73_a_registry_that_is_open_never_sees_the_token() {
    let server = serve(|request| {
        let answer = answer(request, "http://SELF/dl");
        if request.path == "/config.json" {
            let dl = format!(r#"{{"dl":"http://{}/dl"}}"#, request.header("host").unwrap());
            return answer.body(dl);
        }
        answer
    })
    .await;
    let registry = builder(&server).token("abc").build().unwrap();
    assert_eq!(download(&registry).await.unwrap(), ARCHIVE.len() as u64);
    assert!(shown(&server).iter().all(|(_, token)| token == "-"), "{:?}", shown(&server));
}

#[tokio::test]
async fn c73_without_a_token_the_error_says_where_one_is_to_be_had() {
    for (challenge, login_url) in [
        (LOGIN, Some("https://reg.example.test/me")),
        (r#"Basic realm="x", cargo LOGIN_URL = "https://reg.example.test/me""#, Some("https://reg.example.test/me")),
        (r#"Basic realm="cargo login_url""#, None),
        ("Cargo", None),
        (r#"Bearer realm="r""#, None),
        ("", None),
    ] {
        let server = private(Answer::status(401).header("www-authenticate", challenge), "abc", here()).await;
        let error = builder(&server).build().unwrap().versions("a").await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TokenWanted { .. }), "{error}");
        assert_eq!(error.login_url(), login_url, "{challenge}");
        let told = login_url.map_or(String::new(), |url| format!("; you may get one at {url}"));
        assert_eq!(error.to_string(), format!("{} wants a token{told}", server.url_at("/config.json")));
    }
}

#[tokio::test]
async fn c73_a_token_that_is_refused_is_an_error_that_does_not_tell_it() {
    for status in [401, 403] {
        let server =
            serve(move |request| refusal(if request.header("authorization").is_some() { status } else { 401 })).await;
        let registry = builder(&server).token("hush-hush").build().unwrap();
        let error = registry.versions("a").await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::TokenRefused { status: told, .. } if *told == status), "{error}");
        let told = format!("{error} {error:?} {registry:?} {:?}", builder(&server).token("hush-hush"));
        assert!(!told.contains("hush"), "{told}");
    }
}

#[tokio::test]
async fn c73_some_servers_hide_behind_other_statuses() {
    for status in [400, 403, 404] {
        let server = private(Answer::status(status), "abc", here()).await;
        let plain = builder(&server).token("abc").build().unwrap();
        assert!(plain.versions("a").await.is_err());
        assert_eq!(shown(&server), pairs(&[("/config.json", "-")]), "401 alone asks for a token");

        let told = [StatusCode::BAD_REQUEST, StatusCode::FORBIDDEN, StatusCode::NOT_FOUND];
        let registry = builder(&server).token("abc").token_also_after(told).build().unwrap();
        assert!(registry.versions("a").await.unwrap().is_some());
        let rows = [("/config.json", "-"), ("/config.json", "-"), ("/config.json", "abc"), ("/1/a", "abc")];
        assert_eq!(shown(&server), pairs(&rows));
    }
}

#[tokio::test]
async fn c73_a_redirect_to_another_host_drops_the_token() {
    let elsewhere = serve(|_| Answer::status(200).body(ARCHIVE)).await;
    let there = elsewhere.url_at("/blob");
    let server = serve(move |request| match (request.header("authorization"), request.path.as_str()) {
        (None, _) => refusal(401),
        (Some(_), "/dl/a/1.0.0/download") => Answer::status(302).header("location", there.clone()),
        (Some(_), _) => answer(request, "http://SELF/dl"),
    })
    .await;
    let registry = builder(&server).token("abc").build().unwrap();
    assert_eq!(download(&registry).await.unwrap(), ARCHIVE.len() as u64);
    assert_eq!(shown(&server).last().unwrap(), &("/dl/a/1.0.0/download".to_owned(), "abc".to_owned()));
    assert_eq!(shown(&elsewhere), pairs(&[("/blob", "-")]));
}

#[tokio::test]
async fn c73_archives_on_another_origin_see_the_token_only_when_it_is_trusted() {
    let static_host = private(refusal(401), "abc", here()).await;
    let server = private(refusal(401), "abc", static_host.url_at("/dl")).await;
    let withheld = builder(&server).token("abc").build().unwrap();
    let error = download(&withheld).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TokenWithheld { .. }), "{error}");
    assert_eq!(shown(&static_host), pairs(&[("/dl/a/1.0.0/download", "-")]));

    let trusting = builder(&server).token("abc").trust(static_host.url()).build().unwrap();
    assert_eq!(download(&trusting).await.unwrap(), ARCHIVE.len() as u64);
    assert_eq!(shown(&static_host).last().unwrap().1, "abc");
}

#[test]
fn a_token_that_no_header_can_hold_is_refused_unheard() {
    let error = httpx_registry::Registry::builder("https://r.example/").token("a\nb").build().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Token));
    assert_eq!(error.to_string(), "the token holds a character that no header field may have");
}

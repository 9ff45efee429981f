//! Tokens that are kept from one call to the next.

use std::fs;

use httpx_faults::{Answer, Fault, Request, Script, Server};

use crate::support::{always, send};

/// As an endpoint answers that was asked by somebody who logged in.
const BEFORE: &str = r#"{"access_token":"s3cret-0","token_type":"Bearer","expires_in":60,"refresh_token":"s3cret-r0"}"#;
const AFTER: &str = "{\"access_token\":\"s3cret-2\",\"refresh_token\":\"s3cret-r2\"}\n";

/// Answers with one pair, and then with another.
async fn rotating() -> Server {
    let pair = |number| format!(r#"{{"access_token":"s3cret-{number}","refresh_token":"s3cret-r{number}"}}"#);
    let pair = |number| Answer::status(200).body(pair(number));
    Server::start(Script::first(pair(1)).then(pair(2))).await.unwrap()
}

/// Admits whoever shows this token.
async fn admitting(token: &'static str) -> Server {
    let script = Script::by_request(move |request: &Request| match request.header("authorization") {
        Some(shown) if shown == format!("Bearer {token}") => Fault::Ok,
        _ => Fault::status(401).into(),
    });
    Server::start(script).await.unwrap()
}

#[tokio::test]
async fn tokens_that_are_renewed_are_there_for_the_next_call_and_no_refresh_token_is_shown_twice() {
    let tokens = rotating().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.json");
    fs::write(&file, BEFORE).unwrap();
    // Whom the server admits, how often it is asked, and the refresh tokens that were shown by then.
    let rows: [(&'static str, u64, &[&str]); 3] =
        [("s3cret-1", 2, &["r0"]), ("s3cret-1", 1, &["r0"]), ("s3cret-2", 2, &["r0", "r1"])];
    for (token, asked, shown) in rows {
        let api = admitting(token).await;
        let flags = ["-v", "--token-file", file.to_str().unwrap(), "--refresh-url", &tokens.url()];
        let ran = send(&api.url(), &flags);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, "ok"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("s3cret"), "{}", ran.stderr);
        assert_eq!(api.journal().complete(), asked);
        let text = |request: &Request| String::from_utf8_lossy(&request.body).into_owned();
        let forms: Vec<_> = tokens.journal().requests().iter().map(text).collect();
        let expected = shown.iter().map(|token| format!("grant_type=refresh_token&refresh_token=s3cret-{token}"));
        assert_eq!(forms, expected.collect::<Vec<_>>());
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), AFTER);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn tokens_that_are_not_renewed_stay_as_they_were() {
    let tokens = always(Fault::status(503)).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.json");
    // Whom the server admits, and how the call ends.
    for (token, code) in [("s3cret-0", 0), ("another", 22)] {
        fs::write(&file, BEFORE).unwrap();
        let api = admitting(token).await;
        let flags = ["--token-file", file.to_str().unwrap(), "--refresh-url", &tokens.url()];
        let ran = send(&api.url(), &[&flags[..], &["--auth-origin", api.url().trim_end_matches('/')]].concat());
        assert_eq!((ran.code, fs::read_to_string(&file).unwrap().as_str()), (code, BEFORE), "{}", ran.stderr);
    }
}

#[tokio::test]
async fn a_file_that_holds_no_tokens_is_told_before_anything_is_sent_and_none_is_quoted() {
    let server = always(Fault::Ok).await;
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let form = "is not what a token endpoint answers: JSON with access_token and refresh_token";
    let rows = [
        (folder.path().join("none").to_str().unwrap().to_owned(), "No such file or directory (os error 2)"),
        (file("text", "s3cret"), form),
        (file("alone", r#"{"access_token":"s3cret"}"#), form),
        (file("number", r#"{"access_token":"s3cret","refresh_token":"s3cret","access_token":7}"#), form),
        (file("empty", r#"{"access_token":"s3cret","refresh_token":""}"#), "the token is empty"),
    ];
    for (path, told) in rows {
        let ran = send(&server.url(), &["--token-file", &path, "--refresh-url", "https://h/"]);
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        assert!(ran.stderr.starts_with("httpx: --token-file: ") && ran.stderr.contains(&path), "{}", ran.stderr);
        assert!(ran.stderr.contains(told) && !ran.stderr.contains("s3cret"), "{}", ran.stderr);
    }
    assert_eq!(server.journal().complete(), 0);
}

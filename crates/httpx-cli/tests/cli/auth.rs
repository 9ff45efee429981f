//! Credentials on the command line: what is sent, what is refused, and that no secret is told again.

use assert_cmd::Command;
use httpx_faults::{Answer, Fault, Request, Script, Server};

use crate::support::{always, httpx, send};

fn authorizations(server: &Server) -> Vec<Option<String>> {
    let shown = |request: &Request| request.header("authorization").map(str::to_owned);
    server.journal().requests().iter().map(shown).collect()
}

/// Flags, variables, field.
type Row<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)], Option<&'a str>);

#[tokio::test]
async fn flags_files_and_the_environment_say_who_is_asking() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        format!("@{}", path.display())
    };
    let (token, user) = (file("token", "t0k\n"), file("user", "u:p \r\n"));
    let server = always(Fault::Ok).await;
    let rows: [Row; 12] = [
        (&[], &[], None),
        (&["--bearer", "t0k"], &[], Some("Bearer t0k")),
        (&["--bearer", "Bearer t0k"], &[], Some("Bearer t0k")),
        (&["--bearer", &token], &[], Some("Bearer t0k")),
        (&["--basic", "test:123£"], &[], Some("Basic dGVzdDoxMjPCow==")),
        (&["--basic", &user], &[], Some("Basic dTpwIA==")),
        (&[], &[("HTTPX_BEARER", "t0k")], Some("Bearer t0k")),
        (&[], &[("HTTPX_BASIC", "u:p")], Some("Basic dTpw")),
        (&["--bearer", "flag"], &[("HTTPX_BEARER", "variable"), ("HTTPX_BASIC", "u:p")], Some("Bearer flag")),
        (&["--basic", "u:p"], &[("HTTPX_BEARER", "variable")], Some("Basic dTpw")),
        (&["--bearer", "t0k", "-H", "Authorization: Own x"], &[], Some("Own x")),
        (&["--bearer", "t0k", "--auth-origin", "https://example.test"], &[], None),
    ];
    for (flags, variables, expected) in rows {
        let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
        command.args(["send", &server.url()]).args(flags).envs(variables.iter().copied()).assert().success();
        assert_eq!(authorizations(&server).pop().unwrap().as_deref(), expected, "{flags:?} {variables:?}");
    }
}

#[tokio::test]
async fn flags_that_say_how_leave_who_is_asking_to_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let [config, token] = ["httpx.toml", "token"].map(|name| folder.path().join(name));
    std::fs::write(&token, "t0k").unwrap();
    std::fs::write(&config, format!("[auth]\nbearer_file = {token:?}\norigins = [\"https://example.test\"]\n"))
        .unwrap();
    let server = always(Answer::status(401).header("www-authenticate", "Bearer realm=\"here\"")).await;
    let (url, config) = (server.url(), config.to_str().unwrap());
    let home = url.trim_end_matches('/');
    let shown = Some("Bearer t0k".to_owned());
    let rows: [(&[&str], &[Option<String>]); 5] = [
        (&[], &[None]),
        (&["--auth-origin", home], std::slice::from_ref(&shown)),
        (&["--www-authenticate"], &[None]),
        (&["--www-authenticate", "--auth-origin", home], &[None, shown.clone()]),
        (&["--bearer", "other"], &[Some("Bearer other".to_owned())]),
    ];
    let mut before = 0;
    for (flags, expected) in rows {
        let ran = send(&url, &[&["--config", config], flags].concat());
        assert_eq!((ran.code, &authorizations(&server)[before..]), (22, expected), "{flags:?}: {}", ran.stderr);
        before += expected.len();
    }
}

#[tokio::test]
async fn a_token_is_renewed_and_the_story_says_so() {
    let api = Server::start(Script::by_request(|request| match request.header("authorization") {
        Some("Bearer new") => Fault::Ok,
        _ => Fault::status(401).into(),
    }));
    let api = api.await.unwrap();
    let tokens = always(Answer::status(200).body(r#"{"access_token":"new"}"#)).await;
    let ran =
        send(&api.url(), &["-v", "--bearer", "s3cret", "--refresh-token", "s3cret-r", "--refresh-url", &tokens.url()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "ok"), "{}", ran.stderr);
    assert!(ran.stderr.contains(", token renewed → done"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("s3cret"), "{}", ran.stderr);
    assert_eq!(tokens.journal().requests()[0].body, "grant_type=refresh_token&refresh_token=s3cret-r");
}

#[tokio::test]
async fn a_container_registry_is_read_from_challenge_to_blob() {
    let blob = Server::start(Script::by_request(|request| match request.header("authorization") {
        Some(_) => Fault::status(400).into(), // As presigned storage has it.
        None => Answer::ok().body("layer").into(),
    }));
    let blob = blob.await.unwrap();
    let realm = always(Answer::status(200).body(r#"{"token":"t0k","expires_in":300}"#)).await;
    let (place, asks) = (
        blob.url_at("/layer?sig=1"),
        format!("Bearer realm=\"{}\",service=\"registry.test\",scope=\"repository:a/b:pull\"", realm.url_at("/token")),
    );
    let registry = Server::start(Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer t0k") => Fault::Redirect(307, place.clone()),
        _ => Answer::status(401).header("www-authenticate", asks.clone()).into(),
    }));
    let registry = registry.await.unwrap();
    let url = registry.url_at("/v2/a/b/blobs/sha256:1");

    let ran = send(&url, &["--www-authenticate"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "layer"), "{}", ran.stderr);
    assert_eq!(authorizations(&registry), [None, Some("Bearer t0k".to_owned())]);
    let asked = &realm.journal().requests()[0];
    assert_eq!(asked.path, "/token?service=registry.test&scope=repository%3Aa%2Fb%3Apull");
    assert_eq!((authorizations(&realm), authorizations(&blob)), (vec![None], vec![None]));

    // With a user of the registry.
    assert_eq!(send(&url, &["--www-authenticate", "--basic", "u:p"]).code, 0);
    assert_eq!(authorizations(&realm).pop().unwrap().as_deref(), Some("Basic dTpw"));

    // Without the flag the 401 is the answer.
    assert_eq!(send(&url, &[]).code, 22);
}

#[test]
fn mistakes_name_the_flags_and_no_secret() {
    let url = "http://127.0.0.1:9/";
    let rows: [(&[&str], &str); 10] = [
        (
            &["--basic", "u:s3cret", "--bearer", "s3cret"],
            "--basic and --bearer are both given; a request shows one of them, so leave the other out",
        ),
        (
            &["--basic", "u:s3cret", "--refresh-token", "s3cret", "--refresh-url", "https://h/"],
            "--basic and --refresh-token are both given; a request shows one of them, so leave the other out",
        ),
        (&["--refresh-token", "s3cret"], "--refresh-token is given without --refresh-url; give both or neither"),
        (&["--refresh-url", "https://h/"], "--refresh-url is given without --refresh-token; give both or neither"),
        (&["--basic", "s3cret"], "--basic: there is no colon; write it as user:password"),
        (
            &["--bearer", "s3 s3cret"],
            "--bearer: the token has a space, a line break or another character that no token may have",
        ),
        (&["--bearer", "@no/such"], "--bearer: cannot read no/such: No such file or directory (os error 2)"),
        (
            &["--bearer", "s3cret", "--refresh-token", "s3cret", "--refresh-url", "ftp://u:s3cret@h/"],
            "--refresh-url: POST ftp://h/: unsupported URL scheme: a URL to ask starts with http:// or https://",
        ),
        (
            &["--bearer", "s3cret", "--auth-origin", "h"],
            "--auth-origin: \"h\" is no origin; write it as \"https://host\" or \"https://host:8443\", without a path",
        ),
        (
            &["--auth-origin", "https://h"],
            "--auth-origin is given, and there are no credentials to show there; give them too, such as --bearer",
        ),
    ];
    for (flags, expected) in rows {
        let ran = httpx(["send", url].into_iter().chain(flags.iter().copied()));
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{flags:?}: {}", ran.stderr);
        assert_eq!(ran.stderr.trim_end(), format!("httpx: {expected}"), "{flags:?}");
    }
}

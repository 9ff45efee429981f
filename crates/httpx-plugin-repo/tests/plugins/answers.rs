//! Answers that are empty, partial, or none.

use httpx_faults::{Answer, Fault, Script, Server};
use httpx_plugin_repo::{ErrorKind, PluginRepo};

use crate::support::{asked, nextflow, plugin, quick, registry_of, repo, serve, serve_always, wanted};

#[tokio::test]
async fn c84_an_empty_answer_is_one() {
    for body in [
        r#"{"plugins":[]}"#,
        r#"{"plugins":[{"id":"nf-x","releases":[]}]}"#,
        r#"{"plugins":[{"id":"nf-x","releases":null}]}"#,
        r#"{"plugins":[{"id":"nf-x"}]}"#,
        r#"{"plugins":[{"id":"nf-other","releases":[{"version":"1.0.0","url":"/x.zip"}]}],"next":null}"#,
    ] {
        let server = serve_always(200, body).await;
        let error = repo([server.url()]).resolve(&wanted("nf-x")).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::UnknownPlugin { .. }), "{body}: {error}");
    }
}

#[tokio::test]
async fn c84_what_is_no_answer_is_an_error_that_names_the_url() {
    let page = format!("<html>\n  <h1>Sign   in</h1>{}", "x".repeat(500));
    let excerpt = format!("<html> <h1>Sign in</h1>{}", "x".repeat(97));
    for (path, body, told) in [
        ("/api", "{}", "missing field `plugins` at line 1 column 2; it begins with \"{}\""),
        (
            "/api",
            r#"{"plugins":null}"#,
            "invalid type: null, expected a sequence at line 1 column 15; it begins with \"{\\\"plugins\\\":null}\"",
        ),
        ("/api", &page, &format!("expected value at line 1 column 1; it begins with {excerpt:?}")),
        ("/api", "", "EOF while parsing a value at line 1 column 0"),
        (
            "/plugins.json",
            "null",
            "invalid type: null, expected a sequence at line 1 column 4; it begins with \"null\"",
        ),
        ("/plugins.json", "{}", "invalid type: map, expected a sequence at line 1 column 0; it begins with \"{}\""),
    ] {
        let server = serve_always(200, body).await;
        let error = repo([server.url_at(path)]).resolve(&wanted("nf-x")).await.unwrap_err();
        let url = match path {
            "/api" => server.url_at("/api/v1/plugins/dependencies?..."),
            _ => server.url_at(path),
        };
        assert!(matches!(error.kind(), ErrorKind::Unreadable { .. }));
        assert_eq!(error.to_string(), format!("{url} cannot be read: {told}"), "{body}");
    }
}

#[tokio::test]
async fn c84_a_release_without_an_archive_is_never_chosen() {
    let releases = r#"[{"version":"3.0.0"},{"version":"2.0.0","url":null},{"version":"1.5.0","url":""},
        {"version":"1.0.0","url":"/x.zip","someday":{"more":true}}]"#;
    let server = serve_always(200, format!(r#"{{"plugins":[{{"id":"nf-x","releases":{releases}}}]}}"#)).await;
    let repo = repo([server.url()]);
    assert_eq!(repo.resolve(&wanted("nf-x")).await.unwrap().release.version, "1.0.0");
    for version in ["3.0.0", "2.0.0", "1.5.0"] {
        let error = repo.resolve(&wanted(&format!("nf-x@{version}"))).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NoArchive { .. }));
        assert_eq!(error.to_string(), format!("nf-x {version} has no archive: its repository names no url"));
    }
}

#[tokio::test]
async fn c84_of_two_rows_of_a_release_the_one_with_an_archive_counts() {
    let (bare, whole) = (r#"{"version":"1.0.0"}"#, r#"{"version":"1.0.0","url":"/x.zip"}"#);
    for plugins in [
        format!(r#"[{{"id":"nf-x","releases":[{bare},{whole}]}}]"#),
        format!(r#"[{{"id":"nf-x","releases":[{whole},{bare}]}}]"#),
        format!(r#"[{{"id":"nf-x","releases":[{bare}]}},{{"id":"nf-x","releases":[{whole}]}}]"#),
        format!(r#"[{{"id":"nf-x","releases":[{whole}]}},{{"id":"nf-x","releases":[{bare}]}}]"#),
    ] {
        let server = serve_always(200, &*plugins).await;
        let repo = repo([server.url_at("/plugins.json")]);
        for asked in ["nf-x", "nf-x@1.0.0"] {
            let found = repo.resolve(&wanted(asked)).await.unwrap();
            assert_eq!(found.url.as_str(), server.url_at("/x.zip"), "{asked} {plugins}");
        }
        let told = repo.resolve(&wanted("nf-x@2.0.0")).await.unwrap_err().to_string();
        assert_eq!(told, "nf-x has no version 2.0.0; the nearest are 1.0.0", "{plugins}");
    }
}

#[tokio::test]
async fn versions_that_are_no_semver_are_found_by_their_text_only_and_so_it_is_told() {
    let server = serve_always(200, registry_of(&[plugin("nf-x", &[("1.0", ""), ("v2.0.0", "")])])).await;
    let repo = repo([server.url()]);
    for version in ["1.0", "v2.0.0"] {
        assert_eq!(repo.resolve(&wanted(&format!("nf-x@{version}"))).await.unwrap().release.version, version);
    }
    let told = "no release of nf-x is the newest, since no version is one by SemVer, like 1.0.0; there are 1.0, v2.0.0";
    assert_eq!(repo.resolve(&wanted("nf-x")).await.unwrap_err().to_string(), told);
}

#[tokio::test]
async fn one_odd_row_spoils_no_other() {
    let sound = r#"{"version":"1.0.0","url":"/x.zip"}"#;
    let odd = r#"{"version":"2.0.0","url":"/x.zip","requires":23}"#;
    let body = format!(
        r#"[{{"id":5}}, 7, ["nf-x"], {{"id":"nf-x","releases":[{odd},{sound}]}}, {{"id":"nf-odd","releases":[{odd}]}},
        {{"id":"nf-hidden","releases":[{sound},{{"version":3}}]}}, {{"id":"nf-none","releases":"none"}}]"#
    );
    let server = serve_always(200, body).await;
    let repo = repo([server.url_at("/plugins.json")]);
    let number = "invalid type: integer `23`, expected a string";
    let three = "a release of nf-hidden: invalid type: integer `3`, expected a string";
    for (asked, told) in [
        ("nf-x", Ok("1.0.0")),
        ("nf-x@1.0.0", Ok("1.0.0")),
        ("nf-x@2.0.0", Err(format!("release 2.0.0 of nf-x: {number}"))),
        ("nf-odd", Err(format!("release 2.0.0 of nf-odd: {number}"))),
        ("nf-hidden", Err(three.to_owned())),
        ("nf-hidden@1.0.0", Ok("1.0.0")),
        ("nf-hidden@2.0.0", Err(three.to_owned())),
        ("nf-none", Err("a release of nf-none: its releases are no list".to_owned())),
    ] {
        let found = repo.resolve(&wanted(asked)).await;
        let found = found.map(|found| found.release.version).map_err(|error| error.to_string());
        let url = server.url_at("/plugins.json");
        let told = told.map(str::to_owned).map_err(|told| format!("{url} cannot be read: {told}"));
        assert_eq!(found, told, "{asked}");
    }
    let told = repo.resolve(&wanted("nf-x@3.0.0")).await.unwrap_err().to_string();
    assert_eq!(told, "nf-x has no version 3.0.0; the nearest are 1.0.0");
}

#[tokio::test]
async fn a_refusal_is_an_error_that_says_how_it_begins() {
    for (status, body, told) in [
        (400, r#"{"message": "bad id"}"#, "; it begins with \"{\\\"message\\\": \\\"bad id\\\"}\""),
        (404, "", ""),
        (204, "", ""),
    ] {
        let server = serve_always(status, body).await;
        let error = repo([server.url()]).resolve(&wanted("nf-x")).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Status { status: told, .. } if *told == status), "{error}");
        assert!(error.to_string().ends_with(told), "{error}");
    }
}

#[tokio::test]
async fn a_busy_repository_is_asked_again() {
    let body = registry_of(&[plugin("nf-x", &[("1.0.0", "")])]);
    let script = Script::first(Fault::status(503)).times(3).then(Answer::status(200).body(body));
    let server = Server::start(script).await.unwrap();
    repo([server.url()]).resolve(&wanted("nf-x")).await.unwrap();
    assert_eq!(server.journal().recorded(), 4);
}

#[tokio::test]
async fn many_plugins_are_one_question() {
    let server = serve(|_| {
        let plugins = [plugin("a", &[("1.0.0+b", "")]), plugin("b", &[("2.0.0", "")])];
        Answer::status(200).body(registry_of(&plugins))
    })
    .await;
    for path in ["/api", "/api/"] {
        let before = asked(&server).len();
        let repo = PluginRepo::builder(nextflow("26.08.0-edge")).client(quick()).repository(server.url_at(path));
        let repo = repo.build().unwrap();
        let all = repo.resolve_all(&[wanted("a@1.0.0+b"), wanted("b"), wanted("c"), wanted("b")]).await;
        let versions: Vec<_> =
            all.iter().map(|found| found.as_ref().ok().map(|found| &found.release.version[..])).collect();
        assert_eq!(versions, [Some("1.0.0+b"), Some("2.0.0"), None, Some("2.0.0")]);
        let question = "/api/v1/plugins/dependencies?plugins=a@1.0.0%2Bb,b,c&nextflowVersion=26.08.0-edge";
        assert_eq!(asked(&server)[before..], [question]);
    }
}

#[test]
fn what_is_no_repository_is_refused_without_its_password() {
    for (url, told) in [
        ("host", r#""host" is no repository: relative URL without a base"#),
        ("ftp://host/", r#""ftp://host/" is no repository: "ftp" is neither http nor https"#),
        ("file:///plugins.json", r#""file:///plugins.json" is no repository: "file" is neither http nor https"#),
        (
            "http://u:secret@host/api?token=secret",
            r#""http://host/api?..." is no repository: a question cannot be joined to a query"#,
        ),
    ] {
        let error = PluginRepo::open(nextflow("24.04.4"), [url]).unwrap_err();
        assert_eq!(error.to_string(), format!("{told}; it is like https://host/api or https://host/plugins.json"));
    }
    let error = PluginRepo::open(nextflow("24.04.4"), [""; 0]).unwrap_err();
    assert_eq!(error.to_string(), "no repository is given; it is like https://host/api or https://host/plugins.json");
    let builder = PluginRepo::builder(nextflow("24.04.4")).repository("https://u:secret@host/plugins.json?t=secret");
    let told = format!("{builder:?}") + &format!("{:?}", builder.build().unwrap());
    assert!(!told.contains("secret"), "{told}");
}

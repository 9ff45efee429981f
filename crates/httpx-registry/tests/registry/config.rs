//! Where things are: the URL of the index, `config.json`, templates of archives.

use httpx_registry::{Config, ErrorKind, Registry};

use crate::support::{CONFIG, asked, line_with, registry, row, serve_files};

fn config(json: &str) -> Config {
    serde_json::from_str(json).unwrap()
}

#[test]
fn c75_the_url_of_an_index_has_a_slash_at_its_end_and_may_start_with_sparse() {
    for (given, index) in [
        ("sparse+https://r.example/index", "https://r.example/index/"),
        ("sparse+https://r.example/index/", "https://r.example/index/"),
        ("https://r.example/index", "https://r.example/index/"),
        ("sparse+http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
        (" sparse+https://r.example/a/b/ \n", "https://r.example/a/b/"),
    ] {
        assert_eq!(Registry::open(given).unwrap().index().as_str(), index, "{given:?}");
    }
}

#[test]
fn c75_what_is_no_url_of_an_index_is_refused_with_what_would_be_right() {
    for (given, told) in [
        ("r.example/index", "relative URL without a base"),
        ("git+https://r.example/index", "\"git+https\" is neither http nor https"),
        ("sparse+file:///index", "\"file\" is neither http nor https"),
        ("https://r.example/index?a=b", "files cannot be joined to a query or fragment"),
        ("", "relative URL without a base"),
    ] {
        let error = Registry::open(given).unwrap_err();
        let shown = given.replace("a=b", "...");
        let right = "it is like sparse+https://host/index/";
        assert_eq!(error.to_string(), format!("{shown:?} is not the URL of an index: {told}; {right}"));
    }
}

#[test]
fn the_password_of_an_index_that_is_refused_is_not_told() {
    let error = Registry::open("ftp://user:secret@r.example/index?key=secret").unwrap_err();
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
}

#[tokio::test]
async fn c75_config_is_asked_for_once_below_the_index() {
    let files = [("/deep/index/config.json", CONFIG)];
    let server = serve_files(&files).await;
    let registry = Registry::open(&format!("sparse+{}", server.url_at("/deep/index"))).unwrap();
    assert_eq!(registry.versions("serde").await.unwrap(), None);
    assert_eq!(registry.versions("Inflector").await.unwrap(), None);
    assert_eq!(asked(&server), ["/deep/index/config.json", "/deep/index/se/rd/serde", "/deep/index/in/fl/inflector"]);
}

#[tokio::test]
async fn c75_without_dl_or_config_there_is_an_error_that_names_the_url() {
    for (body, told) in [
        (Some("{}"), "cannot be read: missing field `dl` at line 1 column 2; it begins with \"{}\""),
        (Some("<html>"), "cannot be read: expected value at line 1 column 1; it begins with \"<html>\""),
        (None, "there is no registry"),
    ] {
        let files: Vec<_> = body.iter().map(|body| ("/config.json", *body)).collect();
        let server = serve_files(&files).await;
        let error = registry(&server).versions("serde").await.unwrap_err().to_string();
        assert!(error.contains(told) && error.contains(&server.url_at("/config.json")), "{error}");
    }
}

#[test]
fn c75_keys_of_other_servers_are_ignored() {
    let known = config(r#"{"dl":"d","api":"a","commands":["x"],"allowed-registries":null,"auth-required":true}"#);
    assert_eq!((known.dl.as_str(), known.api.as_deref(), known.auth_required), ("d", Some("a"), true));
    let open = config(r#"{"dl":"d"}"#);
    assert_eq!((open.api, open.auth_required), (None, false));
}

#[test]
fn c75_the_api_is_joined_with_one_slash_and_no_segment_twice() {
    for api in ["https://r.example/cargo", "https://r.example/cargo/", "https://r.example/cargo/api/v1/"] {
        let config = config(&format!(r#"{{"dl":"d","api":"{api}"}}"#));
        for path in ["crates/new", "/crates/new"] {
            assert_eq!(config.api_url(path).unwrap(), "https://r.example/cargo/api/v1/crates/new", "{api} {path}");
        }
    }
}

#[test]
fn c75_without_an_api_publishing_is_refused() {
    let error = config(CONFIG).api_url("crates/new").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::ReadOnly));
    assert_eq!(
        error.to_string(),
        "the registry is read-only: its config.json names no api, so nothing can be published"
    );
}

#[test]
fn c67_dl_is_a_template_or_gets_a_path_of_its_own() {
    let base = "https://static.example/crates";
    for (dl, url) in [
        ("", "/MyCrate/1.2.3/download"),
        ("/{crate}/{version}.crate", "/MyCrate/1.2.3.crate"),
        ("/{prefix}/{crate}", "/My/Cr/MyCrate"),
        ("/{lowerprefix}/{crate}", "/my/cr/MyCrate"),
        ("/{sha256-checksum}", "/00"),
        ("/{unknown}/x", "/{unknown}/x/MyCrate/1.2.3/download"),
        ("/{unknown}/{version}", "/{unknown}/1.2.3"),
        ("/{crate}/{crate}-{version}.crate", "/MyCrate/MyCrate-1.2.3.crate"),
        ("/{CRATE}", "/{CRATE}/MyCrate/1.2.3/download"),
    ] {
        let config = config(&format!(r#"{{"dl":"{base}{dl}"}}"#));
        let row = row(&line_with("MyCrate", "1.2.3", ""));
        assert_eq!(config.archive_url(&row).unwrap(), format!("{base}{url}"), "{dl}");
    }
}

#[test]
fn c67_the_plus_of_build_metadata_stays() {
    let row = row(&line_with("wasi", "0.9.0+wasi-snapshot-preview1", ""));
    for (dl, url) in [
        ("https://s.example", "https://s.example/wasi/0.9.0+wasi-snapshot-preview1/download"),
        ("https://s.example/{version}.crate", "https://s.example/0.9.0+wasi-snapshot-preview1.crate"),
    ] {
        assert_eq!(config(&format!(r#"{{"dl":"{dl}"}}"#)).archive_url(&row).unwrap(), url);
    }
}

#[test]
fn c67_short_names_have_short_prefixes() {
    let config = config(r#"{"dl":"https://s.example/{prefix}"}"#);
    for (name, prefix) in [("a", "1"), ("Ab", "2"), ("Abc", "3/A"), ("Abcd", "Ab/cd"), ("crates-index", "cr/at")] {
        let url = config.archive_url(&row(&line_with(name, "1.0.0", ""))).unwrap();
        assert_eq!(url, format!("https://s.example/{prefix}"));
    }
}

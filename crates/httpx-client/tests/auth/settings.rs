//! Credentials from a file of settings, and what is said of mistakes in it.

use std::path::Path;

use crate::support::{admits, authorizations, endpoint, json};
use httpx_client::{Auth, AuthConfig, Client, ClientBuilder, Config};
use httpx_faults::{Answer, Fault, Script, Server};

/// A client with this table, whose files stand in `folder`.
fn client(folder: &Path, table: &str) -> Result<Client, String> {
    for (name, text) in [("user", "u:s3cret\n"), ("access", "old\r\n"), ("refresh", "r1\n"), ("bad", "s3 cret")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let table = table.replace("_file = \"", &format!("_file = \"{}/", folder.display()));
    let config: Config = format!("delay = \"1ms\"\n[auth]\n{table}").parse().map_err(|error| format!("{error}"))?;
    ClientBuilder::from(config).build().map_err(|error| error.to_string())
}

#[tokio::test]
async fn a_table_of_settings_amounts_to_an_auth() {
    let folder = tempfile::tempdir().unwrap();
    let rows = [
        ("", vec![vec![]]),
        ("basic_file = \"user\"", vec![vec!["Basic dTpzM2NyZXQ="]]),
        ("bearer_file = \"access\"", vec![vec!["Bearer old"]]),
        ("bearer_file = \"access\"\norigins = [\"https://example.test\"]", vec![vec![]]),
        ("basic_file = \"user\"\nwww_authenticate = true", vec![vec![], vec!["Basic dTpzM2NyZXQ="]]),
        ("www_authenticate = true", vec![vec![]]),
        ("www_authenticate = false", vec![vec![]]),
    ];
    for (table, expected) in rows {
        let asks = Answer::status(401).header("www-authenticate", "Basic realm=\"r\"");
        let api = Server::start(Script::always(asks)).await.unwrap();
        client(folder.path(), table).unwrap().get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!(authorizations(&api), expected, "{table}");
    }

    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let table = format!(
        "bearer_file = \"access\"\nrefresh_token_file = \"refresh\"\nrefresh_url = \"{}\"",
        tokens.url_at("/token")
    );
    let client = client(folder.path(), &table).unwrap();
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
}

#[test]
fn settings_that_do_not_go_together_are_refused_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let url = "refresh_url = \"https://example.test/t\"";
    let rows = [
        (
            "basic_file = \"user\"\nbearer_file = \"access\"".to_owned(),
            "auth: basic and bearer are both set; a request shows one of them, so leave the other out",
        ),
        (
            format!("basic_file = \"user\"\nrefresh_token_file = \"refresh\"\n{url}"),
            "auth: basic and refresh_token are both set; a request shows one of them, so leave the other out",
        ),
        (
            format!("bearer_file = \"access\"\nrefresh_token_file = \"refresh\"\nwww_authenticate = true\n{url}"),
            "auth: refresh_token and www_authenticate are both set; a request shows one of them, so leave the other out",
        ),
        (url.to_owned(), "auth: refresh_url is set without refresh_token; set both or neither"),
        (
            "refresh_token_file = \"refresh\"".to_owned(),
            "auth: refresh_token is set without refresh_url; set both or neither",
        ),
        (
            format!("refresh_token_file = \"refresh\"\n{url}"),
            "auth: refresh_token is set without bearer; set both or neither",
        ),
        (
            "bearer_file = \"bad\"".to_owned(),
            "auth: bearer: the token has a space, a line break or another character that no token may have",
        ),
        ("basic_file = \"bad\"".to_owned(), "auth: basic: there is no colon; write it as user:password"),
        (
            "origins = [\"example.test\"]".to_owned(),
            "auth: origins: \"example.test\" is no origin; write it as \"https://host\" or \"https://host:8443\", \
             without a path",
        ),
        (
            "origins = [\"https://example.test\"]".to_owned(),
            "auth: origins is set, and there are no credentials to show there",
        ),
        ("bearer = \"s3cret\"".to_owned(), "line 3: unknown field `bearer`, expected one of `basic_file`, "),
    ];
    for (table, expected) in rows {
        let told = client(folder.path(), &table).unwrap_err();
        assert!(told.starts_with(expected), "{table}: {told}");
        assert!(!told.contains("cret"), "{told}");
    }
    let told = client(folder.path(), "bearer_file = \"no-such\"").unwrap_err();
    assert!(told.starts_with("auth: bearer_file: cannot read ") && told.contains("no-such: "), "{told}");
}

#[test]
fn settings_and_code_are_not_both_heard() {
    let config = Config { auth: Some(AuthConfig::default()), ..Config::default() };
    let told = ClientBuilder::from(config).auth(Auth::bearer("t").unwrap()).build().unwrap_err().to_string();
    assert_eq!(told, "Config::auth and Auth::bearer are both set; a client has one Auth, so leave one of them out");
}

#[tokio::test]
async fn nobody_is_asked_for_when_nothing_is_set() {
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let config = Config { auth: Some(AuthConfig::default()), ..Config::default() };
    ClientBuilder::from(config).build().unwrap().get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!(authorizations(&api), [[""; 0]]);
}

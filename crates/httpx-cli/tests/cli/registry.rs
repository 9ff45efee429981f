//! `httpx registry`: tables for people, JSON for programs, and exit codes for both.

use httpx_faults::{Answer, Fault, Script, Server};
use serde_json::json;

use crate::support::{Ran, httpx};

const ARCHIVE: &str = "an archive";
const ARCHIVE_SHA256: &str = "9e691d5adacf0e102f203100842ffaba4e2a7dfe3dbd536827d3c0db8c7e88f1";

fn line(vers: &str, yanked: bool) -> String {
    json!({"name": "a", "vers": vers, "deps": [], "cksum": ARCHIVE_SHA256, "features": {}, "yanked": yanked})
        .to_string()
}

async fn registry() -> Server {
    let script = Script::by_request(|request| {
        let host = request.header("host").unwrap();
        Fault::from(match request.path.as_str() {
            "/config.json" => Answer::status(200).body(format!(r#"{{"dl":"http://{host}/dl/{{version}}"}}"#)),
            "/1/a" => Answer::status(200).body([line("1.0.0", false), line("1.1.0", true)].join("\n")),
            "/dl/1.0.0" => Answer::status(200).body(ARCHIVE),
            "/1/b" => Answer::status(403),
            "/2/ab" => {
                Answer::status(200).body(line("1.0.0", false).replace("\"a\"", "\"ab\"") + "\n{\"name\":\"ab\",\"ve")
            }
            "/2/v3" => Answer::status(200).body(r#"{"name":"v3","vers":"1.0.0","v":3}"#),
            _ => Answer::status(404),
        })
    });
    Server::start(script).await.unwrap()
}

async fn ask(arguments: &[&str]) -> Ran {
    let server = registry().await;
    let index = format!("sparse+{}/", server.url());
    httpx(["registry", "--index", &index].into_iter().chain(arguments.iter().copied()))
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_are_a_table_with_the_yanked_ones() {
    let ran = ask(&["versions", "a"]).await;
    let rows: Vec<_> = ran.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(rows[0], ["version", "yanked", "rust", "dependencies", "sha256"]);
    assert_eq!(rows[2], ["1.0.0", "0", ARCHIVE_SHA256]);
    assert_eq!(rows[3], ["1.1.0", "yanked", "0", ARCHIVE_SHA256]);
    assert_eq!((ran.code, ran.stdout.lines().last().unwrap()), (0, "2 versions"));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_has_the_names_of_the_index() {
    let ran = ask(&["versions", "a", "--json"]).await;
    assert_eq!(
        (ran.code, ran.json()[1]["vers"].as_str(), ran.json()[1]["yanked"].as_bool()),
        (0, Some("1.1.0"), Some(true))
    );
    let ran = ask(&["newest", "a", "--json"]).await;
    assert_eq!((ran.code, ran.json()["cksum"].as_str()), (0, Some(ARCHIVE_SHA256)));
    let ran = ask(&["config", "--json"]).await;
    assert!(ran.json()["dl"].as_str().unwrap().ends_with("/dl/{version}"), "{}", ran.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_an_answer_and_what_cannot_be_asked_is_a_failure() {
    for (arguments, code, told) in [
        (&["newest", "a"][..], 0, "1.0.0\n"),
        (&["newest", "a", "^1.1"], 22, "no version of \"a\" that can be used and is not yanked satisfies ^1.1\n"),
        (&["newest", "c"], 22, "the registry has no crate \"c\"\n"),
        (
            &["newest", "v3"],
            22,
            "line 1 is not used: its schema is 3, newer than 2\n\
             no version of \"v3\" that can be used and is not yanked satisfies *\n",
        ),
        (
            &["newest", "ab"],
            7,
            "line 2 is not used: not JSON: EOF while parsing a string at line 1 column 16\n\
             httpx: which version is the newest is not known: line 2 hides which one it is\n",
        ),
        (&["versions", "c"], 22, "the registry has no crate \"c\"\n"),
        (&["download", "a", "2.0.0"], 22, "the registry has no a 2.0.0\n"),
    ] {
        let ran = ask(arguments).await;
        assert_eq!((ran.code, format!("{}{}", ran.stdout, ran.stderr).as_str()), (code, told), "{arguments:?}");
    }
    let ran = ask(&["versions", "b"]).await;
    assert_eq!(ran.code, 7);
    assert!(ran.stderr.ends_with("answered 403 Forbidden, which says neither what is published nor that nothing is\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archive_is_saved_when_it_is_verified() {
    let file = tempfile::tempdir().unwrap().keep().join("a.crate");
    let ran = ask(&["download", "a", "1.0.0", "-o", file.to_str().unwrap(), "--json"]).await;
    let told = json!({"file": file, "bytes": 10, "sha256": ARCHIVE_SHA256});
    assert_eq!((ran.code, ran.json(), std::fs::read_to_string(&file).unwrap().as_str()), (0, told, ARCHIVE));
    std::fs::remove_dir_all(file.parent().unwrap()).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_written_is_told_once() {
    let file = tempfile::tempdir().unwrap().path().join("gone/a.crate");
    let ran = ask(&["download", "a", "1.0.0", "-o", file.to_str().unwrap()]).await;
    let told = format!("/dl/1.0.0: cannot write {}: No such file or directory (os error 2)\n", file.display());
    assert!(ran.code == 7 && ran.stderr.starts_with("httpx: GET http://127.0.0.1:"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with(&told) && ran.stderr.matches("cannot write").count() == 1, "{}", ran.stderr);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_crate_can_be_called_is_a_mistake_and_not_sent() {
    for name in ["../x", ""] {
        for arguments in [&["versions", name][..], &["newest", name], &["download", name, "1.0.0"]] {
            let ran = ask(arguments).await;
            let told = "is no name of a crate: it has ASCII letters, digits, - and _ only, and at least one";
            assert_eq!((ran.code, ran.stderr), (2, format!("httpx: {name:?} {told}\n")), "{arguments:?}");
        }
    }
}

#[test]
fn a_registry_must_be_named() {
    for (arguments, told) in [
        (
            &["registry", "config"][..],
            "httpx: which registry? say --index sparse+https://host/index/, or set HTTPX_REGISTRY_INDEX\n",
        ),
        (
            &["registry", "config", "--index", "host"],
            "httpx: \"host\" is not the URL of an index: relative URL without a base; it is like sparse+https://host/index/\n",
        ),
    ] {
        let ran = httpx(arguments.iter().copied());
        assert_eq!((ran.code, ran.stderr.as_str()), (2, told));
    }
}

//! The consumers and servers that are not as they should be.

use httpx_faults::{Answer, Fault, Script, Server};
use serde_json::json;

use crate::support::{Ran, always, httpx};

/// What a terminal would obey: clear the screen, and call the window something else.
const ORDERS: &str = "\u{1b}[2J\u{1b}]0;pwn\u{7}\u{9b}2J";

/// What is left of it.
const OBEYED_BY_NOBODY: &str = "[2J ]0;pwn  2J";

async fn cloudinfo(answer: Answer, question: &[&str]) -> Ran {
    let server = always(answer).await;
    httpx([&["cloudinfo", "--endpoint", &server.url()], question].concat())
}

/// A repository that answers all with these plugins.
async fn repository(plugins: &serde_json::Value) -> Server {
    always(Answer::status(200).body(json!({"plugins": plugins}).to_string())).await
}

fn release(version: &str) -> serde_json::Value {
    json!({"version": version, "url": "/x.zip"})
}

#[tokio::test(flavor = "multi_thread")]
async fn no_server_gives_orders_to_the_terminal() {
    let refused = Answer::status(400).body(json!({"error": format!("bad{ORDERS}\nworse")}).to_string());
    let ran = cloudinfo(refused, &["regions", "amazon"]).await;
    assert!(
        ran.stderr.ends_with(&format!("answered 400 Bad Request: bad {OBEYED_BY_NOBODY} worse\n")),
        "{:?}",
        ran.stderr
    );

    let regions = json!([{"id": format!("r1{ORDERS}"), "name": "Two\nlines"}]);
    let ran = cloudinfo(Answer::status(200).body(regions.to_string()), &["regions", "amazon"]).await;
    assert!(
        ran.stdout.contains(&format!("r1 {OBEYED_BY_NOBODY}")) && ran.stdout.contains("Two lines"),
        "{:?}",
        ran.stdout
    );
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{:?}", ran.stdout);

    let config = json!({"dl": format!("d{ORDERS}")});
    let server = always(Answer::status(200).body(config.to_string())).await;
    let ran = httpx(["registry", "config", "--index", &server.url()]);
    assert!(ran.stdout.contains(&format!("d {OBEYED_BY_NOBODY}")), "{:?}", ran.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn cloudinfo_ends_with_what_the_answer_was() {
    for (answer, question, code, told) in [
        (Answer::status(400), &["regions", "amazon"][..], 22, "answered 400 Bad Request\n"),
        (Answer::status(204), &["regions", "amazon"], 7, "answered 204 No Content\n"),
        (Answer::status(304), &["regions", "amazon"], 7, "answered 304 Not Modified\n"),
        (Answer::status(200), &["products", "amazon", ".."], 2, "\"..\" is no id of a region; it is like eu-west-1\n"),
        (Answer::status(200), &["products", "amazon", ""], 2, "\"\" is no id of a region; it is like eu-west-1\n"),
    ] {
        let ran = cloudinfo(answer, question).await;
        assert_eq!(ran.code, code, "{question:?}: {}", ran.stderr);
        assert!(ran.stderr.ends_with(told), "{}", ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_are_sorted_by_number_and_version_and_not_by_text() {
    let product = |name: &str, cpus: u32| {
        json!({"type": name, "category": "", "cpusPerVm": cpus, "memPerVm": 1, "gpusPerVm": 0, "onDemandPrice": 1,
            "ntwPerf": "", "ntwPerfCategory": "", "currentGen": true})
    };
    let products = json!({"products": [product("ten", 10), product("two", 2)]});
    let firsts = |ran: &Ran| -> Vec<String> {
        let rows = ran.stdout.lines().skip(2).take_while(|line| !line.is_empty());
        rows.map(|row| row.split_whitespace().take(2).collect::<Vec<_>>().join(" ")).collect()
    };
    for (sort, order) in [("cpus", ["two 2", "ten 10"]), ("-cpus", ["ten 10", "two 2"])] {
        let question = ["products", "amazon", "r", "--sort", sort];
        let ran = cloudinfo(Answer::status(200).body(products.to_string()), &question).await;
        assert_eq!(firsts(&ran), order, "{sort}: {}{}", ran.stdout, ran.stderr);
    }
    let plugins = json!([
        {"id": "a", "releases": [release("0.10.0")]},
        {"id": "b", "releases": [release("0.9.0")]},
    ]);
    let server = repository(&plugins).await;
    for (sort, order) in [("version", ["b 0.9.0", "a 0.10.0"]), ("-version", ["a 0.10.0", "b 0.9.0"])] {
        let repository = server.url();
        let ran = httpx([
            "plugins",
            "resolve",
            "a",
            "b",
            "--nextflow",
            "24.04.4",
            "--repository",
            &repository,
            "--sort",
            sort,
        ]);
        assert_eq!(firsts(&ran), order, "{sort}: {}{}", ran.stdout, ran.stderr);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_that_fails_outweighs_a_plugin_that_is_missing() {
    // One that has `a` and no `none`, and refuses every question about `dead`.
    let script = Script::by_request(|request| {
        Fault::from(match request.path.contains("dead") {
            true => Answer::status(403),
            false => {
                Answer::status(200).body(json!({"plugins": [{"id": "a", "releases": [release("1.0.0")]}]}).to_string())
            }
        })
    });
    let server = Server::start(script).await.unwrap();
    for (plugins, code) in
        [(&["a"][..], 0), (&["a", "none"], 22), (&["a", "dead"], 7), (&["none", "dead"], 7), (&["dead", "none"], 7)]
    {
        let url = server.url();
        let ran = httpx([&["plugins", "resolve", "--nextflow", "24.04.4", "--repository", &url], plugins].concat());
        assert_eq!(ran.code, code, "{plugins:?}: {}", ran.stderr);
    }
}

#[test]
fn a_nextflow_begins_with_a_number() {
    for (version, further) in [("v24.04.4", ", without the v"), ("latest", ""), ("x", "")] {
        let nowhere = "http://127.0.0.1:9/";
        let ran = httpx(["plugins", "resolve", "a", "--nextflow", version, "--repository", nowhere]);
        let told =
            format!("httpx: --nextflow: {version:?} is no version of Nextflow; it is like 24.04.4 or 26.08.0-edge");
        assert_eq!((ran.code, ran.stderr), (2, format!("{told}{further}\n")));
    }
}

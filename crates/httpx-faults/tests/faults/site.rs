//! Every fault under a URL of its own.

use httpx_faults::{Fault, Layer, Site};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::bare::{Seen, listen_to, read_all};

/// The answer to a GET of `url`, on a connection of its own.
async fn get(url: &str) -> (String, Seen) {
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all(format!("GET /{path} HTTP/1.1\r\nConnection: close\r\n\r\n").as_bytes()).await.unwrap();
    read_all(&mut socket).await
}

/// The status and the body of an answer that is whole.
async fn get_whole(url: &str) -> (u16, String) {
    let (answer, end) = get(url).await;
    assert_eq!(end, Seen::Fin, "{answer}");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn every_fault_has_a_url_and_stands_in_the_list() {
    let site = Site::start().await.unwrap();
    let names: Vec<_> = site.exhibits().iter().map(|exhibit| exhibit.name).collect();
    assert_eq!(names, Fault::all().iter().map(Fault::name).collect::<Vec<_>>());
    let (status, list) = get_whole(&site.url_at("/")).await;
    assert_eq!(status, 200);
    for exhibit in site.exhibits() {
        assert!(list.contains(&format!("{}\n    {}\n", exhibit.url, exhibit.sentence)), "{list}");
        assert_eq!(exhibit.url.starts_with(&site.url_at("/")), exhibit.layer == Layer::Request, "{exhibit:?}");
        assert_eq!(exhibit.url.starts_with("https:"), exhibit.layer == Layer::Tls, "{exhibit:?}");
    }
}

#[tokio::test]
async fn the_path_chooses_the_fault_and_the_query_how_often() {
    let site = Site::start().await.unwrap();
    let ok = (200, "ok".to_owned());
    let empty = |status| (status, String::new());
    let rows = [
        ("/ok", ok.clone()),
        ("/status/503", empty(503)),
        ("/status/503", empty(503)),
        ("/status/418?first=1", empty(418)),
        ("/status/418?first=1", ok.clone()),
        // A further parameter starts anew.
        ("/status/418?first=1&run=2", empty(418)),
        ("/status/418?first=1&run=2", ok.clone()),
        ("/status/500?first=0", ok),
        ("/redirect", empty(307)),
        ("/status/many", (404, "no fault is called /status/many; / lists them\n".to_owned())),
        ("/unheard-of", (404, "no fault is called /unheard-of; / lists them\n".to_owned())),
    ];
    for (path, expected) in rows {
        assert_eq!(get_whole(&site.url_at(path)).await, expected, "{path}");
    }
    let (answer, _) = get(&site.url_at("/status/503?retry-after=Wed,%2021+Oct")).await;
    assert!(answer.contains("\r\nretry-after: Wed, 21 Oct\r\n"), "{answer}");
    assert_eq!(get(&site.url_at("/close-after-request")).await, (String::new(), Seen::Fin));
    assert_eq!(get(&site.url_at("/never-answer")).await, (String::new(), Seen::Silence));
}

#[tokio::test]
async fn the_journal_is_json_and_does_not_tell_of_itself() {
    let site = Site::start().await.unwrap();
    get(&site.url_at("/status/503?first=1")).await;
    get(&site.url_at("/status/503?first=1")).await;
    let annex = site.exhibits().iter().find(|exhibit| exhibit.name == "accept-then-reset").unwrap();
    let address = annex.url.trim_start_matches("http://").trim_end_matches('/');
    assert_eq!(listen_to(address).await.1, Seen::Reset);
    let (status, text) = get_whole(&site.url_at("/journal")).await;
    assert_eq!(status, 200);
    let journal: serde_json::Value = serde_json::from_str(&text).unwrap();
    let front = &journal["site"];
    assert_eq!((&front["recorded"], &front["complete"], &front["applied"]), (&2.into(), &2.into(), &1.into()));
    assert_eq!(front["requests"][0]["path"], "/status/503?first=1");
    assert_eq!(front["requests"][0]["headers"][0][0], "connection");
    assert_eq!(front["requests"][1]["applied"], true);
    assert_eq!(journal["accept-then-reset"]["connects"], 1);
    assert_eq!(journal["tls-stall"]["connects"], 0);
    assert_eq!(site.journal().recorded(), 2);
}

//! Which contact meets which fault.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use httpx_faults::{Answer, Fault, Layer, Script, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::bare::{GET, Seen, connect, exchange, listen_to};

/// The statuses of so many requests in sequence, each on a connection of its own.
async fn statuses(server: &Server, count: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..count {
        let mut socket = connect(server).await;
        socket.write_all(GET.as_bytes()).await.unwrap();
        let mut line = [0; "HTTP/1.1 200".len()];
        socket.read_exact(&mut line).await.unwrap();
        statuses.push(String::from_utf8_lossy(&line[9..]).parse().unwrap());
    }
    statuses
}

#[tokio::test]
async fn steps_follow_each_other_and_the_last_repeats() {
    let rows = [
        (Script::always(Fault::status(500)), [500, 500, 500, 500]),
        (Script::first(Fault::status(500)).then(Fault::Ok), [500, 200, 200, 200]),
        (Script::first(Fault::status(500)).times(2).then(Fault::Ok), [500, 500, 200, 200]),
        (
            Script::first(Fault::status(500)).then(Fault::status(502)).times(2).then(Fault::status(504)),
            [500, 502, 502, 504],
        ),
        (Script::first(Fault::Ok).then(Fault::status(500)).times(2), [200, 500, 500, 500]),
        (Script::first(Fault::status(500)).times(0).then(Fault::Ok), [200, 200, 200, 200]),
    ];
    for (script, expected) in rows {
        let told = format!("{script:?}");
        let server = Server::start(script).await.unwrap();
        assert_eq!(statuses(&server, 4).await, expected, "{told}");
    }
}

#[tokio::test]
async fn a_closure_is_asked_once_for_each_contact() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let script = Script::each(move |contact| {
        log.lock().unwrap().push(contact);
        if contact == 2 { Fault::AcceptThenReset } else { Fault::status(200 + u16::try_from(contact).unwrap()).into() }
    });
    let server = Server::start(script).await.unwrap();
    assert_eq!(statuses(&server, 1).await, [201]);
    assert_eq!(listen_to(server.address()).await, (String::new(), Seen::Reset));
    assert_eq!(statuses(&server, 2).await, [203, 204]);
    // The fifth may have been asked for already: an answer has to know what follows it.
    let asked = asked.lock().unwrap().clone();
    assert_eq!(&asked[..4], [1, 2, 3, 4]);
}

#[tokio::test]
async fn a_closure_can_look_at_the_head() {
    let script = Script::by_request(|request| match request.header("authorization") {
        Some("Bearer good") => Fault::Echo,
        _ => Answer::status(401).header("www-authenticate", "Bearer").into(),
    });
    let server = Server::start(script).await.unwrap();
    let request = "POST / HTTP/1.1\r\nAuthorization: Bearer good\r\nContent-Length: 2\r\n\r\nhi";
    assert_eq!(exchange(&server, request).await.0, "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nhi");
    assert_eq!(statuses(&server, 1).await, [401]);
}

#[tokio::test]
async fn a_script_that_chooses_by_request_can_strike_connections_too() {
    let script = Script::by_request(|_| Fault::Ok).striking_connections(|connection| match connection {
        1 => Some(Fault::AcceptThenClose),
        // Not one of connections.
        2 => Some(Fault::ResetAfterRequest),
        _ => None,
    });
    let server = Server::start(script).await.unwrap();
    let request = "GET / HTTP/1.1\r\nconnection: close\r\n\r\n";
    let mut struck = crate::bare::connect(&server).await;
    assert_eq!(tokio::io::AsyncReadExt::read(&mut struck, &mut [0; 9]).await.unwrap(), 0);
    for _ in 0..2 {
        assert!(exchange(&server, request).await.0.starts_with("HTTP/1.1 200 "));
    }
}

#[test]
#[should_panic(expected = "a script made from a closure has no steps to add to")]
fn a_closure_has_no_next_step() {
    let _ = Script::each(|_| Fault::Ok).then(Fault::Ok);
}

#[test]
fn every_fault_has_a_name_of_its_own_and_one_sentence() {
    let names: HashSet<_> = Fault::all().iter().map(Fault::name).collect();
    assert_eq!(names.len(), Fault::all().len());
    for fault in Fault::all() {
        let name = fault.name();
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'), "{name}");
        let sentence = fault.sentence();
        assert!(sentence.ends_with('.') && sentence.trim() == sentence && sentence.len() < 120, "{sentence:?}");
    }
}

#[test]
fn every_layer_has_its_faults_and_only_requests_are_applied() {
    let names =
        |layer| -> Vec<_> { Fault::all().iter().filter(|fault| fault.layer() == layer).map(Fault::name).collect() };
    assert_eq!(names(Layer::Port), ["refused", "black-hole"]);
    assert_eq!(names(Layer::Connection), ["accept-then-close", "accept-then-reset"]);
    assert_eq!(names(Layer::Tls), ["bad-certificate", "tls-stall", "tls-reset"]);
    assert_eq!(
        names(Layer::Http2),
        ["h2-refused-stream", "h2-internal-error", "h2-goaway-unprocessed", "h2-goaway-processed"]
    );
    for fault in Fault::all() {
        let before_any_request = matches!(fault.layer(), Layer::Port | Layer::Connection | Layer::Tls);
        assert!(!(before_any_request && fault.applies()), "{fault:?}");
    }
}

#[tokio::test]
async fn by_chance_a_share_of_the_requests_fails_and_the_same_ones_for_the_same_seed() {
    let seen = async |share, seed| {
        let faults = vec![Fault::status(500).into(), Fault::status(503).into()];
        let server = Server::start(Script::by_chance(share, faults, seed, |_| Fault::Ok)).await.unwrap();
        statuses(&server, 100).await
    };
    assert_eq!(seen(0.0, 1).await, [200; 100]);
    assert!(seen(1.0, 1).await.iter().all(|status| [500, 503].contains(status)));
    let some = seen(0.3, 1).await;
    let failed = some.iter().filter(|status| **status != 200).count();
    assert!((15..=45).contains(&failed), "{failed} of 100");
    assert!(some.contains(&500) && some.contains(&503), "{some:?}");
    assert_eq!(seen(0.3, 1).await, some);
    assert_ne!(seen(0.3, 2).await, some);
}

#[test]
fn no_sudden_fault_looks_like_a_good_answer() {
    for fault in Fault::sudden() {
        assert_eq!(fault.layer(), Layer::Request, "{fault:?}");
        assert!(!["ok", "redirect", "echo", "never-answer", "applied-then-hang"].contains(&fault.name()), "{fault:?}");
    }
}

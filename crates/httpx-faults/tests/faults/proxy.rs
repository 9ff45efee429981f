//! A proxy as its clients and the servers behind it see it.

use httpx_faults::{Answer, FAR_HOST, Fault, Script, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::bare::{OK, Seen, connect, read_all};

/// The first answer to `request`, which has no more bytes than `expected`.
async fn ask(socket: &mut tokio::net::TcpStream, request: &str, expected: &str) -> String {
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = vec![0; expected.len()];
    socket.read_exact(&mut answer).await.unwrap();
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn requests_in_absolute_form_are_passed_on_over_one_connection_without_what_is_the_proxys_own() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let request = format!(
        "POST {} HTTP/1.1\r\nhost: {FAR_HOST}\r\nproxy-authorization: Basic dTpw\r\ncontent-length: 5\r\n\r\nhello",
        server.far_url_at("/jobs?a=1")
    );
    let mut socket = connect(&proxy).await;
    for _ in 0..2 {
        assert_eq!(ask(&mut socket, &request, OK).await, OK);
    }
    let seen = server.journal().requests();
    assert_eq!((server.journal().connects(), seen.len(), proxy.journal().complete()), (1, 2, 2));
    let first = &seen[0];
    assert_eq!(
        (first.path.as_str(), &first.body[..], first.header("host")),
        ("/jobs?a=1", &b"hello"[..], Some(FAR_HOST))
    );
    assert_eq!(first.header("proxy-authorization"), None);
    assert_eq!(proxy.journal().requests()[0].header("proxy-authorization"), Some("Basic dTpw"));
    assert_eq!((proxy.journal().applied(), server.journal().applied()), (0, 2));
}

#[tokio::test]
async fn a_tunnel_carries_whatever_is_said_in_it_and_the_journal_holds_the_connect_alone() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = connect(&proxy).await;
    let authority = format!("{FAR_HOST}:{}", server.address().port());
    let opened = "HTTP/1.1 200 \r\n\r\n";
    assert_eq!(ask(&mut socket, &format!("CONNECT {authority} HTTP/1.1\r\n\r\n"), opened).await, opened);
    assert_eq!(ask(&mut socket, "GET /in HTTP/1.1\r\nhost: x\r\n\r\n", OK).await, OK);
    let connects = proxy.journal().requests();
    assert_eq!((connects[0].method.as_str(), &connects[0].path, connects.len()), ("CONNECT", &authority, 1));
    assert_eq!(server.journal().requests()[0].path, "/in");
}

#[tokio::test]
async fn what_goes_wrong_behind_a_proxy_goes_wrong_in_front_of_it_and_its_own_faults_reach_nobody() {
    let get = |server: &Server| format!("GET {} HTTP/1.1\r\nhost: x\r\n\r\n", server.far_url_at("/"));
    let bad_gateway = "HTTP/1.1 502 \r\ncontent-length: 0\r\n\r\n";

    let closing = Server::start(Script::always(Fault::CloseAfterRequest)).await.unwrap();
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = connect(&proxy).await;
    socket.write_all(get(&closing).as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut socket).await, (String::new(), Seen::Fin));

    let refusing = Server::start(Script::always(Fault::Refused)).await.unwrap();
    let mut socket = connect(&proxy).await;
    assert_eq!(ask(&mut socket, &get(&refusing), bad_gateway).await, bad_gateway);
    let not_for_a_proxy = "HTTP/1.1 400 ";
    assert_eq!(ask(&mut socket, "GET / HTTP/1.1\r\n\r\n", not_for_a_proxy).await, not_for_a_proxy);

    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let script = Script::first(Answer::status(502)).then(Fault::CloseAfterRequest);
    let proxy = Server::proxy(script).await.unwrap();
    let mut socket = connect(&proxy).await;
    assert_eq!(ask(&mut socket, &get(&server), bad_gateway).await, bad_gateway);
    socket.write_all(get(&server).as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut socket).await, (String::new(), Seen::Fin));
    assert_eq!((server.journal().connects(), proxy.journal().complete()), (0, 2));
}

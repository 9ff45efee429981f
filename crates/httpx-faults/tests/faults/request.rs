//! What a peer sees of every fault that strikes a request over HTTP/1.1, byte by byte, and what the journal holds.



use crate::bare::{GET, OK, OK_CLOSE, POST, Seen, connect, exchange, expect, read_all};
use httpx_faults::{Answer, End, Fault, Script, Server};
use tokio::io::AsyncWriteExt;

#[tokio::test]
async fn a_script_goes_on_with_its_last_step() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(Fault::Ok)).await.unwrap();
    let mut socket = connect(&server).await;
    for expected in ["HTTP/1.1 503 \r\ncontent-length: 0\r\n\r\n", "HTTP/1.1 503 \r\ncontent-length: 0\r\n\r\n", OK, OK]
    {
        socket.write_all(POST.as_bytes()).await.unwrap();
        expect(&mut socket, expected).await;
    }
    assert_eq!(server.journal().connects(), 1);
    assert_eq!(server.journal().complete(), 4);
    assert_eq!(server.journal().applied(), 2);
}

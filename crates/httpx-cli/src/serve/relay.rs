//! A port of the caller's choice before a server that chooses its own.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};

use crate::exit::Trouble;

/// Passes every connection on to `server`, and gives the URL to reach it by.
pub(super) async fn open(port: u16, server: &str) -> Result<String, Trouble> {
    let server = address(server).map_err(Trouble::failed)?;
    let wrong = |error| Trouble::usage(format!("--port: cannot listen on 127.0.0.1:{port}: {error}"));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(wrong)?;
    let url = format!("http://{}", listener.local_addr().map_err(wrong)?);
    tokio::spawn(async move {
        loop {
            let Ok((client, _)) = listener.accept().await else {
                // The connection is gone already, or there are no file descriptors until others end.
                tokio::time::sleep(Duration::from_millis(1)).await;
                continue;
            };
            tokio::spawn(async move { pass_on(client, server).await.ok() });
        }
    });
    Ok(url)
}

/// Both directions, each to its end. A reset goes through as a reset: it is what many a fault is about.
async fn pass_on(mut client: TcpStream, server: SocketAddr) -> io::Result<()> {
    let mut server = TcpStream::connect(server).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    if copy_bidirectional(&mut client, &mut server).await.is_err() {
        client.set_zero_linger()?;
        server.set_zero_linger()?;
    }
    Ok(())
}

fn address(url: &str) -> io::Result<SocketAddr> {
    let address = url.strip_prefix("http://").unwrap_or(url);
    address.parse().map_err(|_| io::Error::other(format!("the faulty server is at no plain address: {url}")))
}

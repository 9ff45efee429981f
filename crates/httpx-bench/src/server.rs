//! The server that all peers talk to: as little as HTTP/1.1 needs, so that nothing about it varies.

mod answers;
mod state;
mod tls;

use answers::Answers;
use anyhow::{Context, Result, bail};
use state::{Carrying, State};
use std::{
    net::{Ipv4Addr, SocketAddr},
    path::Path,
    rc::Rc,
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpSocket, TcpStream},
    task::spawn_local,
    time::sleep,
};

pub(crate) use answers::{ANSWER_BODY, LARGE_BODY};

/// Listens on two free ports of the loopback address, the second with TLS, prints both as the first line, and serves
/// until killed. Needs a `LocalSet`: the server has one thread.
///
/// The certificate to trust is written to `cacert` before that.
///
/// # Errors
/// When no port can be had, the certificate cannot be made or written, or a connection cannot be accepted.
pub async fn serve(cacert: &Path) -> Result<()> {
    let (pem, tls) = tls::identity()?;
    std::fs::write(cacert, pem).with_context(|| format!("{} cannot be written", cacert.display()))?;
    let (plain, secret) = (listener()?, listener()?);
    println!("{} {}", plain.local_addr()?.port(), secret.local_addr()?.port());
    let site = Rc::new((Answers::new(), State::default()));
    loop {
        let site = Rc::clone(&site);
        tokio::select! {
            accepted = plain.accept() => {
                let stream = prompt(accepted?)?;
                spawn_local(async move { told(answer_all(stream, &site.0, &site.1).await) });
            }
            accepted = secret.accept() => {
                let (stream, tls) = (prompt(accepted?)?, tls.clone());
                spawn_local(async move {
                    match tls.accept(stream).await {
                        Ok(stream) => told(answer_all(stream, &site.0, &site.1).await),
                        Err(error) => told(Err(error.into())),
                    }
                });
            }
        }
    }
}

/// No answer waits for more to come.
fn prompt((stream, _): (TcpStream, SocketAddr)) -> Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Ten thousand clients may knock at the same time.
fn listener() -> Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).context("no free port on the loopback address")?;
    Ok(socket.listen(4096)?)
}

/// A client that goes away in the middle of something is no trouble; one that speaks otherwise than expected is.
fn told(ended: Result<()>) {
    match ended {
        Err(error) if !error.is::<std::io::Error>() => eprintln!("error: {error:#}"),
        Ok(()) | Err(_) => {}
    }
}

/// So that the end of a body does not come with its beginning, as it seldom does over a network.
const MOMENT: Duration = Duration::from_millis(1);

/// Answers until the client closes.
async fn answer_all(mut stream: impl AsyncRead + AsyncWrite + Unpin, answers: &Answers, state: &State) -> Result<()> {
    let mut received = Vec::with_capacity(8 * 1024);
    let mut carrying = Carrying::nothing(state);
    loop {
        while let Some(request) = Request::first(&received)? {
            let answer = answers.to(&request, &mut carrying);
            let (length, closes) = (request.length, request.path == "/counts" || request.path == "/repair");
            received.drain(..length);
            stream.write_all(&answer).await?;
            if let Some(rest) = answers.rest_of(&answer) {
                sleep(MOMENT).await;
                stream.write_all(rest).await?;
            }
            if closes {
                stream.shutdown().await?;
                return Ok(());
            }
            state.answered();
        }
        if stream.read_buf(&mut received).await? == 0 {
            return Ok(());
        }
    }
}

/// What matters of a request.
#[derive(Clone, Copy, Debug)]
struct Request<'a> {
    path: &'a str,
    authorization: Option<&'a str>,
    /// Of head and body.
    length: usize,
}

impl<'a> Request<'a> {
    /// The first request in `received`, or `None` while it is incomplete.
    fn first(received: &'a [u8]) -> Result<Option<Self>> {
        let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
        let head = std::str::from_utf8(&received[..end])?;
        let mut lines = head.lines();
        let path = lines.next().and_then(|line| line.split(' ').nth(1)).context("a request without a path")?;
        let (mut body, mut authorization) = (0, None);
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            match name.to_ascii_lowercase().as_str() {
                "content-length" => body = value.trim().parse()?,
                "transfer-encoding" => bail!("a chunked request: the peers send bodies of known length"),
                "authorization" => authorization = Some(value),
                _ => {}
            }
        }
        let length = end + 4 + body;
        Ok((received.len() >= length).then_some(Self { path, authorization, length }))
    }
}

//! HTTP/2.
use crate::end::Socket;
use crate::session::Session;
use std::io;
pub(crate) async fn serve(_socket: impl Socket, _session: Session) -> io::Result<()> {
    Ok(())
}

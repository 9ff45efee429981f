//! The body of the request.

use std::fs::File;
use std::io;
use std::path::Path;

use bytes::{Bytes, BytesMut};
use futures_util::stream::try_unfold;
use httpx_client::Body;
use tokio::io::AsyncReadExt as _;

use crate::exit::Trouble;

/// How much of a file is read at once.
const PIECE: usize = 64 * 1024;

/// A text, or `@FILE` for what is in that file, byte for byte.
pub(super) fn data(text: &str) -> Result<Body, Trouble> {
    match text.strip_prefix('@') {
        None => Ok(text.to_owned().into()),
        Some(path) => std::fs::read(path).map(Body::from).map_err(|error| unreadable("--data", path.as_ref(), &error)),
    }
}

/// What is in the file, read once, while it is sent.
pub(super) fn stream(path: &Path) -> Result<Body, Trouble> {
    let open = || {
        let file = File::open(path)?;
        // A folder can be opened; only reading it fails, and that would be too late to say so.
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    };
    let file = open().map_err(|error| unreadable("--data-stream", path, &error))?;
    Ok(Body::stream(try_unfold(tokio::fs::File::from_std(file), async |mut file| {
        let mut piece = BytesMut::with_capacity(PIECE);
        file.read_buf(&mut piece).await?;
        Ok::<_, io::Error>((!piece.is_empty()).then(|| (Bytes::from(piece), file)))
    })))
}

fn unreadable(flag: &str, path: &Path, error: &io::Error) -> Trouble {
    Trouble::usage(format!("{flag}: cannot read {}: {error}", path.display()))
}

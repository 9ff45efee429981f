//! The tokens of a session, kept in a file from one call to the next: a token endpoint may take each refresh token once.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use httpx_client::{CredentialsError, Lease, MemoryStore, Secret, StoreError, TokenStore, Tokens};
use serde::{Deserialize, Serialize};

use crate::exit::Trouble;
use crate::say;
use crate::whole::Whole;

const FLAG: &str = "--token-file";

/// A store that writes down what is renewed, before anybody uses it.
#[derive(Debug)]
pub(super) struct TokenFile {
    path: PathBuf,
    known: MemoryStore,
}

/// What is read and written, as token endpoints answer (RFC 6749 §5.1).
#[derive(Deserialize, Serialize)]
struct Kept {
    access_token: String,
    refresh_token: String,
}

impl TokenFile {
    /// Where tokens are kept, and those that are.
    pub(super) fn read(path: &Path) -> Result<(Self, Tokens), Trouble> {
        let cannot = |error| Trouble::usage(format!("{FLAG}: cannot read {}: {error}", path.display()));
        let text = fs::read_to_string(path).map_err(cannot)?;
        // The parser's own reason would quote what it found, and that may be a token.
        let Ok(kept) = serde_json::from_str::<Kept>(&text) else {
            let told = "is not what a token endpoint answers: JSON with access_token and refresh_token";
            return Err(Trouble::usage(format!("{FLAG}: {} {told}", path.display())));
        };
        let wrong = |error: CredentialsError| Trouble::usage(format!("{FLAG}: {}: {error}", path.display()));
        let tokens = Tokens::new(&kept.access_token).and_then(|tokens| tokens.with_refresh(&kept.refresh_token));
        let tokens = tokens.map_err(wrong)?;
        // A refresh token is spent when it is shown: whether the next one can be kept is better known before.
        Whole::secret(FLAG, path)?;
        Ok((TokenFile { path: path.to_owned(), known: MemoryStore::default() }, tokens))
    }

    fn write(&self, tokens: &Tokens) -> Result<(), Trouble> {
        let text = |secret: &Secret| secret.expose().to_owned();
        let kept = Kept {
            access_token: text(tokens.access()),
            refresh_token: tokens.refresh().map_or_else(String::new, text),
        };
        let text = serde_json::to_string(&kept).map_err(Trouble::failed)?;
        Whole::secret(FLAG, &self.path)?.write(format!("{text}\n").as_bytes())
    }
}

impl TokenStore for TokenFile {
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>> {
        self.known.get(id)
    }

    fn put<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        let held = self.known.put(id, tokens.clone());
        let written = async move {
            let held = held.await?;
            if held == tokens
                && let Err(trouble) = self.write(&tokens)
            {
                // The call itself can go on.
                say::aside(format_args!("httpx: {trouble}; the renewed tokens are lost when this call ends"));
            }
            Ok(held)
        };
        written.boxed()
    }

    fn put_if_absent<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        self.known.put_if_absent(id, tokens)
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.known.remove(id)
    }

    fn lease<'a>(&'a self, id: &'a str, time: Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>> {
        self.known.lease(id, time)
    }

    fn release<'a>(&'a self, id: &'a str, lease: Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        self.known.release(id, lease)
    }
}

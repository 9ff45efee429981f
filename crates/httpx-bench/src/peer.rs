//! What a client must be able to do to be measured.

use crate::{
    scenario::{Ability, Retries},
    task::Ask,
};
use anyhow::Result;
use reqwest::Url;
use std::path::Path;

/// A client under measurement.
pub(crate) trait Peer: Sized + 'static {
    /// An answer whose body is not read yet.
    type Answer: Send;
    /// Why there is none.
    type Error: Into<anyhow::Error> + Send;

    const ABILITY: Ability;

    fn new(setup: &Setup<'_>) -> Result<Self>;

    /// A call, as the client's manual shows it, up to the head of its last answer. It is the client's own future where it
    /// can be, since its size is measured.
    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Self::Answer, Self::Error>> + Send + 'static + use<Self>;

    /// The status, and how many bytes the body has.
    fn read(answer: Self::Answer) -> impl Future<Output = Result<(u16, usize)>>;
}

/// How a client is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a> {
    pub(crate) retries: Retries,
    /// Where the server is, for clients that are made for one.
    #[cfg_attr(not(feature = "peers"), expect(dead_code, reason = "only a peer is made for one server"))]
    pub(crate) server: &'a Url,
    /// The certificate to trust, as PEM.
    pub(crate) cacert: Option<&'a Path>,
    /// Where an expired token is renewed, for the clients that can do that.
    pub(crate) renewal: Option<&'a Url>,
}

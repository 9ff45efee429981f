//! The clients under measurement. One more is one file here and one row in [`PEERS`].

mod httpx;
mod reqwest_default;
mod reqwest_floor;

use crate::load::Peer;

/// Every client by the name that the table shows, in its order. Ratios are taken to the first.
pub const PEERS: &[(&str, Peer)] = &[
    ("reqwest", |load| Box::pin(reqwest_default::send(load))),
    ("reqwest-floor", |load| Box::pin(reqwest_floor::send(load))),
    ("httpx", |load| Box::pin(httpx::send(load))),
];

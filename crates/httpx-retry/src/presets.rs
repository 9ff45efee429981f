//! Policies by name: httpx's own, and what other clients do by default.
//!
//! A preset is one function that builds a [`Policy`] from the parts everybody may use, and one row that names it. Each
//! family of clients has a file below this one; adding a preset to it touches that file alone.
//!
//! Rows ask for [`Connection::Reused`](crate::Connection::Reused) where a client treats a pooled connection apart. Where
//! nothing is known of the connection, such a row does not hold: the request is then treated as on a fresh one, which
//! retries less.

mod apache;
mod aws;
mod go;
mod grpc;
mod java;
mod javascript;
mod kinds;
mod own;
mod python;
mod rust;

use std::num::NonZeroU32;

use crate::Policy;

/// Whose policy it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// This project's.
    Httpx,
    /// Another client's default.
    Client {
        /// Its name and the version whose default it is: defaults move.
        client: &'static str,
        /// File and lines in its source.
        source: &'static str,
    },
}

/// A policy that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, as typed.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Whose policy it is.
    pub origin: Origin,
    make: fn() -> Policy,
}

impl Preset {
    const fn own(name: &'static str, summary: &'static str, make: fn() -> Policy) -> Self {
        Preset { name, summary, origin: Origin::Httpx, make }
    }

    const fn of(client: &'static str, source: &'static str) -> Self {
        let origin = Origin::Client { client, source };
        Preset { name: "", summary: "", origin, make: Policy::default }
    }

    const fn named(self, name: &'static str, summary: &'static str, make: fn() -> Policy) -> Self {
        Preset { name, summary, make, ..self }
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy {
        (self.make)().with_name(self.name)
    }
}

/// A family is a file with rows.
const FAMILIES: &[&[Preset]] =
    &[own::ROWS, apache::ROWS, java::ROWS, aws::ROWS, rust::ROWS, python::ROWS, go::ROWS, javascript::ROWS, grpc::ROWS];

/// Every preset, httpx's own first.
pub const PRESETS: &[Preset] = &joined::<{ count() }>();

const fn count() -> usize {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
}

const fn joined<const COUNT: usize>() -> [Preset; COUNT] {
    let mut all = [own::ROWS[0]; COUNT];
    let (mut place, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut row = 0;
        while row < FAMILIES[family].len() {
            all[place] = FAMILIES[family][row];
            place += 1;
            row += 1;
        }
        family += 1;
    }
    all
}

/// The preset called `name`, exactly as in [`PRESETS`].
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// So many sends, the first included.
const fn sends(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("a preset sends at least once")
}

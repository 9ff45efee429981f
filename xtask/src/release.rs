//! `cargo xtask release`: ships one workspace version from main by an explicit marker, never by accident, never half.
//!
//! Facts are gathered at the edge, [`plan`] judges them without touching anything, and only then something is done.
//! Every way to get it wrong is a [`Gate`] with a code; `cargo xtask release --explain E-BURNED` tells of one.

// Values and grammars.
mod facts;
mod marker;
mod options;
mod order;
mod refusal;
mod snippets;

mod version;

mod changelog;

// The judgement.
mod layers;

mod case;

mod gates;

mod plan;
mod warnings;

pub use changelog::{Section, date, misspells_behaviour, section, sections};
pub use facts::{
    Absorption, Asked, Branch, Checkout, Commit, Facts, Fork, IndexFacts, Member, Need, Packaged, Receipt, Remote,
    RemoteHead, RemoteMain, Row, Semver, SemverRun, TreeFacts, Unreadable, short,
};
pub use gates::{Gate, gate, gates};
pub use layers::{Layer, Standing, layers};
pub use marker::{Mark, mark, number, title};
pub use options::{Mode, Options, Override, Resume};
pub use order::bottom_up;
pub use plan::{Plan, TagStep, Upload, exit_code, is_skipped, plan};
pub use refusal::Refusal;
pub use snippets::stale;
pub use version::parse;
pub use warnings::warnings;

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
mod unfinished;

// The judgement.
mod layers;

mod case;

mod gates;

mod plan;
mod warnings;

// The edge.
mod edge;

// What is done, and told.
mod execute;

mod report;

mod bump;
mod notes;

mod command;

pub use changelog::{Section, date, misspells_behaviour, says_something, section, sections};
pub use command::{Command, run};
pub(crate) use command::{Whereabouts, report};
pub use execute::POINTS;
pub use facts::{
    Absorption, Asked, Branch, Checkout, Commit, Facts, Fork, IndexFacts, Member, Need, Packaged, Proposal, Remote,
    RemoteHead, RemoteMain, Row, Semver, SemverRun, TreeFacts, Unfinished, Unreadable, short,
};
pub use gates::{Gate, gate, gate_table, gates};
pub use layers::{Layer, Standing, layers};
pub use marker::{Mark, mark, number, title};
pub use options::{Mode, Options, Override, Resume};
pub use order::bottom_up;
pub use plan::{Plan, TagStep, Upload, exit_code, is_skipped, plan};
pub use refusal::Refusal;
pub use report::{CrateLine, LayerLine, Outcome, Report, SCHEMA};
pub use snippets::stale;
pub use version::parse;
pub use warnings::warnings;

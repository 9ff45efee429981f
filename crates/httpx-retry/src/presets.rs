//! Policies by name.

use crate::{Policy, Rule};

/// A policy that can be chosen by name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name, as typed.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    make: fn() -> Policy,
}

impl Preset {
    /// The policy.
    #[must_use]
    pub fn policy(&self) -> Policy {
        (self.make)().with_name(self.name)
    }
}

/// Every preset; one row is all it takes to add one.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "default",
        summary: "transient statuses and any I/O failure, except a timeout once the request may have been sent",
        make: Policy::default,
    },
    Preset {
        name: "idempotent_only",
        summary: "as default, but only when provably not processed or when the request is idempotent",
        make: || Policy::default().with_rule(Rule::idempotent_only()),
    },
    Preset {
        name: "any_io_error",
        summary: "as default, and timeouts once the request may have been sent, as lib-httpx did before 2.5.0",
        make: || Policy::default().with_rule(Rule::any_io_error()),
    },
    Preset { name: "never", summary: "nothing is retried", make: || Policy::default().with_rule(Rule::never()) },
];

/// The preset called `name`, exactly as in [`PRESETS`].
#[must_use]
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

//! What a gate is.

use crate::release::{case::Case, refusal::Refusal};

/// One way to refuse a release.
#[derive(Debug)]
pub struct Gate {
    /// Its code, as in `E-BURNED`.
    pub code: &'static str,
    /// The exit code of its group.
    pub exit: u8,
    /// What it reads.
    pub reads: &'static str,
    /// When it refuses: "fails when …".
    pub fails: &'static str,
    /// What makes it right, where the finding knows nothing better.
    pub fix: &'static str,
    /// The question; `None` when only a running release can answer it.
    pub(super) check: Option<fn(&Case<'_>) -> Vec<Finding>>,
}

/// One place where a gate refuses.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    message: String,
    fix: Option<String>,
}

impl Finding {
    /// What is wrong, as a sentence without full stop.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), fix: None }
    }

    /// A fix that is better than the gate's general one.
    pub(crate) fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

impl Gate {
    /// Asks the gate.
    pub fn refusals(&self, case: &Case<'_>) -> Vec<Refusal> {
        let found = self.check.map(|check| check(case)).unwrap_or_default();
        found.into_iter().map(|finding| self.refusal(finding)).collect()
    }

    /// The refusal that says this.
    pub(crate) fn refusal(&self, finding: Finding) -> Refusal {
        let fix = finding.fix.unwrap_or_else(|| self.fix.to_owned());
        Refusal { code: self.code, exit: self.exit, message: finding.message, fix }
    }

    /// Its documentation: what `--explain` prints.
    pub fn explain(&self) -> String {
        format!(
            "{} (exit {})\n\n  reads  {}\n  fails  when {}\n  fix    {}\n",
            self.code, self.exit, self.reads, self.fails, self.fix
        )
    }
}

/// No finding, or this one.
pub(super) fn when(fails: bool, finding: impl FnOnce() -> Finding) -> Vec<Finding> {
    if fails { vec![finding()] } else { Vec::new() }
}

//! What is told of a judgement: a table for people, an object for programs, both from the same values.

use super::{
    case::{Case, Published},
    execute::Outcome as Done,
    facts::Facts,
    layers::Standing,
    marker::title,
    options::Options,
    plan::{Plan, exit_code, is_skipped},
    refusal::Refusal,
    warnings::warnings,
};
use comfy_table::{Table, presets};
use serde::Serialize;
use std::fmt::Write;

/// The version of the object that `--json` prints. It grows with every change that a reader could stumble over.
pub const SCHEMA: u32 = 1;

/// Everything that is told.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What became of the release.
    pub outcome: Outcome,
    /// The exit code.
    pub exit: u8,
    /// The version to release, when VERSION states one.
    pub version: Option<String>,
    /// The hash of HEAD.
    pub head: String,
    /// The hash of its tree.
    pub tree: String,
    /// Its title.
    pub title: String,
    /// The crates, each after those it needs.
    pub crates: Vec<CrateLine>,
    /// The branches of the remote.
    pub layers: Vec<LayerLine>,
    /// What CI left, as far as it can be read.
    pub receipts: Vec<crate::receipts::Receipt>,
    /// Every reason not to release.
    pub refusals: Vec<Refusal>,
    /// What else is worth telling.
    pub warnings: Vec<String>,
    /// What was done, in order; nothing when only planned.
    pub done: Vec<String>,
}

/// What became of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It would be done; nothing was touched.
    Planned,
    /// It was done.
    Released,
    /// It would not be done.
    Refused,
    /// HEAD asks for none, and that is no failure here.
    Skipped,
    /// It was begun and not finished.
    Stopped,
}

/// One crate.
#[derive(Clone, Debug, Serialize)]
pub struct CrateLine {
    /// Its name.
    pub name: String,
    /// The sha256 of the package made from HEAD, when one was made.
    pub checksum: Option<String>,
    /// What the registry holds at the version: `absent`, `same`, `other` or `unknown`.
    pub registry: &'static str,
    /// The greatest version that the registry holds.
    pub greatest: Option<String>,
}

/// One branch of the remote.
#[derive(Clone, Debug, Serialize)]
pub struct LayerLine {
    /// Its name, without the remote's.
    pub branch: String,
    /// The text of its VERSION.
    pub version: Option<String>,
    /// Where it left HEAD's history.
    pub fork: Option<String>,
    /// `absorbed`, `open`, `rider` or `other_version`.
    pub standing: &'static str,
    /// Why.
    pub reason: Option<String>,
}

impl Report {
    /// Tells of a judgement.
    pub fn new(facts: &Facts, options: &Options, judgement: &Result<Plan, Vec<Refusal>>) -> Self {
        let case = Case::new(facts, options);
        let refusals = judgement.as_ref().err().cloned().unwrap_or_default();
        let outcome = match judgement {
            Ok(_) => Outcome::Planned,
            Err(refusals) if is_skipped(refusals, options) => Outcome::Skipped,
            Err(_) => Outcome::Refused,
        };
        Self {
            schema: SCHEMA,
            outcome,
            exit: exit_code(judgement, options),
            version: case.version.as_ref().map(ToString::to_string),
            head: case.head().sha.clone(),
            tree: case.head().tree.clone(),
            title: title(&case.head().message).to_owned(),
            crates: case.planned().into_iter().map(|member| crate_line(&case, &member.name)).collect(),
            layers: layer_lines(&case),
            receipts: facts.receipts.iter().flatten().cloned().collect(),
            refusals,
            warnings: warnings(facts, options),
            done: Vec::new(),
        }
    }

    /// Takes up what was done, and what is known of the crates by now.
    pub(super) fn carried_out(&mut self, done: Done) {
        for (name, registry) in done.crates {
            let version = self.version.clone();
            for line in self.crates.iter_mut().filter(|line| line.name == name) {
                line.registry = registry;
                if registry == "same" {
                    // Nothing greater was published, or a gate would have refused.
                    line.greatest.clone_from(&version);
                }
            }
        }
        self.done = done.done;
        self.outcome = if done.stopped.is_none() { Outcome::Released } else { Outcome::Stopped };
        self.exit = done.stopped.as_ref().map_or(0, |refusal| refusal.exit);
        self.refusals = done.stopped.into_iter().collect();
    }

    /// The table for people, with every refusal and warning below it.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let version = self.version.as_deref().unwrap_or("no version");
        // Writing to a string does not fail.
        let _ = writeln!(text, "{version} from {} \"{}\"", super::facts::short(&self.head), self.title);
        let mut crates = table(&["crate", "version", "package sha256", "registry", "greatest there"]);
        for line in &self.crates {
            let checksum =
                line.checksum.as_deref().map_or("not made", |checksum| checksum.get(..12).unwrap_or(checksum));
            crates.add_row([&line.name, version, checksum, line.registry, line.greatest.as_deref().unwrap_or("-")]);
        }
        let mut layers = table(&["branch", "version", "fork", "standing", "because"]);
        for line in &self.layers {
            let fork = line.fork.as_deref().map_or("-", super::facts::short);
            let branch_version = line.version.as_deref().unwrap_or("-");
            layers.add_row([&line.branch, branch_version, fork, line.standing, line.reason.as_deref().unwrap_or("-")]);
        }
        let mut receipts = table(&["receipt", "tree", "result"]);
        for receipt in &self.receipts {
            let result = if receipt.ok { "green" } else { "red" };
            receipts.add_row([&receipt.layer, super::facts::short(&receipt.tree), result]);
        }
        for table in [crates, layers, receipts].into_iter().filter(|table| table.row_count() > 0) {
            let _ = write!(text, "\n{table}\n");
        }
        for warning in &self.warnings {
            let _ = write!(text, "\nwarning: {warning}");
        }
        if !self.warnings.is_empty() {
            text.push('\n');
        }
        text
    }
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    table
}

fn crate_line(case: &Case<'_>, name: &str) -> CrateLine {
    let versions = case.rows(name).iter().map(|row| &row.version);
    CrateLine {
        name: name.to_owned(),
        checksum: case.checksum(name).map(str::to_owned),
        registry: match case.published(name) {
            Published::Absent => "absent",
            Published::Same(_) => "same",
            Published::Other(_) => "other",
            Published::Unknown => "unknown",
        },
        greatest: versions.max_by(|one, other| one.cmp_precedence(other)).map(|version| version.to_string()),
    }
}

fn layer_lines(case: &Case<'_>) -> Vec<LayerLine> {
    let lines = case.layers.iter().zip(case.branches());
    lines
        .map(|(layer, branch)| {
            let (standing, reason) = match &layer.standing {
                Standing::OtherVersion => ("other_version", None),
                Standing::Absorbed(why) => ("absorbed", Some(why.clone())),
                Standing::Open(why) => ("open", Some(why.clone())),
                Standing::Rider => ("rider", Some("cut from main while VERSION said so".to_owned())),
            };
            LayerLine {
                branch: layer.name.clone(),
                version: branch.version.as_ref().map(|text| text.trim().to_owned()),
                fork: branch.fork.as_ref().map(|fork| fork.commit.sha.clone()),
                standing,
                reason,
            }
        })
        .collect()
}

//! A workflow as far as this project writes one. A key that is not here is a slip of the pen, or needs a field here.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Reads a workflow.
pub(super) fn read(text: &str) -> Result<Workflow, String> {
    serde_saphyr::from_str(text).map_err(|error| error.to_string())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Workflow {
    #[serde(rename = "name")]
    _name: String,
    pub(super) on: BTreeMap<String, Value>,
    pub(super) permissions: Option<Permissions>,
    pub(super) concurrency: Option<Concurrency>,
    #[serde(rename = "env", default)]
    _env: BTreeMap<String, Value>,
    pub(super) jobs: BTreeMap<String, Job>,
}

impl Workflow {
    /// What its steps run.
    pub(super) fn scripts(&self) -> impl Iterator<Item = &str> {
        self.jobs.values().flat_map(|job| &job.steps).filter_map(|step| step.run.as_deref())
    }

    /// Whether a step of it releases.
    pub(super) fn publishes(&self) -> bool {
        self.scripts().any(|script| script.contains("publish") || script.contains("--execute"))
    }
}

/// What a token may do, by what it is done to.
#[derive(Debug, Deserialize)]
pub(super) struct Permissions(BTreeMap<String, Access>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Access {
    None,
    Read,
    Write,
}

impl Permissions {
    /// What may be written.
    pub(super) fn written(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, access)| **access == Access::Write).map(|(what, _)| what.as_str())
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Concurrency {
    pub(super) group: String,
    /// True, false, or an expression.
    pub(super) cancel_in_progress: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Job {
    #[serde(rename = "if")]
    pub(super) condition: Option<String>,
    #[serde(default)]
    pub(super) needs: Vec<String>,
    #[serde(rename = "runs-on")]
    _runs_on: String,
    pub(super) timeout_minutes: Option<u32>,
    pub(super) permissions: Option<Permissions>,
    #[serde(rename = "env", default)]
    _env: BTreeMap<String, Value>,
    pub(super) steps: Vec<Step>,
}

impl Job {
    /// Its own condition and those of its steps: expressions without braces.
    pub(super) fn conditions(&self) -> impl Iterator<Item = &str> {
        self.condition.iter().chain(self.steps.iter().filter_map(|step| step.condition.as_ref())).map(String::as_str)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Step {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "if")]
    pub(super) condition: Option<String>,
    pub(super) uses: Option<String>,
    #[serde(default)]
    pub(super) with: BTreeMap<String, Value>,
    pub(super) run: Option<String>,
    #[serde(rename = "env", default)]
    _env: BTreeMap<String, Value>,
}

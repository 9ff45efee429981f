//! Whether the version would ship without one of its layers.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::Case,
    marker::{Mark, mark},
};

pub(super) const GATES: &[Gate] = &[Gate {
    code: "E-STACK-OPEN",
    exit: 40,
    reads: "the branches of the remote, by the layer rule",
    fails: "at least one open layer of the version is not in HEAD, or a rider where workspace.metadata.release says \
                strict-riders = true; on a pull request, when its title is marked; a warning once --resume finishes a version that is \
                partly out, which no layer can join any more",
    fix: "merge them and mark the top one, or give them their own VERSION, or --not-in-stack BRANCH=REASON",
    check: Some(open),
}];

fn open(case: &Case<'_>) -> Vec<Finding> {
    let is_finishing = case.resumes() && case.is_begun();
    let is_asked = !case.is_lint() || mark(&case.head().message) == Mark::Marked;
    when(is_asked && !is_finishing && !missing(case).is_empty(), || Finding::new(would_ship_without(case)))
}

/// That the version would ship without its open layers, each with the reason why it is one.
pub(crate) fn would_ship_without(case: &Case<'_>) -> String {
    let version = case.version.as_ref().map(ToString::to_string).unwrap_or_default();
    format!("{version} would ship without {}; a published version can never take them", missing(case).join(", "))
}

/// The open layers, and the riders where they count, each with the reason.
pub(crate) fn missing(case: &Case<'_>) -> Vec<String> {
    let remote = &case.options.remote;
    let open = case.open_layers().into_iter().map(|(layer, why)| format!("{remote}/{} ({why})", layer.name));
    let is_strict = is_strict(&case.facts.tree.manifest);
    let riders = case.riders().into_iter().filter(|_| is_strict);
    open.chain(riders.map(|layer| format!("{remote}/{} (a rider, and strict-riders is true)", layer.name))).collect()
}

/// Whether the workspace asks that riders refuse. A manifest that cannot be read does.
fn is_strict(manifest: &str) -> bool {
    let Ok(table) = manifest.parse::<toml::Table>() else { return true };
    let metadata = table.get("workspace").and_then(|table| table.get("metadata")?.get("release"));
    metadata.and_then(|release| release.get("strict-riders")?.as_bool()).unwrap_or(false)
}

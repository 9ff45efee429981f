//! The judgement: one pure function from what is known and asked to what will be done, or every reason not to.

use super::{
    case::{Case, Published},
    changelog,
    facts::{Commit, Facts},
    gates,
    options::Options,
    refusal::Refusal,
};
use semver::Version;

/// What a release will do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The version.
    pub version: Version,
    /// The commit that is published and tagged.
    pub head: Commit,
    /// The crates, each after those it needs.
    pub uploads: Vec<Upload>,
    /// What becomes of the tag.
    pub tag: TagStep,
    /// The message of the tag: the changelog section, the checksums, what was overridden.
    pub message: String,
}

/// One crate of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Its name.
    pub name: String,
    /// The sha256 of its package.
    pub checksum: String,
    /// Whether it is published already, from these very bytes, and so is passed over on request.
    pub is_out: bool,
}

/// What becomes of the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStep {
    /// It is made and pushed.
    Make,
    /// It is here, at HEAD, and is pushed.
    Push,
    /// It is on the remote, at HEAD, and stays.
    Keep,
}

impl Plan {
    /// The name of the tag.
    pub fn tag_name(&self) -> String {
        format!("v{}", self.version)
    }
}

/// Judges a release.
///
/// # Errors
/// Every refusal of every gate that was asked, in the order of the gates; never an empty list.
pub fn plan(facts: &Facts, options: &Options) -> Result<Plan, Vec<Refusal>> {
    let case = Case::new(facts, options);
    let refusals = gates::refusals(&case);
    match (refusals.is_empty(), case.version.clone()) {
        (true, Some(version)) => Ok(planned(&case, version)),
        (_, _) => Err(refusals),
    }
}

/// The exit code of a judgement: 0, or that of the lowest group that refused.
pub fn exit_code(judgement: &Result<Plan, Vec<Refusal>>, options: &Options) -> u8 {
    let Err(refusals) = judgement else { return 0 };
    let lowest = refusals.iter().map(|refusal| refusal.exit).min().unwrap_or(2);
    if is_skipped(refusals, options) { 0 } else { lowest }
}

/// Whether HEAD asks for no release, and that is no failure here.
pub fn is_skipped(refusals: &[Refusal], options: &Options) -> bool {
    options.if_marked && refusals.iter().any(|refusal| refusal.code == gates::NO_MARKER)
}

fn planned(case: &Case<'_>, version: Version) -> Plan {
    let upload = |name: &str| Upload {
        name: name.to_owned(),
        checksum: case.checksum(name).unwrap_or_default().to_owned(),
        is_out: matches!(case.published(name), Published::Same(_)),
    };
    let uploads: Vec<_> = case.planned().into_iter().map(|member| upload(&member.name)).collect();
    let remote_tag = case.facts.remote.as_ref().ok().and_then(|remote| remote.tag.as_ref());
    let tag = match (remote_tag, &case.facts.local_tag) {
        (Some(_), _) => TagStep::Keep,
        (None, Some(_)) => TagStep::Push,
        (None, None) => TagStep::Make,
    };
    let message = message(case, &version, &uploads);
    Plan { version, head: case.head().clone(), uploads, tag, message }
}

/// The message of the tag.
fn message(case: &Case<'_>, version: &Version, uploads: &[Upload]) -> String {
    let text = case.facts.tree.changelog.as_deref().unwrap_or_default();
    let body = changelog::section(text, version).map(|section| section.body).unwrap_or_default();
    let mut parts = vec![format!("v{version}"), body];
    parts.push(
        uploads.iter().map(|upload| format!("{} {}", upload.name, upload.checksum)).collect::<Vec<_>>().join("\n"),
    );
    let acknowledged =
        case.options.acknowledged.iter().map(|given| format!("acknowledged marker {}: {}", given.of, given.reason));
    let outside = case.options.not_in_stack.iter().map(|given| format!("not in stack {}: {}", given.of, given.reason));
    let overrides: Vec<_> = acknowledged.chain(outside).collect();
    parts.extend((!overrides.is_empty()).then(|| overrides.join("\n")));
    parts.join("\n\n") + "\n"
}

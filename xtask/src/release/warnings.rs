//! What is worth telling and refuses nothing.

use super::{
    case::{Case, is_abbreviated},
    facts::{Absorption, Branch, Facts, Semver, Unfinished, short},
    gates::{git::stranded, registry::finish, stack},
    marker::{Mark, mark},
    options::Options,
};

/// Everything worth telling, each as a sentence without full stop.
pub fn warnings(facts: &Facts, options: &Options) -> Vec<String> {
    let case = Case::new(facts, options);
    let is_marked = mark(&case.head().message) == Mark::Marked;
    let always = [not_released(&case), stray_marks(&case)];
    let asked: [fn(&Case<'_>) -> Vec<String>; 10] =
        [riders, taken_back, overtaken, late, tag_before, unfinished, unpublished, untooled, unknown_overrides, forks];
    let asked = asked.iter().filter(|_| is_marked).flat_map(|warn| warn(&case));
    always.into_iter().flatten().chain(asked).collect()
}

/// C110: bumps that wait for a marked commit are told, not lost.
fn not_released(case: &Case<'_>) -> Vec<String> {
    let Some(version) = &case.version else { return Vec::new() };
    let is_unmarked = matches!(mark(&case.head().message), Mark::Unmarked { .. });
    let has_tag = case.facts.local_tag.is_some();
    let text = || format!("there is no tag v{version}: {version} waits for a marked commit");
    (is_unmarked && !has_tag).then(text).into_iter().collect()
}

fn stray_marks(case: &Case<'_>) -> Vec<String> {
    let is_unmarked = mark(&case.head().message) != Mark::Marked;
    let older = case.marked_below().into_iter().filter(|(at, _)| is_unmarked && *at >= case.pushed());
    older
        .filter(|_| case.facts.local_tag.is_none())
        .map(|(_, commit)| format!("an earlier push left a marker on {}, and its version has no tag", commit.short()))
        .collect()
}

fn riders(case: &Case<'_>) -> Vec<String> {
    let text = |name: &str| {
        let remote = &case.options.remote;
        format!(
            "{remote}/{name} is a rider: it states this version only because it was cut from main; it will need another"
        )
    };
    case.riders().into_iter().map(|layer| text(&layer.name)).collect()
}

/// A branch that was opened again after its revert looks like one that was merely kept.
fn taken_back(case: &Case<'_>) -> Vec<String> {
    let text = |branch: &Branch| {
        let (landed, undone) = match branch.absorbed.as_ref()? {
            Absorption::Squashed { by, undone } => (format!(" as {}", short(by)), undone.as_ref()?),
            Absorption::EachCommit { undone } => (", commit by commit".to_owned(), undone.as_ref()?),
            Absorption::Ancestor | Absorption::MergeChangesNothing => return None,
        };
        let (remote, name, undone) = (&case.options.remote, &branch.name, short(undone));
        Some(format!(
            "{remote}/{name} landed{landed}, and {undone} took it back; should it be open again, it is left out"
        ))
    };
    case.branches().iter().filter_map(text).collect()
}

fn overtaken(case: &Case<'_>) -> Vec<String> {
    if case.resumes() { stranded(case) } else { Vec::new() }
}

fn late(case: &Case<'_>) -> Vec<String> {
    let is_late = case.resumes() && case.is_begun() && !stack::missing(case).is_empty();
    is_late.then(|| stack::would_ship_without(case)).into_iter().collect()
}

fn tag_before(case: &Case<'_>) -> Vec<String> {
    let Some(version) = &case.version else { return Vec::new() };
    let remote = case.facts.remote.as_ref().ok().and_then(|remote| remote.tag.as_ref());
    let mut tags = [case.facts.local_tag.as_ref(), remote].into_iter().flatten();
    (tags.any(|tag| *tag == case.head().sha) && case.is_absent())
        .then(|| format!("v{version} is at HEAD although nothing is published; it stays"))
        .into_iter()
        .collect()
}

fn unfinished(case: &Case<'_>) -> Vec<String> {
    let Some(Unfinished { version, out, missing, from }) = &case.facts.unfinished else { return Vec::new() };
    let state = format!("{version} is only partly out: {} has it, {} has not", out.join(", "), missing.join(", "));
    let way_on = match from.as_ref().filter(|from| case.is_absent() && mark(&from.message) == Mark::Marked) {
        Some(from) => {
            format!("once a greater version is out it stays so; to finish it before: {}", finish(case.options, from))
        }
        None => "it stays so, and what is out of it may be yanked".to_owned(),
    };
    vec![format!("{state}; {way_on}")]
}

fn unpublished(case: &Case<'_>) -> Vec<String> {
    let members = case.facts.tree.members.iter().flatten().filter(|member| !member.publishable && member.declared);
    let names: Vec<_> = members.map(|member| member.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("publish = false, left out: {}", names.join(", "))).into_iter().collect()
}

fn untooled(case: &Case<'_>) -> Vec<String> {
    let is_missing = case.facts.semver == Semver::NoTool;
    is_missing
        .then(|| "cargo-semver-checks is not installed; NO SEMVER CHECK WAS MADE".to_owned())
        .into_iter()
        .collect()
}

fn unknown_overrides(case: &Case<'_>) -> Vec<String> {
    let known = |of: &str| {
        let remote = format!("{}/", case.options.remote);
        case.branches().iter().any(|branch| branch.name == of.strip_prefix(&remote).unwrap_or(of))
    };
    let branches = case.options.not_in_stack.iter().filter(|given| !known(&given.of));
    let branches = branches.map(|given| format!("--not-in-stack names {}, which is no branch of the remote", given.of));
    let marked = case.marked_below();
    let is_marked = |of: &str| marked.iter().any(|(_, commit)| is_abbreviated(of, &commit.sha));
    let commits = case.options.acknowledged.iter().filter(|given| !is_marked(&given.of));
    let commits = commits.map(|given| {
        format!("--ack-marker names {}, which is no marked commit below HEAD that has its VERSION", given.of)
    });
    branches.chain(commits).collect()
}

fn forks(case: &Case<'_>) -> Vec<String> {
    let is_seen = case.facts.remote.is_ok();
    is_seen
        .then(|| "forks not seen: pull requests from them are not among the branches".to_owned())
        .into_iter()
        .collect()
}

//! Whether the registry can still take the version.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::{Case, Published},
    facts::{Commit, Row, short},
    marker::{Mark, mark, number, title},
    options::{Mode, Options},
    version::states,
};
use semver::Version;

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-BURNED",
        exit: 50,
        reads: "the raw index, the packages that HEAD makes, and the commit that a published package names",
        fails: "a planned crate has the version with other bytes; build metadata makes no other version",
        fix: "bump VERSION",
        check: Some(burned),
    },
    Gate {
        code: "E-TAG",
        exit: 50,
        reads: "the tag of the version, here and on the remote",
        fails: "it leads to another commit, and the version is not published or is about to be finished",
        fix: "delete the tag if it is a mistake, or bump VERSION; it is never moved",
        check: Some(tag),
    },
    Gate {
        code: "E-YANKED",
        exit: 50,
        reads: "the raw index",
        fails: "a planned crate has the version and it is yanked, whatever its bytes",
        fix: "bump VERSION, or un-yank it by hand",
        check: Some(yanked),
    },
    Gate {
        code: "E-VERSION-LOWER",
        exit: 50,
        reads: "the raw index, yanked versions included",
        fails: "a planned crate has a greater version",
        fix: "bump VERSION above it",
        check: Some(lower),
    },
    Gate {
        code: "E-ALREADY-RELEASED",
        exit: 50,
        reads: "the raw index and the packages that HEAD makes",
        fails: "every planned crate is published from these very bytes; with --resume only when the remote has the tag too",
        fix: "nothing; or land something and bump VERSION",
        check: Some(already),
    },
    Gate {
        code: "E-PARTIAL",
        exit: 50,
        reads: "the raw index and the packages that HEAD makes",
        fails: "some planned crates are published from these very bytes, the others are not published, and nobody said --resume",
        fix: "--resume",
        check: Some(partial),
    },
    Gate {
        code: "E-REGISTRY-SPLIT",
        exit: 60,
        reads: "--registry, --index-url, and cargo's configuration: [registries], [registry] default and [source]",
        fails: "it is not certain that the index which is read is that of the registry which cargo uploads to",
        fix: "name one registry with --registry, and state its index where cargo looks for it: [registries.NAME] index, or \
              CARGO_REGISTRIES_NAME_INDEX; crates-io, whose address cargo keeps to itself, needs --index-url",
        check: Some(split),
    },
    Gate {
        code: "E-REGISTRY-UNREADABLE",
        exit: 60,
        reads: "config.json of the index, and the entry of each planned crate",
        fails: "an answer is neither 200 with readable rows nor 404, 410 or 451, or none comes within 10 s, three times; \
                that is never read as absent",
        fix: "run again when the registry answers",
        check: Some(unreadable),
    },
    Gate {
        code: "E-NO-TOKEN",
        exit: 60,
        reads: "the environment, when publishing",
        fails: "it holds no token",
        fix: "set CARGO_REGISTRY_TOKEN, or CARGO_REGISTRIES_NAME_TOKEN with --registry NAME",
        check: Some(no_token),
    },
];

fn burned(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_shipped() {
        return Vec::new();
    }
    let Some(version) = &case.version else { return Vec::new() };
    let mut findings = Vec::new();
    for member in case.planned() {
        let Published::Other(_) = case.published(&member.name) else { continue };
        let (name, head) = (&member.name, case.head());
        let from = case.index(name).and_then(|index| index.published_from.as_ref());
        let text = match (from, case.checksum(name)) {
            (_, None) => format!("{name} {version} is published, and no package was made from HEAD to compare it with"),
            (Some(from), _) if from.sha == head.sha => {
                format!(
                    "{name} {version} was published from {} with other files; it cannot be published again",
                    told(from)
                )
            }
            (Some(from), _) => format!(
                "{name} {version} was published from {}, not from HEAD; it cannot be published again{}",
                told(from),
                if is_unbumped(case, from) { "; VERSION was not bumped" } else { "" }
            ),
            (None, _) => {
                format!(
                    "{name} {version} was published, from a commit that it does not name; it cannot be published again"
                )
            }
        };
        let finding = Finding::new(text);
        let bump = format!("bump VERSION, {} is free", next_free(case));
        findings.push(match interrupted(case) {
            Some(from) => finding.fix(format!("to finish it: {}; or {bump}", finish(case.options, from))),
            None => finding.fix(bump),
        });
    }
    findings
}

/// A commit as people know it: its hash, and the number of its pull request.
fn told(commit: &Commit) -> String {
    let number = number(title(&commit.message)).map(|number| format!(" ({number})")).unwrap_or_default();
    format!("{}{number}", commit.short())
}

/// Whether VERSION has not been touched since `from`, which is in the run or was HEAD's own.
fn is_unbumped(case: &Case<'_>, from: &Commit) -> bool {
    case.facts.run.iter().any(|commit| commit.sha == from.sha)
        || case.version.as_ref().is_some_and(|version| states(from.version.as_deref(), version))
}

/// The commit below HEAD that began to release the version and can still finish it: what is out names it and is not
/// yanked, it is marked, a crate or the tag is missing, and no tag stands in the way.
fn interrupted<'a>(case: &Case<'a>) -> Option<&'a Commit> {
    let mut from = None;
    let mut is_complete = true;
    for member in case.planned() {
        match case.published(&member.name) {
            Published::Absent => is_complete = false,
            Published::Other(row) if !row.yanked => {
                let named = case.index(&member.name)?.published_from.as_ref()?;
                if from.is_some_and(|from: &Commit| from.sha != named.sha) {
                    return None;
                }
                from = Some(named);
            }
            Published::Other(_) | Published::Same(_) | Published::Unknown => return None,
        }
    }
    let from = case.facts.run.iter().skip(1).find(|commit| from.is_some_and(|from| from.sha == commit.sha))?;
    let remote_tag = case.facts.remote.as_ref().ok()?.tag.as_ref();
    let mut tags = [remote_tag, case.facts.local_tag.as_ref()].into_iter().flatten();
    let is_finished = is_complete && remote_tag.is_some();
    (!is_finished && mark(&from.message) == Mark::Marked && tags.all(|tag| *tag == from.sha)).then_some(from)
}

/// The least version above all published ones that VERSION could be bumped to.
fn next_free(case: &Case<'_>) -> String {
    let published = case.planned().into_iter().flat_map(|member| case.rows(&member.name));
    let versions = published.map(|row| row.version.clone()).chain(case.version.clone());
    let Some(greatest) = versions.max_by(Version::cmp_precedence) else { return "0.1.0".to_owned() };
    let patch = if greatest.pre.is_empty() { greatest.patch + 1 } else { greatest.patch };
    Version::new(greatest.major, greatest.minor, patch).to_string()
}

fn tag(case: &Case<'_>) -> Vec<Finding> {
    let Some(version) = &case.version else { return Vec::new() };
    let remote = case.facts.remote.as_ref().ok().and_then(|remote| remote.tag.as_ref());
    let name = format!("v{version}");
    let here = (case.facts.local_tag.as_ref(), format!("git tag --delete {name}"));
    let there = (remote, format!("git push {} --delete {name}", case.options.remote));
    let tags = [here, there].into_iter().filter_map(|(tag, delete)| Some((tag?, delete)));
    let elsewhere: Vec<_> = tags.filter(|(tag, _)| **tag != case.head().sha).collect();
    let is_judged = case.is_absent() || (case.resumes() && case.is_begun());
    let state =
        if case.is_absent() { format!("registry has no {version}") } else { "HEAD is another commit".to_owned() };
    let Some((tag, _)) = elsewhere.first().filter(|_| is_judged && !case.is_lint()) else { return Vec::new() };
    let delete: Vec<_> = elsewhere.iter().map(|(_, delete)| delete.as_str()).collect();
    vec![
        Finding::new(format!("{name} exists at {}, {state}", short(tag))).fix(format!(
            "bump VERSION; or, should the tag be a mistake, it is never moved: `{}`",
            delete.join(" && ")
        )),
    ]
}

fn yanked(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_shipped() {
        return Vec::new();
    }
    let taken = case.planned().into_iter().filter_map(|member| match case.published(&member.name) {
        Published::Same(row) | Published::Other(row) => Some((member, row)),
        Published::Absent | Published::Unknown => None,
    });
    let yanked = taken.filter(|(_, row)| row.yanked);
    yanked
        .map(|(member, row)| {
            let text = format!("{} {} is published and yanked; yanked versions stay taken", member.name, row.version);
            Finding::new(text).fix(format!("bump VERSION, {} is free, or un-yank it by hand", next_free(case)))
        })
        .collect()
}

fn lower(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_shipped() {
        return Vec::new();
    }
    let Some(version) = &case.version else { return Vec::new() };
    let greatest =
        |rows: &'_ [Row]| rows.iter().max_by(|one, other| one.version.cmp_precedence(&other.version)).cloned();
    let mut findings = Vec::new();
    for member in case.planned() {
        let Some(Row { version: taken, yanked, .. }) = greatest(case.rows(&member.name)) else { continue };
        if taken.cmp_precedence(version).is_gt() {
            let yanked = if yanked { " (yanked)" } else { "" };
            let text = format!("{version} is lower than {} {taken}{yanked}, which is published", member.name);
            let fix = if case.resumes() && case.is_begun() {
                format!("none: {version} stays half published, and what is out of it may be yanked")
            } else {
                format!("bump VERSION, {} is free", next_free(case))
            };
            findings.push(Finding::new(text).fix(fix));
        }
    }
    findings
}

fn already(case: &Case<'_>) -> Vec<Finding> {
    let has_tag = case.facts.remote.as_ref().is_ok_and(|remote| remote.tag.is_some());
    let only_the_tag = case.resumes() && !has_tag;
    let version = case.version.as_ref().map(ToString::to_string).unwrap_or_default();
    when(case.is_published() && !only_the_tag && !case.is_lint(), || {
        let finding =
            Finding::new(format!("nothing to publish: every crate is out at {version}, from this very commit"));
        if has_tag {
            finding
        } else {
            finding.fix(format!("the tag is missing; --resume makes it: `{}`", resume(case)))
        }
    })
}

fn partial(case: &Case<'_>) -> Vec<Finding> {
    let planned = case.planned();
    let named = |wanted: fn(&Published<'_>) -> bool| -> Vec<&str> {
        let found = planned.iter().filter(|member| wanted(&case.published(&member.name)));
        found.map(|member| member.name.as_str()).collect()
    };
    let out = named(|published| matches!(published, Published::Same(_)));
    let missing = named(|published| *published == Published::Absent);
    when(!out.is_empty() && !missing.is_empty() && !case.resumes() && !case.is_lint(), || {
        let verb = |names: &[&str]| if names.len() == 1 { "is" } else { "are" };
        let (out_verb, missing_verb) = (verb(&out), verb(&missing));
        let text = format!("{} {out_verb} out, {} {missing_verb} not", out.join(", "), missing.join(", "));
        Finding::new(text).fix(format!("--resume: `{}`", resume(case)))
    })
}

/// The command that finishes the release of HEAD; a HEAD on no branch has to be named.
fn resume(case: &Case<'_>) -> String {
    match case.facts.checkout.branch {
        Some(_) => case.options.again(&["--resume"]),
        None => case.options.again(&["--resume", "--at", case.head().short()]),
    }
}

/// The command that finishes the release of another commit, which has to be tested where it stands.
pub(crate) fn finish(options: &Options, commit: &Commit) -> String {
    let sha = commit.short();
    let again = options.again(&["--resume", "--at", sha]);
    format!("`git switch --detach {sha} && cargo xtask ci core && cargo xtask ci consumers && {again}`")
}

fn split(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_shipped() {
        return Vec::new();
    }
    let error = case.facts.one_registry.as_ref().err();
    error.map(|error| Finding::new(error.0.clone())).into_iter().collect()
}

fn unreadable(case: &Case<'_>) -> Vec<Finding> {
    // Where no registry could be asked, the gate above says why.
    if !case.is_shipped() || case.facts.one_registry.is_err() {
        return Vec::new();
    }
    let error = |name: &str| match case.index(name) {
        None => Some("was not asked".to_owned()),
        Some(index) => index.rows.as_ref().err().map(|error| error.0.clone()),
    };
    let planned = case.planned().into_iter();
    planned
        .filter_map(|member| {
            let error = error(&member.name)?;
            Some(Finding::new(format!("what the registry holds of {} is not known: it {error}", member.name)))
        })
        .collect()
}

fn no_token(case: &Case<'_>) -> Vec<Finding> {
    let is_asked = case.options.mode == Mode::Execute || case.options.check_token;
    when(is_asked && !case.facts.has_token, || {
        Finding::new("the environment holds no token for the registry")
            .fix(format!("set {}", case.facts.token_variable))
    })
}

//! Whether the files of HEAD agree on one version, and no crate is forgotten.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::Case,
    facts::{Member, Need},
    snippets,
    version::parse,
};
use semver::{Comparator, Op, Version, VersionReq};

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-VERSION-SYNTAX",
        exit: 30,
        reads: "VERSION",
        fails: "it is missing, or not one line with one strict semantic version without `v` and build metadata",
        fix: "write one version such as 1.1.0",
        check: Some(syntax),
    },
    Gate {
        code: "E-VERSION-MISMATCH",
        exit: 30,
        reads: "VERSION, Cargo.toml, the crates of the workspace and what they need of each other",
        fails: "a version differs, or a requirement between crates does not begin exactly at VERSION",
        fix: "cargo xtask release bump VERSION",
        check: Some(mismatch),
    },
    Gate {
        code: "E-LOCK",
        exit: 30,
        reads: "Cargo.lock",
        fails: "git does not track it, or cargo would change it: the bytes of a package depend on it",
        fix: "cargo metadata, and commit Cargo.lock",
        check: Some(lock),
    },
    Gate {
        code: "E-MEMBER-UNDECLARED",
        exit: 30,
        reads: "the crates as cargo sees them, and manifests and VERSION files that belong to none",
        fails: "a crate does not say `publish`, or not for this registry; a published one needs one that is not, states no version for it, or \
                would look for it in another registry; a manifest that does not say publish = false, or a VERSION beside the crates, belongs to none; or nothing is published at all",
        fix: "say publish = true or false in each manifest, and list each crate in the workspace",
        check: Some(undeclared),
    },
    Gate {
        code: "E-README-STALE",
        exit: 30,
        reads: "README*.md, and the READMEs of the crates",
        fails: "a dependency line for a crate of the workspace states parts of a version that are not VERSION's",
        fix: "cargo xtask release bump VERSION",
        check: Some(readme),
    },
];

fn syntax(case: &Case<'_>) -> Vec<Finding> {
    match &case.facts.tree.version {
        None => vec![Finding::new("VERSION is missing")],
        Some(text) => parse(text).err().map(Finding::new).into_iter().collect(),
    }
}

fn mismatch(case: &Case<'_>) -> Vec<Finding> {
    let Some(version) = &case.version else { return Vec::new() };
    let mut differing = Vec::new();
    if let Some(stated) = workspace_version(&case.facts.tree.manifest).filter(|stated| *stated != version.to_string()) {
        differing.push(format!("Cargo.toml {stated}"));
    }
    for member in case.facts.tree.members.iter().flatten() {
        if member.version != version.to_string() {
            differing.push(format!("{} {}", member.name, member.version));
        }
        let stated = member.needs.iter().filter(|need| !need.dropped && !is_unstated(need));
        let wrong = stated.filter(|need| lower_bound(&need.requirement).as_ref() != Some(version));
        differing.extend(wrong.map(|need| format!("{} requires {} {}", member.name, need.name, need.requirement)));
    }
    when(!differing.is_empty(), || Finding::new(format!("VERSION {version}, {}", differing.join(", "))))
}

/// The version of `[workspace.package]`, or `None` when the manifest states none there.
fn workspace_version(manifest: &str) -> Option<String> {
    let table: toml::Table = manifest.parse().ok()?;
    Some(table.get("workspace")?.get("package")?.get("version")?.as_str()?.to_owned())
}

/// Whether a need states no version, which is another gate's to refuse.
fn is_unstated(need: &Need) -> bool {
    need.requirement == "*"
}

/// The least version that a requirement of one part accepts.
fn lower_bound(requirement: &str) -> Option<Version> {
    let requirement = VersionReq::parse(requirement).ok()?;
    let [Comparator { op, major, minor, patch, pre }] = requirement.comparators.as_slice() else { return None };
    match op {
        Op::Exact | Op::GreaterEq | Op::Tilde | Op::Caret => Some(Version {
            major: *major,
            minor: minor.unwrap_or(0),
            patch: patch.unwrap_or(0),
            pre: pre.clone(),
            build: semver::BuildMetadata::EMPTY,
        }),
        _ => None,
    }
}

fn lock(case: &Case<'_>) -> Vec<Finding> {
    if !case.facts.tree.lock_tracked {
        return vec![Finding::new("Cargo.lock is not tracked").fix("git add Cargo.lock")];
    }
    let error = case.facts.tree.locked.as_ref().err();
    error.map(|error| Finding::new(format!("Cargo.lock {}", error.0))).into_iter().collect()
}

fn undeclared(case: &Case<'_>) -> Vec<Finding> {
    let members = match &case.facts.tree.members {
        Ok(members) => members,
        Err(error) => {
            return vec![Finding::new(format!(
                "the crates of the workspace cannot be told: cargo metadata {}",
                error.0
            ))];
        }
    };
    let mut findings: Vec<_> =
        members.iter().filter_map(|member| left_out(member, members)).map(Finding::new).collect();
    let registry = &case.facts.tree.registry;
    let closed = members.iter().filter(|member| {
        member.registries.as_ref().is_some_and(|registries| !registries.iter().any(|other| other == registry))
    });
    findings.extend(closed.map(|member| {
        let (name, manifest) = (&member.name, &member.manifest);
        Finding::new(format!(
            "crate {name} would be left out of the release: {manifest} does not say that it may go to {registry}"
        ))
        .fix(format!("give --registry, or list {registry} in its publish"))
    }));
    let strays = case.facts.tree.strays.iter();
    findings.extend(strays.map(|stray| {
        Finding::new(format!("{stray} belongs to no crate of the workspace"))
            .fix("list it in the workspace, remove it, or say publish = false in its manifest")
    }));
    if !members.iter().any(|member| member.publishable) {
        findings.push(Finding::new("no crate of the workspace may be published"));
    }
    findings
}

/// Why a crate would be left out of the release, or could not be in it.
fn left_out(member: &Member, members: &[Member]) -> Option<String> {
    let (name, manifest) = (&member.name, &member.manifest);
    if !member.declared {
        return Some(format!("crate {name} would be left out of the release: {manifest} does not say publish"));
    }
    let mut needs = member.needs.iter().filter(|need| member.publishable && !need.dropped);
    needs.find_map(|need| {
        let needed = members.iter().find(|other| other.name == need.name)?;
        if !needed.publishable && !need.dev {
            Some(format!("crate {} would be left out of the release, and {name} needs it", need.name))
        } else if is_unstated(need) {
            Some(format!("crate {name} needs {} without saying which version", need.name))
        } else {
            let elsewhere = need.elsewhere.as_ref();
            elsewhere
                .map(|other| format!("crate {name} needs {}, and its package would look for it in {other}", need.name))
        }
    })
}

fn readme(case: &Case<'_>) -> Vec<Finding> {
    let Some(version) = &case.version else { return Vec::new() };
    let names: Vec<_> = case.facts.tree.members.iter().flatten().map(|member| member.name.as_str()).collect();
    let mut findings = Vec::new();
    for (path, text) in &case.facts.tree.readmes {
        for (line, snippet) in snippets::stale(text, &names, version) {
            findings.push(Finding::new(format!("{path}:{line}: {snippet}, VERSION {version}")));
        }
    }
    findings
}

//! Whether HEAD is the tip of main, and all that the remote holds is seen.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::{Case, is_abbreviated},
    facts::Commit,
    marker::{number, title},
    options::Resume,
    version,
};

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-DETACHED",
        exit: 20,
        reads: "HEAD",
        fails: "HEAD is on no branch, unless --resume --at names it, or is not the commit that --at names",
        fix: "switch to the main branch",
        check: Some(detached),
    },
    Gate {
        code: "E-NOT-MAIN",
        exit: 20,
        reads: "the name of the branch",
        fails: "it is not the main branch",
        fix: "merge it, and run on main",
        check: Some(not_main),
    },
    Gate {
        code: "E-DIRTY",
        exit: 20,
        reads: "the working tree, untracked files included",
        fails: "any file differs from HEAD that git does not ignore, or has line ends of this machine (core.autocrlf)",
        fix: "commit, remove or ignore them; for line ends, git config core.autocrlf false, and check them out anew",
        check: Some(dirty),
    },
    Gate {
        code: "E-SHALLOW",
        exit: 20,
        reads: "the clone",
        fails: "its history ends early, or it was made with a filter that left files of older commits out",
        fix: "git fetch --unshallow; in a workflow, fetch-depth: 0",
        check: Some(shallow),
    },
    Gate {
        code: "E-REFS-STALE",
        exit: 20,
        reads: "the branches of the remote, and where they were at the last fetch",
        fails: "a branch is not fetched or has moved, or the remote does not answer; refs that only exist here do not count",
        fix: "fetch every branch of the remote",
        check: Some(stale),
    },
    Gate {
        code: "E-UNPUSHED",
        exit: 20,
        reads: "the first-parent chain of the remote's main branch",
        fails: "HEAD is not on it",
        fix: "git push, through a pull request",
        check: Some(unpushed),
    },
    Gate {
        code: "E-NOT-TIP",
        exit: 20,
        reads: "the commits of the remote's main branch after HEAD",
        fails: "one of them still has HEAD's VERSION; with --resume this is a warning",
        fix: "release from the tip of main, or bump VERSION there",
        check: Some(not_tip),
    },
    Gate {
        code: "E-IN-PROGRESS",
        exit: 20,
        reads: "the state of the repository",
        fails: "a merge, rebase, bisect or the like is open",
        fix: "finish it or abort it",
        check: Some(in_progress),
    },
];

fn detached(case: &Case<'_>) -> Vec<Finding> {
    let is_named = match &case.options.resume {
        Resume::At(sha) if !is_abbreviated(sha, &case.head().sha) => {
            let finding = Finding::new(format!("HEAD is {}, not {sha}", case.head().short()));
            return vec![finding.fix(format!("git switch --detach {sha}"))];
        }
        Resume::At(_) => true,
        Resume::No | Resume::AtTip => false,
    };
    when(!case.is_lint() && case.facts.checkout.branch.is_none() && !is_named, || {
        let main = &case.options.main;
        Finding::new(format!("HEAD is detached; releases run from {main}")).fix(format!("git switch {main}"))
    })
}

fn not_main(case: &Case<'_>) -> Vec<Finding> {
    let other = case.facts.checkout.branch.as_ref().filter(|branch| **branch != case.options.main);
    let text = |branch| Finding::new(format!("on {branch}, releases run only from {}", case.options.main));
    other.filter(|_| !case.is_lint()).map(text).into_iter().collect()
}

fn dirty(case: &Case<'_>) -> Vec<Finding> {
    let dirty = &case.facts.checkout.dirty;
    when(!dirty.is_empty(), || Finding::new(format!("the working tree differs from HEAD: {}", dirty.join(", "))))
}

fn shallow(case: &Case<'_>) -> Vec<Finding> {
    let shallow = when(case.facts.checkout.shallow, || {
        let fix = format!("git fetch --unshallow {}; in a workflow, fetch-depth: 0", case.options.remote);
        Finding::new("shallow clone: open layers cannot be seen").fix(fix)
    });
    let partial = when(case.facts.checkout.partial, || {
        Finding::new("partial clone: open layers cannot be seen").fix("clone again without --filter")
    });
    [shallow, partial].concat()
}

fn stale(case: &Case<'_>) -> Vec<Finding> {
    let name = &case.options.remote;
    let remote = match &case.facts.remote {
        Ok(remote) if remote.heads.is_empty() => {
            return vec![Finding::new(format!("{name} lists no branch at all; open layers cannot be seen"))];
        }
        Ok(remote) => remote,
        Err(error) => return vec![Finding::new(format!("{name} {}; open layers cannot be seen", error.0))],
    };
    let stale: Vec<_> = remote.heads.iter().filter(|head| head.fetched.as_ref() != Some(&head.sha)).collect();
    let missing = |branch: &str| !remote.branches.iter().any(|known| known.name == branch);
    let mut findings: Vec<_> = stale
        .iter()
        .map(|head| match head.fetched {
            None => format!("{name}/{} is not fetched", head.name),
            Some(_) => format!("{name}/{} has moved since it was fetched", head.name),
        })
        .collect();
    // A branch that was fetched and yet not looked into would be a layer nobody sees.
    let unseen = remote.heads.iter().filter(|head| head.name != case.options.main && missing(&head.name));
    findings.extend(
        unseen
            .filter(|head| head.fetched.as_ref() == Some(&head.sha))
            .map(|head| format!("{name}/{} cannot be read", head.name)),
    );
    let count = findings.len();
    when(count > 0, || {
        let layers = if count == 1 { "1 open layer" } else { &format!("{count} open layers") };
        Finding::new(format!("{}; {layers} could be hidden", findings.join(", "))).fix(fetch(case))
    })
}

/// The command that fetches every branch, in a clone of one branch too, whose settings name only that one.
fn fetch(case: &Case<'_>) -> String {
    let remote = &case.options.remote;
    format!("`git fetch --prune {remote} '+refs/heads/*:refs/remotes/{remote}/*'`")
}

fn unpushed(case: &Case<'_>) -> Vec<Finding> {
    let Ok(remote) = &case.facts.remote else { return Vec::new() };
    let main = format!("{}/{}", case.options.remote, case.options.main);
    let head = case.head().short();
    if case.is_lint() {
        return Vec::new();
    }
    match &remote.main {
        Some(main) if main.has_head => Vec::new(),
        Some(_) => vec![Finding::new(format!("HEAD {head} is not on the first-parent chain of {main}"))],
        None => {
            vec![Finding::new(format!("whether HEAD {head} is on {main} is not known here")).fix(fetch(case))]
        }
    }
}

fn not_tip(case: &Case<'_>) -> Vec<Finding> {
    // A resumed release of which nothing is out is a release like any other.
    let is_finishing = case.resumes() && case.is_begun();
    when(!is_finishing && !case.is_lint() && !stranded(case).is_empty(), || {
        Finding::new(stranded(case).into_iter().take(1).collect::<String>())
    })
}

/// For each commit after HEAD on the remote's main branch that still has HEAD's VERSION: that it would be stranded.
pub(crate) fn stranded(case: &Case<'_>) -> Vec<String> {
    let Ok(remote) = &case.facts.remote else { return Vec::new() };
    let (Some(main), Some(version)) = (&remote.main, &case.version) else { return Vec::new() };
    let later = main.later.iter().filter(|commit| version::states(commit.version.as_deref(), version));
    let text = |commit: &Commit| {
        let number = number(title(&commit.message)).map(|number| format!(" ({number})")).unwrap_or_default();
        format!("{} moved on: {}{number} also says {version} and would be stranded", case.options.main, commit.short())
    };
    later.map(text).collect()
}

fn in_progress(case: &Case<'_>) -> Vec<Finding> {
    let open = case.facts.checkout.in_progress.iter();
    open.map(|what| Finding::new(format!("a {what} is in progress"))).collect()
}

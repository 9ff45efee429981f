//! A world in which nothing refuses: the workspace `core` and `cons` at 1.1.0, whose upper crate needs the lower one.
//!
//! A row of a table changes one thing of it.

use jiff::civil::date;
use std::collections::BTreeMap;
use xtask::receipts::Receipt;
use xtask::release::{
    Asked, Checkout, Commit, Facts, Fork, IndexFacts, Member, Mode, Need, Options, Override, Packaged, Plan, Refusal,
    Remote, RemoteHead, RemoteMain, Row, Semver, TreeFacts, Unreadable, plan,
};
use xtask::release::{Branch, exit_code};

pub(crate) const HEAD: &str = "aaaaaaa111111111111111111111111111111111";
pub(crate) const BASE: &str = "ppppppp000000000000000000000000000000000";
pub(crate) const TREE: &str = "5f2c000000000000000000000000000000000000";

pub(crate) fn world() -> Facts {
    let head = commit(HEAD, "core [release] (#1)", "1.1.0");
    Facts {
        today: date(2026, 11, 30),
        holder: None,
        checkout: Checkout {
            head: head.clone(),
            branch: Some("main".to_owned()),
            dirty: Vec::new(),
            shallow: false,
            partial: false,
            in_progress: None,
        },
        run: vec![head],
        run_is_whole: true,
        proposal: None,
        tree: tree(),
        local_tag: None,
        remote: Ok(Remote {
            heads: vec![RemoteHead { name: "main".to_owned(), sha: HEAD.to_owned(), fetched: Some(HEAD.to_owned()) }],
            main: Some(RemoteMain { has_head: true, later: Vec::new() }),
            branches: Vec::new(),
            tag: None,
        }),
        one_registry: Ok(()),
        index: vec![index("core", &[("1.0.0", "old", false)]), index("cons", &[("1.0.0", "old", false)])],
        unfinished: None,
        packages: Ok(BTreeMap::from([("core".to_owned(), package("c0de")), ("cons".to_owned(), package("c0ff"))])),
        verified: Ok(()),
        receipts: vec![Ok(receipt("core", TREE, true)), Ok(receipt("consumers", TREE, true))],
        semver: Semver::NoBaseline,
        has_token: true,
        token_variable: "CARGO_REGISTRY_TOKEN".to_owned(),
    }
}

fn tree() -> TreeFacts {
    TreeFacts {
        version: Some("1.1.0\n".to_owned()),
        manifest: "[workspace]\n[workspace.package]\nversion = \"1.1.0\"\n".to_owned(),
        members: Ok(vec![member("cons", vec![need("^1.1.0")]), member("core", Vec::new())]),
        registry: "crates-io".to_owned(),
        strays: Vec::new(),
        lock_tracked: true,
        locked: Ok(()),
        changelog: Some("1.1.0 - 30 Nov 2026\n- New.\n\n1.0.0 - 1 Nov 2026\n- First.\n".to_owned()),
        readmes: BTreeMap::from([("README.md".to_owned(), "core = \"1.1\"\n".to_owned())]),
    }
}

pub(crate) fn commit(sha: &str, message: &str, version: &str) -> Commit {
    Commit {
        sha: sha.to_owned(),
        tree: TREE.to_owned(),
        message: message.to_owned(),
        version: Some(format!("{version}\n")),
    }
}

pub(crate) fn member(name: &str, needs: Vec<Need>) -> Member {
    Member {
        name: name.to_owned(),
        version: "1.1.0".to_owned(),
        manifest: format!("crates/{name}/Cargo.toml"),
        declared: true,
        publishable: true,
        registries: None,
        needs,
    }
}

/// A need of the crate `core`.
pub(crate) fn need(requirement: &str) -> Need {
    let requirement = requirement.to_owned();
    Need { name: "core".to_owned(), requirement, dev: false, dropped: false, elsewhere: None }
}

pub(crate) fn index(name: &str, rows: &[(&str, &str, bool)]) -> IndexFacts {
    let row = |(version, checksum, yanked): &(&str, &str, bool)| Row {
        version: version.parse().expect("a version"),
        checksum: (*checksum).to_owned(),
        yanked: *yanked,
    };
    IndexFacts { name: name.to_owned(), rows: Ok(rows.iter().map(row).collect()), published_from: None }
}

pub(crate) fn package(checksum: &str) -> Packaged {
    Packaged { checksum: checksum.to_owned() }
}

pub(crate) fn receipt(layer: &str, tree: &str, ok: bool) -> Receipt {
    Receipt { layer: layer.to_owned(), tree: tree.to_owned(), ok }
}

/// A branch cut from BASE, where VERSION was still 1.0.0.
pub(crate) fn branch(name: &str) -> Branch {
    Branch {
        name: name.to_owned(),
        version: Some("1.1.0\n".to_owned()),
        fork: Some(Fork { commit: commit(BASE, "base", "1.0.0"), on_main: true, changelog: None }),
        changelog: world().tree.changelog,
        ..Branch::default()
    }
}

/// Adds branches that are fetched and looked into.
pub(crate) fn with_branches(facts: &mut Facts, branches: Vec<Branch>) {
    let remote = facts.remote.as_mut().expect("the world has a remote");
    for branch in &branches {
        let sha = format!("tip of {}", branch.name);
        remote.heads.push(RemoteHead { name: branch.name.clone(), sha: sha.clone(), fetched: Some(sha) });
    }
    remote.branches.extend(branches);
}

pub(crate) fn execute() -> Options {
    Options { mode: Mode::Execute, ..Options::default() }
}

/// The codes of a judgement, or `release` with the crates that are uploaded, and the exit code.
pub(crate) fn verdict(judgement: &Result<Plan, Vec<Refusal>>, options: &Options) -> String {
    let exit = exit_code(judgement, options);
    match judgement {
        Ok(plan) => {
            let uploads: Vec<_> =
                plan.uploads.iter().filter(|upload| !upload.is_out).map(|upload| upload.name.as_str()).collect();
            format!("release {} ({exit})", uploads.join(" ")).replace("  ", " ")
        }
        Err(refusals) => {
            let codes: Vec<_> = refusals.iter().map(|refusal| refusal.code).collect();
            format!("{} ({exit})", codes.join(" "))
        }
    }
}

/// One row: what is claimed, what is changed in the world, and the verdict.
pub(crate) type Row3 = (&'static str, fn(&mut Facts, &mut Options), &'static str);

#[track_caller]
pub(crate) fn check(rows: &[Row3]) {
    for (claim, change, expected) in rows {
        let (mut facts, mut options) = (world(), execute());
        change(&mut facts, &mut options);
        assert_eq!(verdict(&plan(&facts, &options), &options), *expected, "{claim}");
    }
}

/// The text of the one refusal with this code.
#[track_caller]
pub(crate) fn refusal(code: &str, change: fn(&mut Facts, &mut Options)) -> String {
    let (mut facts, mut options) = (world(), execute());
    change(&mut facts, &mut options);
    let refusals = plan(&facts, &options).expect_err("the world is to be refused");
    let found: Vec<_> = refusals.iter().filter(|refusal| refusal.code == code).map(ToString::to_string).collect();
    assert_eq!(found.len(), 1, "{code} in {refusals:?}");
    found.into_iter().next().expect("there is one")
}

pub(crate) fn given(of: &str) -> Override {
    Override { of: of.to_owned(), reason: "known".to_owned() }
}

pub(crate) fn silent<T>() -> Asked<T> {
    Err(Unreadable("did not answer".to_owned()))
}

pub(crate) fn below(facts: &mut Facts, head: &str, other: &str) {
    let other = commit("bbbbbbb222", other, "1.1.0");
    facts.run[0].message = head.to_owned();
    facts.checkout.head.message = head.to_owned();
    facts.run.push(other);
}

pub(crate) fn later(facts: &mut Facts, version: &str) {
    let main = remote(facts).main.as_mut().expect("the remote of the world has a main branch");
    main.later.push(commit("9c1e2", "L2 (#8)", version));
}

pub(crate) fn remote(facts: &mut Facts) -> &mut Remote {
    facts.remote.as_mut().expect("the world has a remote")
}

pub(crate) fn members(facts: &mut Facts) -> &mut Vec<Member> {
    facts.tree.members.as_mut().expect("the world has crates")
}

pub(crate) fn packages(facts: &mut Facts) -> &mut BTreeMap<String, Packaged> {
    facts.packages.as_mut().expect("the world has packages")
}

/// The receipt of the layer `consumers`.
pub(crate) fn consumers(facts: &mut Facts) -> &mut Receipt {
    facts.receipts[1].as_mut().expect("the receipts of the world are readable")
}

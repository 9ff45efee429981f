//! What is told, and in which order.

use crate::world::{
    self, HEAD, below, branch, check, commit, execute, given, index, later, member, refusal, remote, with_branches,
    world,
};
use xtask::release::{Facts, Need, Options, bottom_up, warnings};

fn burned(facts: &mut Facts) {
    facts.index[0] = index("core", &[("1.1.0", "other", false)]);
    let from = commit("cde4c40", "L1 [release] (#1)", "1.1.0");
    facts.index[0].published_from = Some(from.clone());
    facts.run.push(from);
}

#[test]
fn only_a_marked_commit_whose_crates_can_be_used_is_one_to_finish() {
    let rows: [fn(&mut Facts, &mut Options); 2] = [
        |f, _| {
            burned(f);
            f.index[0].rows.as_mut().expect("the world has rows")[0].yanked = true;
        },
        |f, _| {
            burned(f);
            f.run[1].message = "L1 (#1)".to_owned();
            f.index[0].published_from = Some(f.run[1].clone());
        },
    ];
    for change in rows {
        let told = refusal("E-BURNED", change);
        assert!(told.ends_with(" fix: bump VERSION, 1.1.1 is free"), "{told}");
    }
}

#[test]
fn every_group_is_asked_and_the_lowest_exit_wins() {
    check(&[(
        "one of each",
        |f, _| {
            f.checkout.dirty.push("x".to_owned());
            f.tree.lock_tracked = false;
            with_branches(f, vec![branch("l2")]);
            f.index[0] = index("core", &[("1.1.0", "other", false)]);
            f.has_token = false;
            f.receipts.truncate(1);
        },
        "E-DIRTY E-LOCK E-STACK-OPEN E-BURNED E-NO-TOKEN E-GATE (20)",
    )]);
}

#[test]
fn a_refusal_says_what_is_wrong_and_what_makes_it_right() {
    type Told = (&'static str, fn(&mut Facts, &mut Options), &'static str);
    let rows: &[Told] = &[
        (
            "E-NO-MARKER",
            |f, _| f.checkout.head.message = "core (#1)\n\n\n\nby [release]".to_owned(),
            "refused[E-NO-MARKER]: HEAD aaaaaaa \"core (#1)\" carries no [release] marker; nothing published (a marker in the body, line 5, does not count). fix: land a commit whose title begins or ends with [release]",
        ),
        (
            "E-MARKER-BELOW-TOP",
            |f, _| {
                below(f, "L3", "L2 [release]");
                f.run.push(commit("ddd", "L1", "1.1.0"));
            },
            "refused[E-MARKER-BELOW-TOP]: marker sits on bbbbbbb (layer 2 of 3); only the top layer may carry it. fix: land a marked commit on top, or bump VERSION",
        ),
        (
            "E-STACK-OPEN",
            |f, _| with_branches(f, vec![branch("l2"), branch("l3")]),
            "refused[E-STACK-OPEN]: 1.1.0 would ship without origin/l2 (branch carries the bump), origin/l3 (branch carries the bump); a published version can never take them. fix: merge them and mark the top one, or give them their own VERSION, or --not-in-stack BRANCH=REASON",
        ),
        (
            "E-BURNED",
            |f, _| burned(f),
            "refused[E-BURNED]: core 1.1.0 was published from cde4c40 (#1), not from HEAD; it cannot be published again; VERSION was not bumped. fix: to finish it: `git switch --detach cde4c40 && cargo xtask ci core && cargo xtask ci consumers && cargo xtask release --execute --resume --at cde4c40`; or bump VERSION, 1.1.1 is free",
        ),
        (
            "E-NOT-TIP",
            |f, _| later(f, "1.1.0"),
            "refused[E-NOT-TIP]: main moved on: 9c1e2 (#8) also says 1.1.0 and would be stranded. fix: release from the tip of main, or bump VERSION there",
        ),
        (
            "E-VERSION-LOWER",
            |f, _| f.index[0] = index("core", &[("1.2.0", "b", true)]),
            "refused[E-VERSION-LOWER]: 1.1.0 is lower than core 1.2.0 (yanked), which is published. fix: bump VERSION, 1.2.1 is free",
        ),
        (
            "E-PARTIAL",
            |f, _| f.index[0] = index("core", &[("1.1.0", "c0de", false)]),
            "refused[E-PARTIAL]: core is out, cons is not. fix: --resume: `cargo xtask release --execute --resume`",
        ),
        (
            "E-GATE",
            |f, _| f.receipts.truncate(1),
            "refused[E-GATE]: consumers: no green run for tree 5f2c000. fix: cargo xtask ci core; cargo xtask ci consumers",
        ),
        (
            "E-VERSION-MISMATCH",
            |f, _| f.tree.manifest = f.tree.manifest.replace("1.1.0", "1.0.0"),
            "refused[E-VERSION-MISMATCH]: VERSION 1.1.0, Cargo.toml 1.0.0. fix: cargo xtask release bump VERSION",
        ),
    ];
    for (code, change, expected) in rows {
        assert_eq!(refusal(code, *change), *expected);
    }
}

#[test]
fn what_refuses_nothing_is_told() {
    type Told = (&'static str, fn(&mut Facts, &mut Options), &'static str);
    let rows: &[Told] = &[
        ("a tag here", |f, _| f.local_tag = Some(HEAD.to_owned()), "v1.1.0 is at HEAD although nothing is published"),
        (
            "a tag there",
            |f, _| remote(f).tag = Some(HEAD.to_owned()),
            "v1.1.0 is at HEAD although nothing is published",
        ),
        ("no branch", |_, o| o.not_in_stack.push(given("l9")), "--not-in-stack names l9, which is no branch"),
        (
            "no commit",
            |_, o| o.acknowledged.push(given("bbbbbbb")),
            "--ack-marker names bbbbbbb, which is no marked commit",
        ),
        (
            "an unmarked commit",
            |f, o| {
                below(f, "L2 [release]", "L1");
                o.acknowledged.push(given("bbbbbbb"));
            },
            "--ack-marker names bbbbbbb, which is no marked commit below HEAD",
        ),
        ("HEAD itself", |_, o| o.acknowledged.push(given("aaaaaaa")), "--ack-marker names aaaaaaa, which is no marked"),
    ];
    let usual = "forks not seen: pull requests from them are not among the branches";
    for (claim, change, expected) in rows {
        let (mut facts, mut options) = (world(), execute());
        change(&mut facts, &mut options);
        let told = warnings(&facts, &options);
        assert!(told.iter().any(|told| told.starts_with(expected)), "{claim}: {told:?}");
        assert_eq!(told.len(), 2, "{claim}: {told:?}");
    }
    let (mut facts, mut options) = (world(), execute());
    assert_eq!(warnings(&facts, &options), [usual]);
    below(&mut facts, "L2 [release]", "L1 [release]");
    options.acknowledged.push(given("bbbbbbb"));
    assert_eq!(warnings(&facts, &options), [usual]);
}

#[test]
fn crates_go_out_each_after_those_it_needs() {
    let need = |name: &str| Need { name: name.to_owned(), ..world::need("^1.1.0") };
    // What is dropped from the package makes no ring.
    let only_tests = Need { name: "a".to_owned(), dev: true, dropped: true, ..world::need("*") };
    let members = [
        member("a", vec![need("c")]),
        member("b", vec![need("a")]),
        member("c", vec![only_tests]),
        member("d", vec![]),
    ];
    let order: Vec<_> = bottom_up(&members).into_iter().map(|member| member.name.as_str()).collect();
    assert_eq!(order, ["c", "a", "b", "d"]);
}

//! Every command that is printed as a fix is run as it was printed, and finishes the release.

use crate::{
    registry::Upload,
    repository::{Call, Repository},
    scenario::{refused, released},
};
use std::{fs, os::unix::fs::PermissionsExt};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];
/// What was refused is not waited for.
const SOON: [&str; 2] = ["--index-wait", "1"];
/// The upload of `cons` was tried twice.
const AGAIN: [&str; 3] = ["core 1.1.0", "cons 1.1.0", "cons 1.1.0"];

/// Runs the one command that was printed, after which this is out and tagged.
#[track_caller]
fn finishes(repository: &Repository, printed: &Call, version: &str, from: &str, uploads: &[&str]) {
    let [command] = printed.commands()[..] else { panic!("one command: {}", printed.stderr) };
    let call = repository.follow(command);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{command}: {}", call.stderr);
    assert_eq!(repository.registry.uploads(), uploads, "{command}");
    let tag = (format!("v{version}"), from.to_owned());
    assert!(repository.remote_tags().contains(&tag), "{command}: {:?}", repository.remote_tags());
}

/// 1.1.0, whose upper crate the registry did not take.
fn half() -> (Repository, String, Call) {
    let repository = Repository::landed(|_| {});
    repository.green();
    repository.registry.next(&[Upload::Stored, Upload::Refused(503)]);
    let call = repository.release(&["--execute", "--index-wait", "1"]);
    assert_eq!((call.exit, call.codes()), (Some(80), vec!["E-PUBLISH"]), "{}", call.stderr);
    let from = repository.sha("HEAD");
    (repository, from, call)
}

/// 1.1.0, of which only the tag is missing.
fn untagged() -> (Repository, String) {
    let repository = Repository::landed(|_| {});
    released(&repository, &BOTH);
    repository.git(&["push", "--quiet", "origin", "--delete", "v1.1.0"]);
    repository.git(&["tag", "--delete", "v1.1.0"]);
    let from = repository.sha("HEAD");
    (repository, from)
}

/// Another layer of the same version.
fn next_layer(repository: &Repository) {
    repository.layer("l2", "main", |repository| repository.add("second"));
    repository.squash("l2", "L2 [release] (#2)");
}

#[test]
fn a_stop_names_the_command_that_goes_on() {
    let (repository, from, stopped) = half();
    finishes(&repository, &stopped, "1.1.0", &from, &AGAIN);
}

#[test]
fn what_was_asked_of_the_first_run_is_asked_again_and_stands_in_the_tag() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.layer("l2", "l1", |repository| repository.add("second"));
    repository.squash("l1", "L1 [release] (#1)");
    repository.green();
    repository.registry.next(&[Upload::Stored, Upload::Refused(503)]);
    let given = ["--execute", "--index-wait", "1", "--not-in-stack", "l2=it's \"another\" time"];
    let stopped = repository.release(&given);
    assert_eq!(stopped.codes(), ["E-PUBLISH"], "{}", stopped.stderr);
    let from = repository.sha("HEAD");
    finishes(&repository, &stopped, "1.1.0", &from, &AGAIN);
    let message = repository.output(&["tag", "--list", "--format=%(contents)", "v1.1.0"]);
    assert!(message.contains("not in stack l2: it's \"another\" time"), "{message}");
}

#[test]
fn e_partial_names_the_command_that_goes_on() {
    let (repository, from, _) = half();
    let call = refused(&repository, &SOON, 50, &["E-PARTIAL"]);
    finishes(&repository, &call, "1.1.0", &from, &AGAIN);
}

#[test]
fn e_partial_on_no_branch_names_the_commit() {
    let (repository, from, _) = half();
    repository.git(&["switch", "--quiet", "--detach"]);
    let call = refused(&repository, &SOON, 20, &["E-DETACHED", "E-PARTIAL"]);
    finishes(&repository, &call, "1.1.0", &from, &AGAIN);
}

#[test]
fn e_burned_names_the_command_that_finishes_an_interrupted_release() {
    let (repository, from, _) = half();
    next_layer(&repository);
    let call = refused(&repository, &SOON, 50, &["E-BURNED"]);
    assert!(call.stderr.contains(&format!("was published from {}", &from[..7])), "{}", call.stderr);
    finishes(&repository, &call, "1.1.0", &from, &AGAIN);
}

#[test]
fn e_burned_names_the_command_that_makes_a_missing_tag_and_none_when_nothing_is_missing() {
    let (repository, from) = untagged();
    next_layer(&repository);
    let call = refused(&repository, &SOON, 50, &["E-BURNED", "E-BURNED"]);
    let commands = call.commands();
    assert_eq!(commands.len(), 2, "{}", call.stderr);
    assert_eq!(commands[0], commands[1]);
    let done = repository.follow(commands[0]);
    assert_eq!((done.exit, done.codes()), (Some(0), vec![]), "{}", done.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
    assert!(repository.remote_tags().contains(&("v1.1.0".to_owned(), from)));
    repository.git(&["switch", "--quiet", "main"]);
    let call = refused(&repository, &SOON, 50, &["E-BURNED", "E-BURNED"]);
    assert_eq!(call.commands(), Vec::<&str>::new(), "{}", call.stderr);
}

#[test]
fn e_already_released_names_the_command_that_makes_a_missing_tag() {
    let (repository, from) = untagged();
    let call = refused(&repository, &SOON, 50, &["E-ALREADY-RELEASED"]);
    finishes(&repository, &call, "1.1.0", &from, &BOTH);
}

#[test]
fn e_tag_names_the_commands_that_delete_a_tag_by_mistake_after_which_nothing_refuses() {
    let repository = Repository::landed(|_| {});
    repository.git(&["tag", "v1.1.0", "HEAD~1"]);
    repository.git(&["push", "--quiet", "origin", "v1.1.0"]);
    let call = refused(&repository, &SOON, 50, &["E-TAG"]);
    let [command] = call.commands()[..] else { panic!("one command: {}", call.stderr) };
    let done = repository.follow(command);
    assert_eq!(done.exit, Some(0), "{command}: {}", done.stderr);
    released(&repository, &BOTH);
}

#[test]
fn a_partly_out_version_below_is_told_and_can_be_finished_until_a_greater_one_is_out() {
    let (repository, from, _) = half();
    repository.bump("1.2.0");
    repository.land("y [release] (#2)");
    repository.green();
    let call = repository.release(&SOON);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    // The table with its warnings is on stdout.
    let planned = Call { stderr: call.stdout.clone(), ..call };
    assert!(planned.stderr.contains("1.1.0 is only partly out: core has it, cons has not"), "{}", planned.stderr);
    let [command] = planned.commands()[..] else { panic!("one command: {}", planned.stderr) };
    let done = repository.follow(&command.replace("release --resume", "release --execute --resume"));
    assert_eq!((done.exit, done.codes()), (Some(0), vec![]), "{}", done.stderr);
    assert_eq!(repository.registry.uploads(), AGAIN);
    assert!(repository.remote_tags().contains(&("v1.1.0".to_owned(), from)));

    let (repository, from, _) = half();
    repository.bump("1.2.0");
    repository.land("y [release] (#2)");
    released(&repository, &["core 1.1.0", "cons 1.1.0", "core 1.2.0", "cons 1.2.0"]);
    repository.git(&["switch", "--quiet", "--detach", &from]);
    let call = refused(&repository, &["--resume", "--at", &from], 50, &["E-VERSION-LOWER", "E-VERSION-LOWER"]);
    assert!(call.stderr.contains("fix: none: 1.1.0 stays half published"), "{}", call.stderr);
}

#[test]
fn a_tag_that_cannot_be_pushed_ends_with_81_and_the_command_that_makes_it() {
    let repository = Repository::landed(|_| {});
    repository.green();
    let hook = repository.remote().join("hooks/pre-receive");
    fs::write(&hook, "#!/bin/sh\nexit 1\n").expect("a hook");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a hook runs");
    let call = repository.release(&["--execute"]);
    assert_eq!((call.exit, call.codes()), (Some(81), vec!["E-POST"]), "{}", call.stderr);
    fs::remove_file(&hook).expect("the hook goes");
    let from = repository.sha("HEAD");
    finishes(&repository, &call, "1.1.0", &from, &BOTH);
}

#[test]
fn notes_that_cannot_be_written_end_with_81_and_the_command_that_prints_them() {
    let repository = Repository::landed(|_| {});
    repository.green();
    fs::create_dir_all(repository.work().join("target")).expect("a folder");
    fs::write(repository.work().join("target/release-notes"), "").expect("a file in the place of the folder");
    let call = repository.release(&["--execute"]);
    assert_eq!((call.exit, call.codes()), (Some(81), vec!["E-POST"]), "{}", call.stderr);
    let [command] = call.commands()[..] else { panic!("one command: {}", call.stderr) };
    let printed = repository.follow(command);
    assert_eq!((printed.exit, printed.stdout.trim()), (Some(0), "- 1.1.0 begins."), "{}", printed.stderr);
    assert!(repository.remote_tags().contains(&("v1.1.0".to_owned(), repository.sha("HEAD"))));
}

#[test]
fn e_refs_stale_names_the_command_that_fetches_every_branch_of_that_remote() {
    let repository = Repository::new();
    repository.layer("l1", "main", Repository::bump_to_1_1_0);
    repository.layer("l2", "l1", |repository| repository.add("second"));
    repository.squash("l1", "L1 [release] (#1)");
    repository.green();
    // A clone of one branch, whose remote has a name of its own.
    repository.git(&["remote", "rename", "origin", "up"]);
    repository.git(&["config", "remote.up.fetch", "+refs/heads/main:refs/remotes/up/main"]);
    repository.git(&["branch", "--delete", "--remotes", "up/l1", "up/l2"]);
    let call = refused(&repository, &["--remote", "up"], 20, &["E-REFS-STALE"]);
    let [command] = call.commands()[..] else { panic!("one command: {}", call.stderr) };
    let done = repository.follow(command);
    assert_eq!(done.exit, Some(0), "{command}: {}", done.stderr);
    refused(&repository, &["--remote", "up"], 40, &["E-STACK-OPEN"]);
    repository.git(&["switch", "--quiet", "--detach"]);
    let call = repository.release(&["--remote", "up", "--main", "trunk"]);
    assert!(call.stderr.contains("releases run from trunk. fix: git switch trunk"), "{}", call.stderr);
}

//! Two releases at once.

use crate::repository::{Call, Repository};
use std::{thread, time::Duration};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

/// Until the first upload has arrived.
fn wait_for_upload(repository: &Repository) {
    while repository.registry.uploads().is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_second_release_from_the_clone_or_one_of_its_worktrees_is_refused_until_the_first_ends() {
    let repository = Repository::landed(|_| {});
    repository.green();
    repository.git(&["worktree", "add", "--quiet", "--detach", "../linked", "main"]);
    repository.registry.lag(None);
    let first = repository.begin(&[]);
    wait_for_upload(&repository);
    for (folder, flags) in
        [(repository.work(), vec![]), (repository.beside("linked"), vec!["--resume", "--at", "main"])]
    {
        let call = repository.release_in(&folder, &[&["--execute"], flags.as_slice()].concat(), &[]);
        assert_eq!((call.exit, call.codes()), (Some(20), vec!["E-RUNNING"]), "{}", call.stderr);
        let holder = format!("process {}, in {}", first.id(), repository.work().display());
        assert!(call.stderr.contains(&holder), "{holder}: {}", call.stderr);
    }
    let planned = repository.release(&[]);
    assert!(!planned.codes().contains(&"E-RUNNING"), "a plan touches nothing: {}", planned.stderr);
    repository.registry.show();
    let first = Call::from(first.wait_with_output().expect("the first ends"));
    assert_eq!((first.exit, first.codes()), (Some(0), vec![]), "{}", first.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

#[test]
fn a_killed_release_holds_nothing() {
    let repository = Repository::landed(|_| {});
    repository.green();
    repository.registry.lag(None);
    let mut first = repository.begin(&[]);
    wait_for_upload(&repository);
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    repository.registry.show();
    let call = repository.release(&["--execute", "--resume"]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

#[test]
fn a_head_that_moves_meanwhile_stops_the_release_and_the_printed_command_finishes_it() {
    let repository = Repository::landed(|_| {});
    repository.green();
    repository.registry.lag(None);
    let first = repository.begin(&[]);
    wait_for_upload(&repository);
    repository.commit("meanwhile");
    repository.registry.show();
    let first = Call::from(first.wait_with_output().expect("the first ends"));
    assert_eq!((first.exit, first.codes()), (Some(80), vec!["E-PUBLISH"]), "{}", first.stderr);
    assert_eq!(repository.registry.uploads(), ["core 1.1.0"]);
    assert!(first.stderr.contains("published: core; missing: cons"), "{}", first.stderr);
    let [printed] = first.commands()[..] else { panic!("one command: {}", first.stderr) };
    let call = repository.follow(printed);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{printed}: {}", call.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

//! Tools that are missing or broken, and answers that are none: no gate is passed by them.

use crate::{repository::Repository, scenario::released};
use std::{env, fs, os::unix::fs::PermissionsExt, path::Path};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

fn landed() -> Repository {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("x [release]");
    repository.green();
    repository
}

/// A folder with these programs of the machine, and nothing else.
fn tools(repository: &Repository, names: &[&str]) -> String {
    let folder = repository.beside("tools");
    fs::create_dir_all(&folder).expect("a folder");
    let own = Path::new(env!("CARGO")).parent().expect("cargo is in a folder").to_owned();
    let path = env::var_os("PATH").expect("there is a PATH");
    // The toolchain's own come first: what stands in for them elsewhere looks for the others by itself.
    let places: Vec<_> = [own].into_iter().chain(env::split_paths(&path)).collect();
    for name in names {
        let program = places.iter().map(|place| place.join(name)).find(|place| place.is_file());
        let program = program.unwrap_or_else(|| panic!("{name} is on the machine"));
        std::os::unix::fs::symlink(program, folder.join(name)).expect("a link");
    }
    folder.display().to_string()
}

#[test]
fn no_gate_is_passed_by_a_missing_tool() {
    // What the machine has, the exit, and the codes.
    let rows: &[(&[&str], i32, &[&str])] = &[
        (&["cargo", "rustc", "rustdoc", "cc", "git"], 0, &[]),
        (&["cargo", "rustc", "rustdoc", "cc"], 20, &["E-REFS-STALE"]),
        (&["rustc", "rustdoc", "cc", "git"], 30, &["E-LOCK", "E-MEMBER-UNDECLARED"]),
        (&["cargo", "rustdoc", "cc", "git"], 30, &["E-LOCK"]),
        (&[], 20, &["E-REFS-STALE", "E-LOCK", "E-MEMBER-UNDECLARED"]),
    ];
    for (names, exit, codes) in rows {
        let repository = landed();
        let path = tools(&repository, names);
        let environment = [("PATH", path.as_str()), ("CARGO", ""), ("RUSTC", "")];
        let call = repository.release_in(&repository.work(), &["--execute"], &environment);
        assert_eq!((call.exit, call.codes()), (Some(*exit), codes.to_vec()), "{names:?}: {}", call.stderr);
        assert_eq!(repository.registry.uploads().is_empty(), *exit != 0, "{names:?}");
        assert_eq!(repository.status(), "", "{names:?}");
    }
}

/// What cargo-semver-checks does, the exit and what is told.
const SEMVER: &[(&str, &str, i32, &str)] = &[
    ("is not there", "", 0, "warning: cargo-semver-checks is not installed; NO SEMVER CHECK WAS MADE"),
    (
        "breaks when it starts",
        "echo cannot open shared object >&2; exit 127",
        70,
        "the semver check failed: cargo semver-checks --version",
    ),
    ("says nothing", "exit 0", 70, "core: the semver check against 1.1.0 checked nothing"),
    (
        "fails and says nothing",
        "[ \"$2\" = --version ] || exit 1",
        70,
        "the bump from 1.1.0 is too small for it failed and said nothing",
    ),
    ("checks nothing", "echo '     Checked [ 0.010s] 0 checks: 0 pass'", 70, "checked nothing"),
    ("passes over everything", "echo '     Checked [ 0.000s] 0 checks: 0 pass, 260 skip'", 70, "checked nothing"),
    (
        "takes the bump for a major one, which may break everything",
        "echo ' Checking x (major change)'; echo '     Checked [ 0.000s] 0 checks: 0 pass, 260 skip'",
        0,
        "released",
    ),
    (
        "finds a break",
        "[ \"$2\" = --version ] && exit 0; echo ' Checked [ 0.010s] 196 checks: 195 pass, 1 fail'; echo '--- failure function_missing: x ---'; exit 100",
        70,
        "core: the bump from 1.1.0 is too small for function_missing",
    ),
    ("finds nothing", "echo '     Checked [ 0.010s] 196 checks: 196 pass'", 0, "released"),
];

#[test]
fn no_gate_is_passed_by_a_broken_semver_check() {
    for (claim, script, exit, told) in SEMVER {
        let repository = landed();
        released(&repository, &BOTH);
        repository.bump("1.2.0");
        repository.land("y [release]");
        repository.green();
        let path = tools(&repository, &["cargo", "rustc", "rustdoc", "cc", "git", "sh"]);
        if !script.is_empty() {
            let program = Path::new(&path).join("cargo-semver-checks");
            fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a program");
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it runs");
        }
        let call = repository.release_in(&repository.work(), &["--execute"], &[("PATH", &path), ("CARGO", "")]);
        assert_eq!(call.exit, Some(*exit), "{claim}: {}", call.stderr);
        assert!(call.stderr.contains(told), "{claim}: {}", call.stderr);
        assert_eq!(repository.registry.uploads().len(), if *exit == 0 { 4 } else { 2 }, "{claim}");
    }
}

#[test]
fn no_semver_check_is_made_against_a_package_that_cannot_be_had() {
    let repository = landed();
    let path = tools(&repository, &["cargo", "rustc", "rustdoc", "cc", "git", "sh"]);
    let program = Path::new(&path).join("cargo-semver-checks");
    fs::write(&program, "#!/bin/sh\necho ' Checked [ 0.010s] 196 checks: 196 pass'\n").expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it runs");
    // 1.0.0 is in the index, and its package is nowhere.
    let call = repository.release_in(&repository.work(), &["--execute"], &[("PATH", &path), ("CARGO", "")]);
    assert_eq!((call.exit, call.codes()), (Some(70), vec!["E-SEMVER"]), "{}", call.stderr);
    assert!(call.stderr.contains(" 1.0.0 is not there"), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
}

#[test]
fn no_gate_is_passed_by_a_repository_that_cannot_be_read() {
    type Harm = fn(&Repository);
    let rows: &[(&str, Harm)] = &[
        ("the tree of HEAD is gone", |r| remove_object(r, "HEAD^{tree}")),
        ("the commit below HEAD is gone", |r| remove_object(r, "HEAD~1")),
        ("VERSION is gone", |r| remove_object(r, "HEAD:VERSION")),
        ("HEAD is nothing", |r| fs::write(r.work().join(".git/HEAD"), "nothing\n").expect("a file")),
        ("there is no repository", |r| fs::remove_dir_all(r.work().join(".git")).expect("a folder")),
    ];
    for (claim, harm) in rows {
        let repository = landed();
        harm(&repository);
        let call = repository.release(&["--execute"]);
        assert!(!matches!(call.exit, Some(0) | None), "{claim}: {}", call.stderr);
        assert_eq!(repository.registry.uploads(), Vec::<String>::new(), "{claim}");
        let call = repository.release(&["--execute", "--if-marked"]);
        assert!(!matches!(call.exit, Some(0) | None), "{claim}: {}", call.stderr);
    }
}

fn remove_object(repository: &Repository, revision: &str) {
    let sha = repository.sha(revision);
    let (folder, file) = sha.split_at(2);
    let object = repository.work().join(".git/objects").join(folder).join(file);
    fs::set_permissions(&object, fs::Permissions::from_mode(0o644)).expect("an object");
    fs::remove_file(object).expect("an object");
}

#[test]
fn a_receipt_that_cannot_be_read_is_none() {
    for text in ["", "{}", "{\"layer\": \"core\"", "[]", "\u{feff}null"] {
        let repository = landed();
        fs::write(repository.receipts().join("core.json"), text).expect("a receipt");
        let call = repository.release(&["--execute"]);
        assert_eq!((call.exit, call.codes()), (Some(70), vec!["E-GATE", "E-GATE"]), "{text:?}: {}", call.stderr);
    }
    let repository = landed();
    fs::remove_dir_all(repository.receipts()).expect("a folder");
    fs::write(repository.receipts(), "").expect("a file in its place");
    let call = repository.release(&["--execute"]);
    assert_eq!((call.exit, call.codes()), (Some(70), vec!["E-GATE", "E-GATE"]), "{}", call.stderr);
}

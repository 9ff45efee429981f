//! What is read and what is uploaded to are one registry, or nothing is released.

use crate::{
    registry::Registry,
    repository::{Call, Repository},
};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

/// Publishes with these flags and this environment, and without any other knob that says which registry is meant.
fn publish(repository: &Repository, flags: &[&str], environment: &[(&str, &str)]) -> Call {
    let work = repository.work();
    let (repo, receipts) = (work.display().to_string(), repository.receipts().display().to_string());
    let all = [&["release", "--execute", "--repo", &repo, "--receipts", &receipts], flags].concat();
    repository.xtask(&work, &all, environment, false)
}

/// What is claimed, the flags, the environment, and what is told. LOCAL and OTHER stand for the indexes of two registries.
type Row = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)], &'static str);

const SPLIT: &[Row] = &[
    (
        "another index than cargo's",
        &["--registry", "local", "--index-url", "OTHER"],
        &[],
        "OTHER would be read, and cargo uploads to local, whose index is LOCAL",
    ),
    (
        "the same by the environment",
        &["--registry", "local"],
        &[("XTASK_INDEX_URL", "OTHER")],
        "OTHER would be read, and cargo uploads to local, whose index is LOCAL",
    ),
    (
        "cargo's default is another registry",
        &["--index-url", "LOCAL"],
        &[("CARGO_REGISTRY_DEFAULT", "other"), ("CARGO_REGISTRIES_OTHER_INDEX", "OTHER")],
        "LOCAL would be read, and cargo uploads to other, whose index is OTHER",
    ),
    (
        "an index, and nobody says of which registry",
        &["--index-url", "sparse+https://registry.example.test/index/"],
        &[],
        "sparse+https://registry.example.test/index/ would be read, and cargo would upload to crates-io; say which registry that is",
    ),
    (
        "the usual registry, by the index of another one",
        &["--registry", "crates-io", "--index-url", "LOCAL"],
        &[],
        "LOCAL would be read, which is the index of ",
    ),
    (
        "the usual registry, where it cannot be",
        &["--registry", "crates-io", "--index-url", "OTHER"],
        &[],
        "OTHER would be read, and cargo uploads to crates-io, which it reaches through https only",
    ),
    ("no index", &["--registry", "crates-io"], &[], "nothing says where the index of crates-io is; give --index-url"),
    (
        "a name that cargo does not know",
        &["--registry", "no-body", "--index-url", "OTHER"],
        &[],
        "cargo knows no registry no-body; set CARGO_REGISTRIES_NO_BODY_INDEX",
    ),
    (
        "a git index",
        &["--registry", "local"],
        &[("CARGO_REGISTRIES_LOCAL_INDEX", "https://registry.example.test/index")],
        "the index of local is a git repository, https://registry.example.test/index; only a sparse index can be read",
    ),
];

#[test]
fn two_registries_are_refused_and_neither_is_uploaded_to() {
    let repository = Repository::landed(|_| {});
    repository.green();
    let (local, other) = (&repository.registry, Registry::start());
    let index = |text: &str| match text.starts_with("CARGO_") {
        true => text.to_owned(),
        false => text.replace("OTHER", &other.index_url()).replace("LOCAL", &local.index_url()),
    };
    for (claim, flags, environment, told) in SPLIT {
        let flags: Vec<_> = flags.iter().map(|flag| index(flag)).collect();
        let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, index(value))).collect();
        let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let call = publish(&repository, &flags.iter().map(String::as_str).collect::<Vec<_>>(), &environment);
        let told = if told.contains("CARGO_") { (*told).to_owned() } else { index(told) };
        assert!(call.stderr.contains(&format!("refused[E-REGISTRY-SPLIT]: {told}")), "{claim}: {}", call.stderr);
        assert!(matches!(call.exit, Some(30 | 60)), "{claim}: {}", call.stderr);
        assert!(!call.stderr.contains("E-REGISTRY-UNREADABLE"), "{claim}: {}", call.stderr);
        assert_eq!((local.uploads(), other.uploads()), (vec![], vec![]), "{claim}");
    }
}

#[test]
fn cargos_own_configuration_says_where_a_release_goes() {
    let config = |r: &Repository| {
        let index = r.registry.index_url();
        r.write(
            ".cargo/config.toml",
            &format!("[registry]\ndefault = \"local\"\n[registries.local]\nindex = \"{index}\"\n"),
        );
    };
    let repository = Repository::landed(config);
    repository.green();
    let call = publish(&repository, &[], &[("CARGO_REGISTRIES_LOCAL_INDEX", "")]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

#[test]
fn the_environment_comes_before_cargos_files_and_a_flag_before_its_default() {
    let repository = Repository::landed(|r| {
        let nowhere = "sparse+http://127.0.0.1:9/index/";
        r.write(
            ".cargo/config.toml",
            &format!("[registry]\ndefault = \"other\"\n[registries]\nlocal.index = \"{nowhere}\"\nother.index = \"{nowhere}\"\n"),
        );
    });
    repository.green();
    let call = publish(&repository, &["--registry", "local"], &[]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

#[test]
fn a_registry_that_cargo_reads_elsewhere_is_refused() {
    let repository = Repository::landed(|r| {
        let index = r.registry.index_url();
        r.write(
            ".cargo/config.toml",
            &format!("[source.ours]\nregistry = \"{index}\"\nreplace-with = \"mirror\"\n[source.mirror]\nregistry = \"sparse+http://127.0.0.1:9/index/\"\n"),
        );
    });
    repository.green();
    let call = publish(&repository, &["--registry", "local"], &[]);
    assert!(call.stderr.contains("refused[E-REGISTRY-SPLIT]: cargo reads mirror in place of local"), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
}

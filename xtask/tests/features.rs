//! In which ways a crate is built for its features.

use xtask::ci::ways;

#[test]
fn each_feature_stands_alone_once_and_none_and_all_do_too() {
    let rows: [(&[&str], &[&str]); 3] = [
        (&[], &["--no-default-features"]),
        (&["a"], &["--no-default-features", "--no-default-features --features a", "--all-features"]),
        (
            &["a", "default"],
            &[
                "--no-default-features",
                "--no-default-features --features a",
                "--no-default-features --features default",
                "--all-features",
            ],
        ),
    ];
    for (features, wanted) in rows {
        let ways: Vec<_> = ways(features.iter().copied()).iter().map(|way| way.join(" ")).collect();
        assert_eq!(ways, wanted, "{features:?}");
    }
}

//! What an index file says: lines, schemas, identity of versions.

use httpx_registry::{ErrorKind, Registry, Versions, Why};
use semver::{Version, VersionReq};

use crate::support::{CONFIG, asked, line, line_with, registry, serve_files};

fn version(text: &str) -> Version {
    text.parse().unwrap()
}

async fn versions(lines: &[String]) -> Versions {
    let text = lines.join("\n");
    let server = serve_files(&[("/config.json", CONFIG), ("/lo/ck/lockable", &text)]).await;
    registry(&server).versions("lockable").await.unwrap().unwrap()
}

fn listed(versions: &Versions) -> Vec<String> {
    versions.rows().iter().map(|row| row.vers.to_string()).collect()
}

#[tokio::test]
async fn index_files_are_found_by_the_length_of_the_name_in_lower_case() {
    let server = serve_files(&[("/config.json", CONFIG)]).await;
    let registry = registry(&server);
    for (name, path) in [
        ("a", "/1/a"),
        ("Ab", "/2/ab"),
        ("ABC", "/3/a/abc"),
        ("serde", "/se/rd/serde"),
        ("Inflector", "/in/fl/inflector"),
        ("a-_b", "/a-/_b/a-_b"),
    ] {
        assert_eq!(registry.versions(name).await.unwrap(), None);
        assert_eq!(asked(&server).last().unwrap(), path);
    }
}

#[tokio::test]
async fn what_is_no_name_of_a_crate_is_not_asked_for() {
    let server = serve_files(&[]).await;
    for name in ["", "..", "a/b", "a b", "sérde", "../../etc", "a%2e"] {
        let error = registry(&server).versions(name).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Name(given) if given == name), "{error}");
    }
    assert_eq!(asked(&server), Vec::<String>::new());
}

#[tokio::test]
async fn c69_lines_of_other_schemas_are_counted_and_the_others_kept() {
    let newest = r#""v":2,"features2":{"lru":["dep:lru"],"std":["b"]},"#;
    let found = versions(&[
        line("lockable", "1.0.0"),
        line_with("lockable", "1.0.1", r#""v":1,"#),
        line_with("lockable", "1.0.2", newest),
        line_with("lockable", "1.0.3", r#""v":9999,"#),
        line_with("lockable", "1.0.4", r#""v":4294967296,"#),
        line_with("lockable", "1.0.5", r#""v":"2","#),
        line_with("lockable", "1.0.6", r#""v":-1,"#),
        line_with("lockable", "1.0.7", r#""v":0,"#),
        String::new(),
        "{broken".to_owned(),
        line("another", "1.0.9"),
        line("lockable", "1.1.0"),
    ])
    .await;
    assert_eq!(listed(&found), ["1.0.0", "1.0.1", "1.0.2", "1.1.0"]);
    assert_eq!(found.rows().iter().map(|row| row.schema()).collect::<Vec<_>>(), [1, 1, 2, 1]);
    let skipped: Vec<_> = found
        .skipped()
        .iter()
        .map(|skipped| (skipped.line, skipped.vers.as_ref().map(Version::to_string), skipped.why.to_string()))
        .collect();
    let no_schema = "v is not a whole number from 1 to 4294967295";
    let row = |line, vers: &str, why: &str| (line, Some(vers.to_owned()), why.to_owned());
    assert_eq!(
        skipped,
        [
            row(4, "1.0.3", "its schema is 9999, newer than 2"),
            row(5, "1.0.4", no_schema),
            row(6, "1.0.5", no_schema),
            row(7, "1.0.6", no_schema),
            row(8, "1.0.7", no_schema),
            (10, None, "not JSON: key must be a string at line 1 column 2".to_owned()),
            row(11, "1.0.9", "it is about the crate \"another\""),
        ]
    );
    assert!(matches!(found.skipped()[0].why, Why::NewerSchema(9999)));
}

#[tokio::test]
async fn c69_both_syntaxes_of_features_are_read_together() {
    let fields = r#""v":2,"features2":{"lru":["dep:lru"],"std":["b"]},"#;
    let text = line_with("lockable", "1.0.0", fields).replace(r#""features":{}"#, r#""features":{"std":["a"]}"#);
    let found = versions(&[text]).await;
    let all = serde_json::to_value(found.rows()[0].all_features()).unwrap();
    assert_eq!(all, serde_json::json!({"lru": ["dep:lru"], "std": ["a", "b"]}));
}

fn with_metadata() -> [String; 3] {
    [
        line("lockable", "1.1.1"),
        line("lockable", "1.1.1+2").replace("false", "true").replace(r#""00""#, r#""22""#),
        line("lockable", "1.1.1+4").replace(r#""00""#, r#""44""#),
    ]
}

#[tokio::test]
async fn c71_build_metadata_does_not_make_a_version_free() {
    let found = versions(&with_metadata()).await;
    for (asked, taken) in
        [("1.1.1+5", true), ("1.1.1+2", true), ("1.1.1", true), ("1.1.2", false), ("1.1.1-a", false), ("1.1.0", false)]
    {
        assert_eq!(found.is_taken(&version(asked)), Ok(taken), "{asked}");
    }
}

#[tokio::test]
async fn c71_an_exact_version_is_its_own_line_and_never_a_neighbours() {
    let found = versions(&with_metadata()).await;
    for (asked, cksum) in [("1.1.1", Some("00")), ("1.1.1+2", Some("22")), ("1.1.1+4", Some("44")), ("1.1.1+5", None)] {
        let row = found.exact(&version(asked)).unwrap();
        assert_eq!(row.map(|row| row.cksum.as_str()), cksum, "{asked}");
    }
}

#[tokio::test]
async fn c71_the_newest_is_the_last_in_the_file_among_equals() {
    let forward = with_metadata();
    let backward: Vec<_> = forward.iter().rev().cloned().collect();
    for (lines, newest) in [(forward.to_vec(), "1.1.1+4"), (backward, "1.1.1")] {
        let found = versions(&lines).await;
        let row = found.newest(&VersionReq::parse("^1.1").unwrap()).unwrap();
        assert_eq!(row.unwrap().vers.to_string(), newest);
    }
}

#[tokio::test]
async fn the_newest_is_chosen_by_version_and_not_by_place() {
    let yanked = line("lockable", "2.1.0").replace("false", "true");
    let order = ["1.10.0", "1.9.0", "2.0.0", "3.0.0-rc.1", "0.1.0"].map(|vers| line("lockable", vers));
    let found = versions(&[&order[..], &[yanked]].concat()).await;
    for (requirement, newest) in [
        ("^1", Some("1.10.0")),
        ("*", Some("2.0.0")),
        (">=3.0.0-rc.0", Some("3.0.0-rc.1")),
        ("^2.1", None),
        ("^4", None),
    ] {
        let row = found.newest(&requirement.parse().unwrap()).unwrap();
        assert_eq!(row.map(|row| row.vers.to_string()).as_deref(), newest, "{requirement}");
    }
}

#[tokio::test]
async fn a_version_on_a_line_that_cannot_be_used_is_taken() {
    let found = versions(&[line("lockable", "1.0.0"), line_with("lockable", "1.1.0", r#""v":3,"#)]).await;
    assert_eq!(found.is_taken(&version("1.1.0")), Ok(true));
    assert_eq!(found.is_taken(&version("1.2.0")), Ok(false));
    assert_eq!(found.exact(&version("1.1.0")), Err(&found.skipped()[0]));
    assert_eq!(found.exact(&version("1.2.0")), Ok(None));
    assert_eq!(found.newest(&VersionReq::STAR).unwrap().unwrap().vers, version("1.0.0"));
}

#[tokio::test]
async fn a_line_that_hides_its_version_could_be_any() {
    let text = [line("lockable", "1.0.0"), "garbage".to_owned()].join("\n");
    let server = serve_files(&[("/config.json", CONFIG), ("/lo/ck/lockable", &text)]).await;
    let registry: Registry = registry(&server);
    assert!(registry.is_taken("lockable", &version("1.0.0")).await.unwrap());
    let told = "cannot be read: line 2 may be 1.1.0: not JSON: expected value at line 1 column 1";
    let told = format!("{} {told}", server.url_at("/lo/ck/lockable"));
    assert_eq!(registry.is_taken("lockable", &version("1.1.0")).await.unwrap_err().to_string(), told);
    assert_eq!(registry.exact("lockable", &version("1.1.0")).await.unwrap_err().to_string(), told);
    let told = told.replace("1.1.0", "the newest version");
    assert_eq!(registry.newest("lockable", &VersionReq::STAR).await.unwrap_err().to_string(), told);
}

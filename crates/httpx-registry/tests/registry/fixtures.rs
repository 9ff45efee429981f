//! The real lines in `tests/fixtures`; SOURCES.md says where they are from.

use std::fs;
use std::path::Path;

use httpx_registry::{Config, DependencyKind, Row};
use semver::{Version, VersionReq};
use serde_json::Value;

use crate::support::{CONFIG, registry, serve_files};

fn fixture(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(path)).unwrap()
}

/// Name, path and number of lines.
const FILES: [(&str, &str, usize); 6] = [
    ("a", "1/a", 1),
    ("autocfg", "au/to/autocfg", 13),
    ("crates-index", "cr/at/crates-index", 6),
    ("Inflector", "in/fl/inflector", 3),
    ("lockable", "lo/ck/lockable", 2),
    ("wasi", "wa/si/wasi", 4),
];

#[test]
fn every_line_encodes_back_to_the_values_it_was_decoded_from() {
    for (_, path, count) in FILES {
        let text = fixture(path);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), count, "{path}");
        for line in lines {
            let row: Row = serde_json::from_str(line).unwrap();
            let told: Value = serde_json::from_str(line).unwrap();
            assert_eq!(serde_json::to_value(&row).unwrap(), told);
            assert_eq!(
                row.other.keys().collect::<Vec<_>>(),
                Vec::<&String>::new(),
                "{path} has fields that are not known"
            );
        }
    }
    let config: Config = serde_json::from_str(&fixture("config.json")).unwrap();
    assert_eq!(serde_json::to_value(config).unwrap(), serde_json::from_str::<Value>(&fixture("config.json")).unwrap());
}

#[test]
fn fields_that_are_not_known_are_kept() {
    let line = r#"{"name":"a","vers":"1.0.0","deps":[{"name":"b","req":"^1","features":[],"optional":false,
        "default_features":true,"target":"cfg(unix)","kind":"build","registry":"https://r.example/","public":true}],
        "cksum":"00","features":{},"yanked":true,"links":"z","pubtime":"2025-01-01T00:00:00Z"}"#;
    let row: Row = serde_json::from_str(line).unwrap();
    assert_eq!(serde_json::to_value(&row).unwrap(), serde_json::from_str::<Value>(line).unwrap());
    assert_eq!((row.links.as_deref(), row.deps[0].kind), (Some("z"), DependencyKind::Build));
    assert_eq!(
        (row.other.keys().next().unwrap(), row.deps[0].other.keys().next().unwrap()),
        (&"pubtime".into(), &"public".into())
    );
}

#[tokio::test]
async fn real_crates_are_read_and_asked() {
    let texts: Vec<_> = FILES.iter().map(|(_, path, _)| (format!("/{path}"), fixture(path))).collect();
    let files = texts.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let server = serve_files(&files.chain([("/config.json", CONFIG)]).collect::<Vec<_>>()).await;
    let registry = registry(&server);
    for (name, _, count) in FILES {
        let versions = registry.versions(name).await.unwrap().unwrap();
        assert_eq!((versions.rows().len(), versions.skipped()), (count, &[][..]), "{name}");
    }
    for (name, requirement, newest) in [
        // 0.1.8 is the last line of its file.
        ("autocfg", "*", Some("1.1.0")),
        ("autocfg", "^0.1", Some("0.1.8")),
        ("autocfg", "=0.1.3", None),
        ("crates-index", "*", Some("0.19.0")),
        ("crates-index", "<0.18", None),
        // 0.18.12 is yanked.
        ("crates-index", "^0.18.0-alpha", Some("0.18.11")),
        ("inflector", "<0.4", Some("0.3.1")),
        ("wasi", "^0.10", Some("0.10.2+wasi-snapshot-preview1")),
        ("no-such-crate", "*", None),
    ] {
        let found = registry.newest(name, &VersionReq::parse(requirement).unwrap()).await.unwrap();
        assert_eq!(found.map(|row| row.vers.to_string()).as_deref(), newest, "{name} {requirement}");
    }
    for (name, version, taken) in [
        ("wasi", "0.10.3", true),
        ("wasi", "0.10.4", false),
        ("inflector", "0.3.2", true),
        ("no-such-crate", "0.1.0", false),
    ] {
        assert_eq!(
            registry.is_taken(name, &Version::parse(version).unwrap()).await.unwrap(),
            taken,
            "{name} {version}"
        );
    }
    let wasi = registry.exact("wasi", &"0.6.0".parse().unwrap()).await.unwrap().unwrap();
    let named: Vec<_> = wasi.deps.iter().map(|dep| (dep.name.as_str(), dep.crate_name())).collect();
    assert_eq!(named, [("compiler_builtins", "compiler_builtins"), ("core", "rustc-std-workspace-core")]);
}

//! Which release is chosen: by what it is, not by where it stands.

use httpx_faults::Server;
use httpx_plugin_repo::{ErrorKind, PluginRepo};

use crate::support::{fixture, nextflow, parsed, plugin, quick, registry_of, repo, serve_always, table, wanted};

async fn real_index() -> Server {
    serve_always(200, fixture("plugins-trimmed.json")).await
}

/// The real index, asked for this Nextflow.
fn asked_for(server: &Server, version: &str) -> PluginRepo {
    let url = server.url_at("/plugins.json");
    PluginRepo::builder(nextflow(version)).client(quick()).repository(url).build().unwrap()
}

#[tokio::test]
async fn c78_the_oracle_holds_row_by_row() {
    let server = real_index().await;
    let rows: Vec<[String; 3]> = table("plugin-selection-oracle.tsv");
    assert_eq!(rows.len(), 16);
    for [id, version, newest] in rows {
        let found = asked_for(&server, &version).resolve(&wanted(&id)).await;
        match (newest.as_str(), found) {
            ("-", Err(error)) => assert!(matches!(error.kind(), ErrorKind::NoneCompatible { .. }), "{error}"),
            (newest, found) => assert_eq!(found.unwrap().release.version, newest, "{id} {version}"),
        }
    }
}

#[tokio::test]
async fn c78_entries_of_the_same_plugin_are_one() {
    let server = real_index().await;
    let repo = asked_for(&server, "26.08.0-edge");
    for (asked, version) in [("nf-pregex", "1.0.0"), ("nf-pregex@0.1.0", "0.1.0"), ("nf-pregex@1.0.0", "1.0.0")] {
        assert_eq!(repo.resolve(&wanted(asked)).await.unwrap().release.version, version, "{asked}");
    }
    assert_eq!(server.journal().recorded(), 1, "an index is fetched once");
}

#[tokio::test]
async fn c78_the_place_in_the_list_decides_nothing() {
    let all = [("1.10.0", ""), ("1.9.0", ""), ("1.10.0-rc.2", ""), ("1.10.0-rc.11", ""), ("x", ""), ("2.0.0", ">99")];
    for turn in 0..all.len() {
        let mut releases = all;
        releases.rotate_left(turn);
        let plugin = parsed(&plugin("nf-x", &releases));
        assert_eq!(plugin.newest(&nextflow("24.04.4")).unwrap().version, "1.10.0", "{releases:?}");
    }
    let candidates = parsed(&plugin("nf-x", &[("1.0.0-rc.11", ""), ("1.0.0-rc.2", ""), ("0.9.0", "")]));
    assert_eq!(candidates.newest(&nextflow("24.04.4")).unwrap().version, "1.0.0-rc.11");
    // Build metadata makes no version newer (SemVer §10).
    let equals = parsed(&plugin("nf-x", &[("1.0.0+a", ""), ("1.0.0+b", "")]));
    assert_eq!(equals.newest(&nextflow("24.04.4")).unwrap().version, "1.0.0+a");
}

#[test]
fn the_real_prereleases_are_versions() {
    let rows: Vec<[String; 2]> = table("prerelease-versions.tsv");
    assert_eq!(rows.len(), 71);
    for [id, version] in &rows {
        let own = rows.iter().filter(|[other, _]| other == id);
        let releases: Vec<_> = own.map(|[_, version]| (version.as_str(), "")).collect();
        let plugin = parsed(&plugin(id, &releases));
        assert!(plugin.nearest(version).contains(&version.as_str()), "{id} {version}");
    }
}

#[tokio::test]
async fn c86_three_reasons_are_three_errors() {
    let plugins = [
        plugin("nf-core-utils", &[("0.3.1", ">=24.04.0"), ("0.4.0", ">=25.10.0")]),
        plugin("nf-new", &[("1.0.0", ">=26.01.0"), ("1.1.0", ">=26.04.0")]),
        plugin("nf-odd", &[("1.0.0", "soon!")]),
    ];
    let server = serve_always(200, registry_of(&plugins)).await;
    let other = serve_always(200, r#"{"plugins":[]}"#).await;
    let repo = repo([server.url(), other.url_at("/api")]);
    let nowhere = format!("there is no plugin nf-none in {}/, {}/", server.url(), other.url_at("/api"));
    for (asked, told) in [
        ("nf-core-utils@0.4.0", "nf-core-utils 0.4.0 needs Nextflow >=25.10.0 (running 25.04.8)"),
        ("nf-new", "no release of nf-new runs with Nextflow 25.04.8; the newest, 1.1.0, needs >=26.04.0"),
        ("nf-odd@1.0.0", "nf-odd 1.0.0 needs Nextflow soon! (running 25.04.8)"),
        ("nf-core-utils@0.3.5", "nf-core-utils has no version 0.3.5; the nearest are 0.3.1, 0.4.0"),
        ("nf-core-utils@latest", "nf-core-utils has no version latest; the nearest are 0.3.1, 0.4.0"),
        ("nf-none", &nowhere),
        ("nf-none@1.0.0", &nowhere),
    ] {
        let error = repo.resolve(&wanted(asked)).await.unwrap_err();
        let is_right = match error.kind() {
            ErrorKind::Incompatible { .. } => ["nf-core-utils@0.4.0", "nf-odd@1.0.0"].contains(&asked),
            ErrorKind::NoneCompatible { .. } => asked == "nf-new",
            ErrorKind::UnknownVersion { .. } => ["nf-core-utils@0.3.5", "nf-core-utils@latest"].contains(&asked),
            ErrorKind::UnknownPlugin { .. } => asked.starts_with("nf-none"),
            _ => false,
        };
        assert!(is_right, "{asked}: {error:?}");
        assert_eq!(error.to_string(), told, "{asked}");
    }
}

#[test]
fn the_nearest_versions_are_those_around_the_one_asked_for() {
    let known =
        parsed(&plugin("p", &[("1.2.0", ""), ("0.1.0", ""), ("1.1.0", ""), ("2.0.0", ""), ("1.0.0", ""), ("y", "")]));
    for (asked, nearest) in [
        ("1.1.5", &["1.0.0", "1.1.0", "1.2.0", "2.0.0"][..]),
        ("0.0.1", &["0.1.0", "1.0.0"]),
        ("9.0.0", &["1.2.0", "2.0.0"]),
        ("no version", &["1.0.0", "1.1.0", "1.2.0", "2.0.0"]),
    ] {
        assert_eq!(known.nearest(asked), nearest, "{asked}");
    }
    assert_eq!(parsed(&plugin("p", &[])).nearest("1.0.0"), Vec::<&str>::new());
}

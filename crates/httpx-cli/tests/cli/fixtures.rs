//! The consumers, for real: against `httpx serve --fixtures`, which fails a share of the requests.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::serve::Serving;
use crate::support::{Ran, httpx};

/// A server, and where its services are.
struct Services {
    _serving: Serving,
    at: Value,
}

impl Services {
    fn start(arguments: &[&str]) -> Self {
        let mut serving = Serving::start(&[&["--fixtures", "--json"], arguments].concat());
        let at = serde_json::from_str(&serving.line()).unwrap();
        Services { _serving: serving, at }
    }

    fn at(&self, name: &str) -> &str {
        self.at[name].as_str().unwrap()
    }

    fn cloudinfo(&self, arguments: &[&str]) -> Ran {
        httpx([&["cloudinfo", "--endpoint", self.at("cloudinfo")], arguments].concat())
    }

    fn registry(&self, arguments: &[&str]) -> Ran {
        httpx([&["registry", "--index", self.at("index")], arguments].concat())
    }

    fn plugins(&self, arguments: &[&str]) -> Ran {
        let whole = ["plugins", "--repository", self.at("plugins"), "--nextflow", "24.04.4"];
        httpx([&whole[..], arguments].concat())
    }
}

/// The first words of each line of a table, without its head.
fn firsts(ran: &Ran) -> Vec<&str> {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let lines = ran.stdout.lines().skip(2).take_while(|line| !line.is_empty());
    lines.map(|line| line.split_whitespace().next().unwrap()).collect()
}

#[test]
fn clouds_are_asked_and_their_answers_sorted() {
    let services = Services::start(&["--fail", "30%", "--seed", "7"]);
    let gpus = ["products", "amazon", "eu-west-1", "--feature", "gpu"];
    for (sort, types) in [
        ("price", ["g2.2xlarge", "g3s.xlarge", "p2.xlarge", "p3dn.24xlarge"]),
        ("-price", ["p3dn.24xlarge", "p2.xlarge", "g3s.xlarge", "g2.2xlarge"]),
        // As numbers: 15 comes before 30.5, and 768 last.
        ("memory", ["g2.2xlarge", "g3s.xlarge", "p2.xlarge", "p3dn.24xlarge"]),
        ("-spot", ["p3dn.24xlarge", "p2.xlarge", "g3s.xlarge", "g2.2xlarge"]),
        ("type", ["g2.2xlarge", "g3s.xlarge", "p2.xlarge", "p3dn.24xlarge"]),
    ] {
        let ran = services.cloudinfo(&[&gpus[..], &["--sort", sort]].concat());
        assert_eq!(firsts(&ran), types, "{sort}");
    }
    let json = services.cloudinfo(&["products", "amazon", "eu-west-1", "--family", "c5", "--json"]).json();
    assert_eq!(
        (json["products"][0]["type"].as_str(), &json["scrapingTime"]),
        (Some("c5.large"), &json!("1552396020000"))
    );
    assert_eq!(firsts(&services.cloudinfo(&["regions", "amazon"])), ["eu-west-1"]);
    assert_eq!(firsts(&services.cloudinfo(&["families", "amazon", "--feature", "gpu"])), ["g2", "g3s", "p2", "p3dn"]);

    let refused = services.cloudinfo(&["families", "amazon", "--feature", "quantum"]);
    assert_eq!(refused.code, 22);
    assert!(refused.stderr.ends_with("unknown feature \"quantum\"; it knows burst, gpu\n"), "{}", refused.stderr);
    // The older ways to ask for features, which the fixtures do not tell either.
    for (filter, feature) in [("--nvme", "ssd"), ("--sched", "sched")] {
        let refused = services.cloudinfo(&["products", "amazon", "eu-west-1", filter]);
        let told = format!("unknown feature {feature:?}; it knows burst, gpu\n");
        assert!(refused.code == 22 && refused.stderr.ends_with(&told), "{}{}", refused.stdout, refused.stderr);
    }
    let refused = services.cloudinfo(&["regions", "azure"]);
    assert!(refused.stderr.ends_with("the fixtures know amazon only, not azure\n"), "{}", refused.stderr);
}

#[test]
fn a_registry_is_asked_and_its_archives_verify() {
    let services = Services::start(&["--fail", "30%", "--seed", "7"]);
    let ran = services.registry(&["versions", "autocfg", "--sort", "-version"]);
    let versions = firsts(&ran);
    assert_eq!((versions.len(), &versions[..4]), (13, &["1.1.0", "1.0.1", "1.0.0", "0.1.8"][..]));
    assert_eq!(services.registry(&["newest", "crates-index", "^0.18"]).stdout, "0.18.11\n");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wasi.crate");
    let version = "0.10.2+wasi-snapshot-preview1";
    let ran = services.registry(&["download", "wasi", version, "-o", file.to_str().unwrap(), "--json"]);
    assert_eq!((ran.code, ran.json()["bytes"].as_u64()), (0, Some(fs::metadata(&file).unwrap().len())));
    assert!(fs::read_to_string(file).unwrap().starts_with(&format!("This stands in for wasi-{version}.crate")));
}

#[test]
fn plugins_are_found_and_their_archives_verify() {
    let services = Services::start(&["--fail", "30%", "--seed", "7"]);
    let ran = services.plugins(&["resolve", "nf-cws", "nf-amazon", "nf-ga4gh", "--sort", "plugin"]);
    let rows: Vec<Vec<_>> = ran.stdout.lines().skip(2).map(|line| line.split_whitespace().take(4).collect()).collect();
    assert_eq!(rows[0], ["nf-amazon", "2.2.0", "2023-11-24", ">=23.11.0-edge"]);
    assert_eq!((rows[1][1], rows[2][1], ran.code), ("2.0.1", "1.3.0", 0));

    let whole = ["resolve", "nf-pregex@0.1.0", "--nextflow", "26.08.0-edge", "--json", "--repository"];
    let json = httpx([&["plugins"], &whole[..], &[services.at("plugins_index")]].concat()).json();
    assert_eq!((&json[0]["release"]["version"], json.as_array().unwrap().len()), (&json!("0.1.0"), 1));

    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("deep/plugins");
    let ran = services.plugins(&["download", "nf-amazon", "nf-hello@0.5.0", "-o", folder.to_str().unwrap()]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let archive = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for name in ["nf-amazon-2.2.0.zip", "nf-hello-0.5.0.zip"] {
        assert!(archive(name).starts_with(&format!("This stands in for {name}")));
        assert!(ran.stderr.contains(&format!("{name}: {} bytes, sha512 verified\n", archive(name).len())));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

#[test]
fn one_plugin_that_is_missing_does_not_hold_up_the_others() {
    let services = Services::start(&[]);
    let ran =
        services.plugins(&["resolve", "nf-none", "nf-amazon@2.1.3", "nf-core-utils", "nf-pregex@1.0.0", "nf-hello"]);
    assert!(ran.stdout.contains("nf-hello"), "{}", ran.stdout);
    let told = [
        format!("there is no plugin nf-none in {}/", services.at("plugins")),
        "nf-amazon has no version 2.1.3; the nearest are 2.1.4-patch1, 2.1.4-patch2".to_owned(),
        "no release of nf-core-utils runs with Nextflow 24.04.4; the newest, 0.3.1, needs >=25.04.0".to_owned(),
        "nf-pregex 1.0.0 needs Nextflow >=24.10.0 (running 24.04.4)".to_owned(),
    ];
    assert_eq!((ran.code, ran.stderr.lines().collect::<Vec<_>>()), (22, told.iter().map(String::as_str).collect()));
}

#[test]
fn a_service_that_always_fails_is_a_failure() {
    let services = Services::start(&["--fail", "100%"]);
    let ran = services.plugins(&["resolve", "nf-hello", "--json"]);
    // Not 22: that a plugin is not there is an answer, and there was none.
    assert_eq!((ran.code, ran.stdout.as_str()), (7, "[]\n"), "{}", ran.stderr);
}

#[test]
fn a_share_is_told_as_it_was_given() {
    for share in ["7%", "0.1%", "33.3%"] {
        let mut serving = Serving::start(&["--fixtures", "--fail", share]);
        serving.line();
        assert_eq!(
            serving.line(),
            format!("{} of the requests fail in one way or another.\n", share.replace('%', " %"))
        );
    }
}

#[test]
fn the_tour_is_printed_for_people() {
    let mut serving = Serving::start(&["--fixtures", "--fail", "0.3"]);
    let title = serving.line();
    let (told, url) = title.trim_end().rsplit_once(' ').unwrap();
    assert_eq!(told, "Cloudinfo, a Cargo registry and a plugin repository are served at");
    assert_eq!(serving.line(), "30 % of the requests fail in one way or another.\n");
    serving.line();
    assert_eq!(serving.line(), format!("export HTTPX_CLOUDINFO_ENDPOINT={url}/cloudinfo\n"));
    let rest: Vec<_> = std::iter::repeat_with(|| serving.line()).take(10).collect();
    let commands: Vec<_> = rest.iter().filter(|line| line.starts_with("httpx ")).map(|line| line.trim_end()).collect();
    let tour = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/TOUR.md")).unwrap();
    let asked = ["httpx cloudinfo ", "httpx registry ", "httpx plugins "];
    let in_page: Vec<_> = tour.lines().filter(|line| asked.iter().any(|start| line.starts_with(start))).collect();
    assert_eq!((commands, rest.last().unwrap().as_str()), (in_page, "Ctrl-C ends it, or kill %1 in the background.\n"));
}

#[test]
fn what_is_missing_or_wrong_is_told_before_anything_is_sent() {
    let nowhere = ["--repository", "http://127.0.0.1:9/", "--nextflow", "24.04.4"];
    for (arguments, told) in [
        (
            vec!["cloudinfo", "regions", "amazon"],
            "which Cloudinfo? say --endpoint https://host, or set HTTPX_CLOUDINFO_ENDPOINT",
        ),
        (vec!["cloudinfo", "regions", "aws"], "<PROVIDER>: \"aws\" is no provider; it is one of amazon, google, azure"),
        (
            vec!["cloudinfo", "regions", "amazon", "--endpoint", "host"],
            "\"host\" is no endpoint: relative URL without a base; it is like https://host",
        ),
        (
            vec!["cloudinfo", "regions", "amazon", "--endpoint", "http://127.0.0.1:9", "--sort", "-price"],
            "--sort: there is no column \"price\"; there are region, name",
        ),
        (
            vec!["plugins", "resolve", "a", "--repository", "http://127.0.0.1:9/"],
            "which Nextflow is to run them? say --nextflow 24.04.4, or set NXF_VER",
        ),
        (
            vec!["plugins", "resolve", "a", "--nextflow", "24.04.4"],
            "which repository? say --repository https://host/api, or set HTTPX_PLUGINS_REPOSITORY",
        ),
        (
            vec!["plugins", "resolve", "a", "--nextflow", ">=24"],
            "--nextflow: \">=24\" is no version of Nextflow; it is like 24.04.4 or 26.08.0-edge",
        ),
        (
            [&["plugins", "resolve", "../a"], &nowhere[..]].concat(),
            "<PLUGIN>...: \"../a\" names no plugin; it is like nf-amazon or nf-amazon@2.1.4",
        ),
        (vec!["serve", "--fixtures", "--fail", "30"], "--fail: \"30\" is not a share; write it as 30% or 0.3"),
        (vec!["serve", "--fixtures", "--fail", "101%"], "--fail: \"101%\" is not a share; write it as 30% or 0.3"),
    ] {
        let ran = httpx(arguments.iter().copied());
        assert_eq!((ran.code, ran.stderr.as_str()), (2, format!("httpx: {told}\n").as_str()), "{arguments:?}");
    }
}

#[test]
fn what_is_served_is_what_the_consumers_are_tested_with() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for (name, of, path) in [
        ("products-response.json", "httpx-cloudinfo", "products-response.json"),
        ("plugins.json", "httpx-plugin-repo", "plugins-trimmed.json"),
        ("a.index", "httpx-registry", "1/a"),
        ("autocfg.index", "httpx-registry", "au/to/autocfg"),
        ("crates-index.index", "httpx-registry", "cr/at/crates-index"),
        ("inflector.index", "httpx-registry", "in/fl/inflector"),
        ("lockable.index", "httpx-registry", "lo/ck/lockable"),
        ("wasi.index", "httpx-registry", "wa/si/wasi"),
    ] {
        let served = fs::read(crates.join("httpx-cli/data/fixtures").join(name)).unwrap();
        let tested = fs::read(crates.join(of).join("tests/fixtures").join(path)).unwrap();
        assert!(served == tested, "{name} is not {path} of {of}");
    }
}

//! A crate that plain `cargo publish` uploads to a registry of our own is found, and its archive verifies.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use httpx_registry::{Registry, Row};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate, matchers::any};

/// The smallest registry: it keeps what is published, and adds a line to the index (Cargo book, "Web API", "Publish").
#[derive(Clone, Default)]
struct Published(Arc<Mutex<Vec<LineAndArchive>>>);

type LineAndArchive = (String, Vec<u8>);

impl Respond for Published {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let mut published = self.0.lock().unwrap();
        let base = format!("http://{}", request.headers["host"].to_str().unwrap());
        let named = |path: &str| path.rsplit('/').next().unwrap().to_owned();
        match (request.method.as_str(), request.url.path()) {
            ("GET", "/index/config.json") => {
                ResponseTemplate::new(200).set_body_json(json!({"dl": format!("{base}/dl"), "api": base}))
            }
            ("PUT", "/api/v1/crates/new") => {
                published.push(line_and_archive(&request.body));
                ResponseTemplate::new(200).set_body_json(json!({"warnings": null}))
            }
            ("GET", path) if path.starts_with("/index/") => {
                let name = named(path);
                let mine = published.iter().filter(|(line, _)| line.contains(&format!("\"name\":\"{name}\"")));
                let lines: Vec<_> = mine.map(|(line, _)| line.as_str()).collect();
                match lines.is_empty() {
                    true => ResponseTemplate::new(404),
                    false => ResponseTemplate::new(200).set_body_string(lines.join("\n")),
                }
            }
            ("GET", path) if path.starts_with("/dl/") => {
                ResponseTemplate::new(200).set_body_bytes(published[0].1.clone())
            }
            _ => ResponseTemplate::new(404),
        }
    }
}

/// Reads a body of "Publish": each part after its length in four bytes, the least first.
fn line_and_archive(body: &[u8]) -> LineAndArchive {
    let part = |from: usize| {
        let length = u32::from_le_bytes(body[from..from + 4].try_into().unwrap()) as usize;
        &body[from + 4..from + 4 + length]
    };
    let told = part(0);
    let archive = part(4 + told.len()).to_vec();
    let told: Value = serde_json::from_slice(told).unwrap();
    let dep = |dep: &Value| {
        json!({"name": dep["name"], "req": dep["version_req"], "features": dep["features"], "optional": dep["optional"],
            "default_features": dep["default_features"], "target": dep["target"], "kind": dep["kind"]})
    };
    let deps: Vec<_> = told["deps"].as_array().unwrap().iter().map(dep).collect();
    let cksum: String = Sha256::digest(&archive).iter().map(|byte| format!("{byte:02x}")).collect();
    let line = json!({"name": told["name"], "vers": told["vers"], "deps": deps, "cksum": cksum, "yanked": false,
        "features": told["features"], "links": told["links"], "rust_version": told["rust_version"], "v": 2});
    (line.to_string(), archive)
}

fn write_crate(folder: &Path, index: &str) {
    let manifest = "[package]\nname = \"freshly-made\"\nversion = \"0.3.1+local\"\nedition = \"2024\"\nrust-version = \"1.85\"\n\
        description = \"d\"\nlicense = \"Apache-2.0\"\n\n[features]\nextra = []\n\n[workspace]\n";
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::create_dir_all(folder.join("cargo-home")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join("src/lib.rs"), "//! Nothing.\n").unwrap();
    let registry = format!("[registries.local]\nindex = \"sparse+{index}\"\ntoken = \"abc\"\n");
    fs::write(folder.join("cargo-home/config.toml"), registry).unwrap();
}

/// Plain `cargo publish`, with a home of its own, and no way to anywhere but the loopback address.
fn publish(folder: &Path) -> Output {
    Command::new(env!("CARGO"))
        .args(["publish", "--registry", "local", "--allow-dirty"])
        .current_dir(folder)
        .env("CARGO_HOME", folder.join("cargo-home"))
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crate_published_by_cargo_is_found_and_its_archive_verifies() {
    let server = MockServer::start().await;
    let published = Published::default();
    Mock::given(any()).respond_with(published.clone()).mount(&server).await;
    let index = format!("{}/index/", server.uri());
    let folder = tempfile::tempdir().unwrap();
    write_crate(folder.path(), &index);

    let registry = Registry::open(&format!("sparse+{index}")).unwrap();
    let version = "0.3.1+local".parse().unwrap();
    assert!(!registry.is_taken("freshly-made", &version).await.unwrap());

    let root = folder.path().to_owned();
    let output = tokio::task::spawn_blocking(move || publish(&root)).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let registry = registry.fresh();
    assert!(registry.is_taken("freshly-made", &"0.3.1".parse().unwrap()).await.unwrap());
    let row: Row = registry.exact("freshly-made", &version).await.unwrap().unwrap();
    assert_eq!(registry.newest("freshly-made", &"^0.3".parse().unwrap()).await.unwrap(), Some(row.clone()));
    assert_eq!((row.rust_version.as_deref(), row.schema()), (Some("1.85"), 2));
    assert_eq!((row.all_features().into_keys().collect::<Vec<_>>(), row.deps.len()), (vec!["extra".to_owned()], 0));

    // What cargo left behind is what it uploaded.
    let packaged = fs::read(folder.path().join("target/package/tmp-crate/freshly-made-0.3.1+local.crate")).unwrap();
    let cksum: String = Sha256::digest(&packaged).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(row.cksum, cksum);
    let archive = folder.path().join("downloaded.crate");
    assert_eq!(registry.download(&row, &archive).await.unwrap(), packaged.len() as u64);
    assert_eq!(fs::read(archive).unwrap(), packaged);
}

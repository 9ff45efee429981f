//! `httpx serve --fixtures`: the services of the consumers, from real answers that are built in.

mod cloudinfo;
mod plugins;
mod registry;
mod stand_in;

use httpx_faults::{Answer, Fault, Request, Script};
use serde_json::{Value, json};
use url::Url;

use super::Args;
use crate::paint;

/// Where each service is, below the root of the server.
const CLOUDINFO: &str = "/cloudinfo";
const INDEX: &str = "/index/";
const PLUGINS: &str = "/plugins";

/// What the server does: a share of the requests fails, all others are answered.
pub(super) fn script(args: &Args) -> Script {
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..));
    Script::by_chance(args.fail.unwrap_or(0.0), Fault::sudden(), seed, |request| answer(request).into())
}

fn answer(request: &Request) -> Answer {
    // Archives are at the address under which the server was found.
    let host = request.header("host").unwrap_or("127.0.0.1");
    let Ok(url) = Url::parse(&format!("http://{host}{}", request.path)) else { return Answer::status(400) };
    let path: Vec<_> = url.path_segments().into_iter().flatten().collect();
    let found = match path[..] {
        ["cloudinfo", "api", "v1", "providers", ref rest @ ..] => cloudinfo::answer(rest, &url),
        ["index", ref rest @ ..] => registry::index(rest, &url),
        ["crates", name, version] => registry::archive(name, version),
        ["plugins", ref rest @ ..] => plugins::answer(rest, &url),
        _ => None,
    };
    found.unwrap_or_else(|| Answer::status(404))
}

/// An answer in JSON.
fn json_answer(value: &Value) -> Answer {
    Answer::status(200).header("content-type", "application/json").body(value.to_string())
}

/// Where everything is, for programs.
pub(super) fn listed(url: &str) -> Value {
    json!({
        "url": url,
        "cloudinfo": format!("{url}{CLOUDINFO}"),
        "index": format!("sparse+{url}{INDEX}"),
        "plugins": format!("{url}{PLUGINS}"),
        "plugins_index": format!("{url}{PLUGINS}/plugins.json"),
    })
}

/// What to try, for people.
pub(super) fn page(url: &str, args: &Args) -> String {
    let title = paint::strong(format!("Cloudinfo, a Cargo registry and a plugin repository are served at {url}"));
    let failing = match args.fail {
        // Rounded, since 100 times a share is seldom what was typed.
        Some(share) if share > 0.0 => {
            let percent = (share * 1e8).round() / 1e6;
            format!("\n{percent} % of the requests fail in one way or another.")
        }
        _ => String::new(),
    };
    format!(
        "{title}{failing}\n\n\
         export HTTPX_CLOUDINFO_ENDPOINT={url}{CLOUDINFO}\n\
         export HTTPX_REGISTRY_INDEX=sparse+{url}{INDEX}\n\
         export HTTPX_PLUGINS_REPOSITORY={url}{PLUGINS} NXF_VER=24.04.4\n\n\
         httpx cloudinfo products amazon eu-west-1 --feature gpu --sort price\n\
         httpx registry versions autocfg --sort -version\n\
         httpx registry download autocfg 1.1.0\n\
         httpx plugins resolve nf-amazon nf-cws nf-core-utils\n\
         httpx plugins download nf-amazon\n\n\
         Ctrl-C ends it, or kill %1 in the background."
    )
}

//! No secret on the command line, in a file or in the environment is told again, however the command ends.

use assert_cmd::Command;
use httpx_faults::{Answer, End, Fault, Script, Server};

/// What every secret has in it, as it is and as base64 has it, wherever among three bytes it begins.
const PLANTED: [&str; 4] = ["s3cret", "czNjcmV0", "MzY3Jld", "zM2NyZX"];

/// Runs `httpx` with these arguments and checks what it prints; once as it is, once each with `-v` and `--json`.
fn run(arguments: &[&str], variables: &[(&str, &str)]) {
    let sends = arguments[0] == "send";
    for further in [&[][..], &["-v"], &["--json"]].into_iter().take(if sends { 3 } else { 1 }) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
        let output = command.args(arguments).args(further).envs(variables.iter().copied()).output().unwrap();
        let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        for secret in PLANTED {
            assert!(!told.contains(secret), "{arguments:?} {further:?}: {told}");
        }
        assert!(output.status.code().is_some_and(|code| code != 101), "{arguments:?}: {told}");
    }
}

fn send(url: &str, further: &[&str]) {
    let quick = ["--delay", "1ms", "--max-delay", "1ms", "--max-attempts", "2", "--timeout", "1s"];
    run(&[&["send", url], &quick[..], further].concat(), &[]);
}

fn laden(url: &str) -> String {
    format!("{}?token=s3cret#s3cret", url.replacen("://", "://u:s3cret@", 1))
}

/// Every way in which a server can end a call; nothing of its body, which is the caller's.
fn endings() -> Vec<Fault> {
    vec![
        Fault::Ok,
        Answer::status(503).header("set-cookie", "JWT=s3cret").into(),
        Answer::status(401).header("www-authenticate", "Bearer realm=\"http://u:s3cret@127.0.0.1:1/?s3cret\"").into(),
        Fault::ResetAfterRequest,
        Fault::Garbage,
        Answer::ok().body("0123").cut(2, End::Fin).into(),
        Fault::Redirect(302, "http://u:s3cret@127.0.0.1:1/?s3cret".into()),
        Fault::Redirect(302, "ftp://u:s3cret@h/?s3cret".into()),
    ]
}

const CREDENTIALS: &[&[&str]] = &[
    &[],
    &["--bearer", "s3cret"],
    &["--basic", "u:s3cret"],
    &["--basic", "u:s3cret", "--www-authenticate"],
    &["--www-authenticate"],
    &["--bearer", "s3cret", "--refresh-token", "s3cret", "--refresh-url", "http://u:s3cret@127.0.0.1:1/?s3cret"],
    &["-H", "Authorization: Own s3cret", "-H", "Cookie: JWT=s3cret", "-H", "Proxy-Authorization: Basic s3cret"],
];

#[tokio::test(flavor = "multi_thread")]
async fn no_call_tells_who_made_it() {
    for fault in endings() {
        let server = Server::start(Script::always(fault)).await.unwrap();
        for credentials in CREDENTIALS {
            send(&laden(&server.url()), credentials);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_download_tells_who_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, nowhere) = (folder.path().join("file"), folder.path().join("no/such"));
    for fault in endings() {
        let server = Server::start(Script::always(fault)).await.unwrap();
        for path in [&file, &nowhere] {
            send(&laden(&server.url()), &["-o", path.to_str().unwrap(), "--resume", "--bearer", "s3cret"]);
            send(&laden(&server.url()), &["-o", path.to_str().unwrap(), "--sha256", &"0".repeat(64)]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_proxy_is_told_with_its_password() {
    for way in [Fault::Ok, Answer::status(407).into(), Answer::status(502).into(), Fault::CloseAfterRequest] {
        let proxy = Server::proxy(Script::always(way)).await.unwrap();
        let proxy = format!("http://u:s3cret@{}", proxy.address());
        for url in ["http://far.invalid/", "https://far.invalid/"] {
            send(&laden(url), &["--proxy", &proxy]);
        }
    }
    for proxy in ["http://u:s3#cret@h", "http://u:s3cret%@h", "socks5://u:s3cret@h", "http://u:s3cret@h:port"] {
        send("http://h/", &["--proxy", proxy]);
    }
}

#[test]
fn no_mistake_is_told_with_the_secret_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let bad_token = format!("@{}", file("token", "s3cret with spaces"));
    let config = file("httpx.toml", "proxy = \"http://u:s3cret%@h\"\n");
    let auth = file("auth.toml", &format!("[auth]\nbearer_file = {:?}\n", &bad_token[1..]));
    let rows: [&[&str]; 16] = [
        &["--bearer", "s3 s3cret"],
        &["--bearer", "s3cret", "--basic", "u:s3cret"],
        &["--bearer", &bad_token],
        &["--basic", "s3cret"],
        &["--refresh-token", "s3cret"],
        &["--bearer", "s3cret", "--refresh-token", "s3cret", "--refresh-url", "ftp://u:s3cret@h/?s3cret"],
        &["--bearer", "s3cret", "--auth-origin", "http://u:s3cret@h/?s3cret"],
        &["-H", "Authorization Bearer s3cret"],
        &["-H", "Bad Name: s3cret"],
        &["-H", "Authorization: s3cret\u{7f}"],
        &["--config", &config],
        &["--config", &auth],
        &["--proxy", "s3cret@u:p@h"],
        &["--bearer", "s3cret", "--no-such-flag"],
        &["--bearer", "s3cret", "--timeout", "soon"],
        &["--bearer", "s3cret", "--data", "@no/such/file"],
    ];
    for further in rows {
        send("http://127.0.0.1:9/", further);
    }
    for url in
        ["http://u:s3cret@h:port/", "u:s3cret@h/", "http://u:s3cret@/", "ftp://u:s3cret@h/?s3cret", "htp:/u:s3cret@h/"]
    {
        send(url, &[]);
        send("http://127.0.0.1:9/", &["--bearer", "s3cret", "--refresh-token", "s3cret", "--refresh-url", url]);
    }
    let variables =
        [("HTTPX_BEARER", "s3 s3cret"), ("HTTPX_BASIC", "s3cret"), ("HTTPX_REGISTRY_TOKEN", "s3\u{7f} s3cret")];
    for variable in variables {
        run(&["send", "http://127.0.0.1:9/", "--max-attempts", "1"], &[variable]);
        run(&["send", "--help"], &[variable]);
        run(&["registry", "config", "--index", "sparse+http://u:s3cret@127.0.0.1:9/?s3cret"], &[variable]);
        run(&["registry", "--help"], &[variable]);
    }
    run(&["cloudinfo", "regions", "amazon", "--endpoint", "http://u:s3cret@127.0.0.1:9/?s3cret"], &[]);
    let plugins = ["plugins", "resolve", "nf-amazon", "--nextflow", "24.04.4", "--repository"];
    run(&[&plugins[..], &["http://u:s3cret@127.0.0.1:9/?s3cret"]].concat(), &[]);
}

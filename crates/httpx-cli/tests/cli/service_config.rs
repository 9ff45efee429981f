//! `--service-config`: gRPC's policy by a service config, to send by and to ask about.

use std::path::Path;

use httpx_faults::{Fault, Script, Server};
use tempfile::TempDir;

use crate::support::{Ran, httpx};

const CONFIG: &str = r#"{
    "methodConfig": [
        {"name": [{"service": "jobs.Jobs"}], "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.001s",
          "maxBackoff": "0.002s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}},
        {"name": [{"service": "jobs.Jobs", "method": "Find"}], "timeout": "9s", "hedgingPolicy": {"maxAttempts": 2,
          "hedgingDelay": "0.5s", "nonFatalStatusCodes": ["UNAVAILABLE"]}}
    ],
    "retryThrottling": {"maxTokens": 10, "tokenRatio": 0.1}
}"#;

/// A folder with the config `grpc.json`.
fn folder(config: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("grpc.json"), config).unwrap();
    folder
}

fn ran(arguments: &str, file: &Path) -> Ran {
    httpx(arguments.split_whitespace().chain(["--service-config", file.to_str().unwrap()]))
}

#[tokio::test]
async fn a_call_is_sent_as_the_config_says_of_the_method_at_the_end_of_its_url() {
    let folder = folder(CONFIG);
    // Path, sends: the policy of the service, of nobody.
    for (path, sends) in
        [("/jobs.Jobs/Submit", 3), ("/api/jobs.Jobs/Submit?x=1/2", 3), ("/other.Jobs/Submit", 1), ("/", 1)]
    {
        let server = Server::h2(Script::always(Fault::status(200).header("grpc-status", "14"))).await.unwrap();
        let line = format!("send POST {} --policy grpc --http2 -d job --deadline 30s", server.url_at(path));
        assert_eq!(ran(&line, &folder.path().join("grpc.json")).code, 0, "{path}");
        let requests = server.journal().requests();
        assert_eq!(requests.len(), sends, "{path}");
        assert!(requests.iter().all(|request| request.header("grpc-timeout").is_some_and(|told| told.ends_with('m'))));
    }
}

#[test]
fn a_policy_that_a_config_gives_is_told_with_its_parts() {
    let folder = folder(CONFIG);
    let file = folder.path().join("grpc.json");
    let told = ran("explain --grpc-method jobs.Jobs/Submit", &file).stdout;
    for line in [
        "  attempts     at most 3\n",
        "  waits        1.0 ms before the first retry, times 2 each, at most 2.0 ms, varied by a ratio of ±0.2, at the cap too\n",
        "  deadline     none\n",
        "  budget       10 tokens per server, shared by all calls: a failure takes 1, a success gives 0.1; at 5 retries cease\n",
    ] {
        assert!(told.contains(line), "{line}{told}");
    }
    let told = ran("explain --policy grpc --grpc-method jobs.Jobs/Find", &file).stdout;
    for line in [
        "  attempts     at most 2\n",
        "  deadline     9.0 s\n",
        "  hedging      another send whenever no answer has come within 500 ms, at most 2 in all\n",
    ] {
        assert!(told.contains(line), "{line}{told}");
    }
    let told = ran("explain --json --grpc-method jobs.Jobs/Find", &file).json();
    assert_eq!((&told["policy"], &told["hedging"]["delay_ms"]), (&"grpc".into(), &500.into()));
    // One outcome, and a method of which the config says nothing.
    let told = ran("explain --grpc-method jobs.Jobs/Submit --method POST --status 503", &file).stdout;
    assert!(told.ends_with("retry after 0.8 ms to 1.2 ms: transient by convention\n"), "{told}");
    assert!(ran("explain --status 503", &file).stdout.ends_with("stop: the answer is final\n"));
}

#[test]
fn mistakes_are_told_in_one_sentence() {
    let right = folder(CONFIG);
    let wrong = folder(r#"{"methodConfig": [{"name": [{}], "hedgingPolicy": {"maxAttempts": 1}}]}"#);
    let (right, wrong, none) =
        (right.path().join("grpc.json"), wrong.path().join("grpc.json"), Path::new("no/such").to_owned());
    let other = "the policy \"default\" does not go by a service config; write --policy grpc".to_owned();
    let missing = "cannot read no/such: No such file or directory (os error 2)".to_owned();
    let broken = format!("{}: service config: maxAttempts must be a whole number above 1", wrong.display());
    for (file, policy, told) in [(&right, "--policy default", other), (&none, "", missing), (&wrong, "", broken)] {
        for command in ["explain", "send http://127.0.0.1/a.B/C"] {
            let ran = ran(&format!("{command} {policy}"), file);
            let expected = format!("httpx: --service-config: {told}\n");
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr), (2, "", expected), "{command}");
        }
    }
    let ran = httpx(["explain", "--grpc-method", "a.B/C"]);
    let told = "httpx: the following required arguments were not provided: --service-config <FILE>\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (2, told));
}

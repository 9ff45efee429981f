//! Each mistake in what was asked: one sentence that names the thing and what would be right, and exit code 2.

use httpx_retry::{FailureKind, PRESETS};

use crate::support::httpx;

/// A line on standard error and nothing else, whatever the output format.
fn sentence(arguments: &[&str]) -> String {
    let ran = httpx(arguments.iter().copied());
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.stderr.trim_end().strip_prefix("httpx: ").unwrap().to_owned()
}

/// What a wrong name of a policy is answered with.
fn policies() -> String {
    let names: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
    format!("the policies are {}", names.join(", "))
}

#[test]
fn of_a_request() {
    let rows: &[(&[&str], &str)] = &[
        (
            &["GET", "localhost"],
            "GET localhost: request cannot be built: relative URL without a base; a URL is like http://host/path",
        ),
        (&["http://", "--json"], "GET http://: request cannot be built: empty host; a URL is like http://host/path"),
        (
            &["ftp://h/x?s3cret"],
            "GET ftp://h/x?...: unsupported URL scheme: a URL to ask starts with http:// or https://",
        ),
        (
            &["http://127.0.0.1/", "POST"],
            "[METHOD]: this is not a method; it is a word such as GET, and stands before the URL",
        ),
        (&["http://127.0.0.1/", "-H", "s3cret"], "--header, number 1: there is no colon; write it as 'Name: value'"),
        (
            &["http://127.0.0.1/", "-H", "a: b", "-H", "a b: s3cret"],
            "--header, number 2: what stands before the colon is no header name; write it as 'Name: value'",
        ),
        (
            &["http://127.0.0.1/", "-H", "a: s3\ncret"],
            "--header, number 1: the value of a has a character that no header may have",
        ),
        (
            &["http://127.0.0.1/", "-d", "@no/such"],
            "--data: cannot read no/such: No such file or directory (os error 2)",
        ),
        (
            &["http://127.0.0.1/", "--data-stream", "no/such"],
            "--data-stream: cannot read no/such: No such file or directory (os error 2)",
        ),
        (&["http://127.0.0.1/", "-o", "new/"], "--output: cannot write new/: it ends like a folder; name a file in it"),
        (&["user:s3cret@127.0.0.1"], "GET ...: unsupported URL scheme: a URL to ask starts with http:// or https://"),
        (
            &["http://user:s3#cret@127.0.0.1/"],
            "GET ...: request cannot be built: invalid port number; a URL is like http://host/path",
        ),
        (&["http://127.0.0.1/", "--data-stream", "."], "--data-stream: cannot read .: is a directory"),
        (
            &["http://127.0.0.1/", "-o", "no/such"],
            "--output: cannot write no/such: No such file or directory (os error 2)",
        ),
        (
            &["http://127.0.0.1/", "--max-attempt", "3"],
            "unexpected argument '--max-attempt' found; tip: a similar argument exists: '--max-attempts'",
        ),
        (&[], "the following required arguments were not provided: <URL>"),
        (&["POST"], "POST: the URL is missing; write POST http://host/path"),
        (&["get", "--json"], "GET: the URL is missing; write GET http://host/path"),
    ];
    for (arguments, told) in rows {
        assert_eq!(&sentence(&[&["send"], *arguments].concat()), told);
    }
}

#[test]
fn of_the_settings_of_a_request() {
    let rows: &[(&[&str], &str)] = &[
        (&["--policy", "nevr"], &format!("--policy: unknown policy \"nevr\"; {}", policies())),
        (&["--timeout", "300"], "--timeout: \"300\" is not a duration; write it as 500ms or 2s, or off for no limit"),
        (&["--delay", "soon"], "--delay: \"soon\" is not a duration; write it as 500ms or 2s"),
        (&["--jitter", "25"], "--jitter: \"25\" is not a ratio; write a number from 0 to 1, such as 0.25"),
        (
            &["--max-attempts", "0"],
            "--max-attempts: \"0\" is not a number of attempts; write 1 or more, the first one included",
        ),
        (&["--timeout", "-1s"], "--timeout: \"-1s\" is not a duration; write it as 500ms or 2s, or off for no limit"),
        (&["--max-delay", "-1s"], "--max-delay: \"-1s\" is not a duration; write it as 500ms or 2s"),
        (&["--jitter", "-1"], "--jitter: \"-1\" is not a ratio; write a number from 0 to 1, such as 0.25"),
        (
            &["--max-attempts", "-1"],
            "--max-attempts: \"-1\" is not a number of attempts; write 1 or more, the first one included",
        ),
        (&["--config", "no/such"], "--config: cannot read no/such: No such file or directory (os error 2)"),
        (&["--cacert", "no/such"], "--cacert: no/such: No such file or directory (os error 2)"),
        (&["--max-redirects", "-1"], "--max-redirects: \"-1\" is not a number of redirects; write 0 or more"),
        (&["--max-redirects", "ten"], "--max-redirects: \"ten\" is not a number of redirects; write 0 or more"),
        (
            &["--bearer", "-s3 cret"],
            "--bearer: the token has a space, a line break or another character that no token may have",
        ),
        (&["--basic", "-s3cret"], "--basic: there is no colon; write it as user:password"),
    ];
    for (arguments, told) in rows {
        assert_eq!(&sentence(&[&["send", "http://127.0.0.1/"], *arguments].concat()), told);
    }
}

#[test]
fn of_a_file_of_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("httpx.toml");
    let rows = [
        ("timeout = \"1s\"\nretries = 3", "line 2: unknown field `retries`, expected one of `policy`, "),
        (
            "timeout = 300",
            "line 1: timeout: invalid type: integer `300`, expected a duration such as \"2s\", or \"off\"",
        ),
        (
            "budget = 5",
            "line 1: budget: invalid type: integer `5`, expected \"off\", or a table of capacity, retry_cost,",
        ),
        ("timeout = \"300\"", "line 1: timeout: \"300\" is not a duration; write it as \"500ms\", \"2s\" or \"off\""),
        ("policy = \"nevr\"", "line 1: policy: unknown policy \"nevr\"; the policies are "),
        ("jitter = 25.0", "line 1: jitter: invalid value: floating point `25.0`, expected a ratio from 0 to 1"),
        ("user_agent = \"\\n\"", "user_agent is \"\\n\"; it must be visible characters"),
        ("cacert = \"no/such\"", "cacert no/such: No such file or directory"),
    ];
    for (toml, told) in rows {
        std::fs::write(&file, toml).unwrap();
        let place = file.to_str().unwrap();
        let sentence = sentence(&["send", "http://127.0.0.1/", "--config", place]);
        let rest = sentence.strip_prefix(&format!("--config: {place}")).unwrap_or_else(|| panic!("{sentence}"));
        let rest = rest.trim_start_matches([',', ':', ' ']);
        assert!(rest.starts_with(told), "{rest}");
    }
}

#[test]
fn of_a_question_to_explain() {
    let failures: Vec<_> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
    let rows: &[(&[&str], &str)] = &[
        (&["--policy", "nevr"], &format!("--policy: unknown policy \"nevr\"; {}", policies())),
        (&["--status", "20"], "--status: \"20\" is not a status code; write 100 to 999"),
        (&["--status", "-1"], "--status: \"-1\" is not a status code; write 100 to 999"),
        (&["--status", "503", "--method", "B D"], "--method: this is not a method; it is a word such as GET"),
        (
            &["--status", "503", "--retry-after", "7\n"],
            "--retry-after: \"7\\n\" has a character that no header may have; write it as 7",
        ),
        (&["--failure", "refused"], "the following required arguments were not provided: --sent <SENT>"),
        (
            &["--method", "POST"],
            "the following required arguments were not provided: <--status <CODE>|--failure <KIND>>",
        ),
        (&["--sent", "no"], "the following required arguments were not provided: --failure <KIND>"),
        (
            &["--failure", "refused", "--sent", "yes"],
            "--sent: \"yes\" does not say whether the server saw the request; write no, not-processed or maybe",
        ),
        (
            &["--status", "503", "--connection", "old"],
            "--connection: \"old\" is no kind of connection; write fresh or reused",
        ),
        (
            &["--failure", "broken", "--sent", "no"],
            &format!("--failure: unknown failure \"broken\"; the failures are {}", failures.join(", ")),
        ),
    ];
    for (arguments, told) in rows {
        assert_eq!(&sentence(&[&["explain"], *arguments].concat()), told);
    }
}

#[test]
fn of_what_to_survey() {
    assert_eq!(sentence(&["survey", "--policy", "nevr"]), format!("--policy: unknown policy \"nevr\"; {}", policies()));
    let told = sentence(&["survey", "--fault", "never"]);
    assert!(told.starts_with("--fault: unknown fault \"never\"; the faults are ok, unknown-host, refused, "), "{told}");
    for timeout in ["0ms", "1500us"] {
        let told = sentence(&["survey", "--timeout", timeout]);
        let right = "is no timeout that can be measured; write whole milliseconds, 1ms or more";
        assert_eq!(told, format!("--timeout: {timeout:?} {right}"));
    }
    let told = "--timeout: \"-1s\" is not a duration; write it as 500ms or 2s";
    assert_eq!(sentence(&["survey", "--timeout", "-1s"]), told);
    assert_eq!(sentence(&["survey", "--json", "--csv"]), "the argument '--json' cannot be used with '--csv'");
}

#[test]
fn of_what_to_simulate() {
    let rows: &[(&[&str], &str)] = &[
        (&["--policy", "nevr"], &format!("--policy: unknown policy \"nevr\"; {}", policies())),
        (&["--clients", "many"], "--clients: \"many\" is not a number; write a whole one up to 4294967295"),
        (&["--clients", "0"], "--clients: clients is 0; it must be more than that"),
        (
            &["--clients", "10", "--processes", "11"],
            "--processes: processes is 11; it must be at most the number of clients, 10",
        ),
        (&["--load", "much"], "--load: \"much\" is not a load; write it as 70% or 0.7"),
        (&["--load", "0%"], "--load: load is 0; it must be more than 0 and at most 10, such as 0.7"),
        (&["--fail", "120%"], "--fail: \"120%\" is not a share; write it as 30% or 0.3"),
        (&["--timeout", "2"], "--timeout: \"2\" is not a duration; write it as 500ms or 2s"),
        (&["--timeout", "0s"], "--timeout: timeout is 0; it must be more than that"),
        (&["--seed", "-"], "--seed: \"-\" is not a seed; write a whole number up to 18446744073709551615"),
        (
            &["--duration", "2m"],
            "--outage-to: the outage is from 120s to 150s; it must end after its beginning and within the duration, 120s",
        ),
        (&["--duration", "25h"], "--duration: duration is 90000s; it must be at most a day"),
        (
            &["--pause", "1us"],
            "--clients: these would be 6.0e13 calls; fewer clients, longer pauses or a shorter duration keep them below 1e9",
        ),
        (
            &["--outage", "fire"],
            "invalid value 'fire' for '--outage <KIND>' [possible values: refuse, hang, busy, none]",
        ),
        (
            &["--outage", "none", "--outage-to", "3m"],
            "--outage: none begins and ends never; leave --outage-from and --outage-to away",
        ),
        (
            &["--validate", "--clients", "3"],
            "--validate: it has a scenario of its own, and no figure; give it only --policy and --json",
        ),
    ];
    for (arguments, told) in rows {
        assert_eq!(&sentence(&[&["storm"], *arguments].concat()), told);
    }
}

#[test]
fn of_a_port_that_is_taken() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let told = format!("--port: cannot listen on 127.0.0.1:{port}: Address already in use (os error 98)");
    assert_eq!(sentence(&["serve", "--port", &port.to_string()]), told);
    let told = "--port: \"1x\" is not a port; write a number up to 65535, or 0 for any free one";
    assert_eq!(sentence(&["serve", "--port", "1x"]), told);
}

#[test]
fn of_what_a_server_is_to_fail() {
    let rows = [
        (["--fail", "-1%"], "--fail: \"-1%\" is not a share; write it as 30% or 0.3"),
        (["--seed", "-1"], "--seed: \"-1\" is not a seed; write a whole number up to 18446744073709551615"),
        (["--seed", "x"], "--seed: \"x\" is not a seed; write a whole number up to 18446744073709551615"),
    ];
    for (arguments, told) in rows {
        assert_eq!(sentence(&[&["serve", "--fixtures"], &arguments[..]].concat()), told);
    }
}

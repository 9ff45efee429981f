//! Presets beside the real clients: a part of what `.ci/run` measures in full.

use crate::support::httpx;

/// Columns whose cells are over soon, and a policy of each kind.
const ARGUMENTS: [&str; 25] = [
    "survey",
    "--compare",
    "--json",
    "--timeout",
    "800ms",
    "--policy",
    "apache_4_5",
    "--policy",
    "okhttp_5",
    "--policy",
    "jdk_http_17",
    "--policy",
    "aws_java2_legacy",
    "--policy",
    "urllib3_2",
    "--policy",
    "go_net_http",
    "--fault",
    "refused",
    "--fault",
    "close-after-request",
    "--fault",
    "in-use-fin",
    "--fault",
    "status-408",
];

#[test]
fn presets_contact_a_failing_server_as_often_as_the_real_clients() {
    let ran = httpx(ARGUMENTS);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let cells = ran.json();
    let cells = cells.as_array().unwrap();
    assert_eq!(cells.len(), 6 * 4 * 2);
    for cell in cells {
        assert_eq!(cell["ours"], cell["theirs"], "{cell}");
    }
}

#[test]
fn a_wanted_difference_is_told_with_its_reason() {
    let ran = httpx(["survey", "--compare", "--json", "--policy", "apache_4_5", "--fault", "idle-fin"]);
    let cells = ran.json();
    let told = |place: usize, key: &str| cells[place][key].to_string();
    assert_eq!((told(0, "method"), told(0, "wanted")), ("\"GET\"".to_owned(), "null".to_owned()));
    assert_eq!((told(1, "ours"), told(1, "theirs")), ("1".to_owned(), "0".to_owned()));
    assert!(told(1, "wanted").contains("closed while idle"), "{}", cells[1]);
}

#[test]
fn the_survey_limits_a_preset_as_the_client_it_stands_for() {
    let fault = ["--fault", "headers-then-stall", "--timeout", "1000ms", "--json"];
    let compared = httpx(["survey", "--compare"].into_iter().chain(fault)).json();
    let surveyed = httpx(["survey"].into_iter().chain(fault)).json();
    let mut seen = std::collections::HashSet::new();
    for pair in compared.as_array().unwrap() {
        // A policy that stands for several settings of its client is surveyed with the first.
        let (policy, method) = (pair["policy"].as_str().unwrap(), pair["method"].as_str().unwrap());
        if policy == "never" || !seen.insert((policy, method)) {
            continue;
        }
        let of_cell = |cell: &&serde_json::Value| cell["policy"] == policy && cell["method"] == method;
        let cell = surveyed.as_array().unwrap().iter().find(of_cell).unwrap();
        assert_eq!(cell["contacts"], pair["ours"], "{cell}\n{pair}");
    }
    assert!(seen.contains(&("aws_java2_legacy", "POST")) && seen.contains(&("aws_standard_2020", "POST")));
}

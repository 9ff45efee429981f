//! Settings: nothing is lost on the way through a client or a file, and mistakes are told in one sentence.

use std::path::PathBuf;
use std::time::Duration;

use httpx_client::{
    AuthConfig, BudgetSetting, Client, ClientBuilder, Config, HttpVersion, Limit, NoProxy, Proxy, RetryAfterSetting,
};

/// Every field set to something that is not its default. A field that is added to `Config` does not compile here until
/// it is added too.
fn full() -> Config {
    Config {
        policy: Some("idempotent_only".into()),
        max_attempts: Some(7.try_into().unwrap()),
        delay: Some(Duration::from_millis(1500)),
        factor: Some(1.5),
        max_delay: Some(Duration::from_secs(90)),
        jitter: Some(0.0),
        statuses: Some(vec![503, 599]),
        retry_after: Some(RetryAfterSetting::GiveUp),
        budget: Some(BudgetSetting::Tokens { capacity: 9, retry_cost: 2, timeout_cost: 3, first_success: 0 }),
        fleet: None,
        adaptive_rate: Some(true),
        deadline: Some(Limit::After(Duration::from_secs(60))),
        timeout: Some(Limit::After(Duration::from_micros(1_234_567))),
        connect_timeout: Some(Limit::Off),
        read_timeout: Some(Limit::After(Duration::ZERO)),
        max_redirects: Some(0),
        max_body: Some(1 << 40),
        user_agent: Some("tests/1".into()),
        http_version: Some(HttpVersion::Http1),
        cacert: None,
        proxy: Some(Proxy::new("http://user:p%40ss@proxy.test:3128").unwrap()),
        no_proxy: Some(NoProxy::new("localhost, 10.0.0.0/8, not an entry!")),
        proxy_from_environment: Some(true),
        auth: Some(AuthConfig {
            www_authenticate: Some(true),
            origins: Some(vec!["https://example.test".into()]),
            ..AuthConfig::default()
        }),
    }
}

#[test]
fn a_config_goes_through_builder_and_client_unchanged() {
    for config in [full(), Config::default()] {
        let client = ClientBuilder::from(config.clone()).build().unwrap();
        assert_eq!(client.config(), &config);
        assert_eq!(client.clone().config(), &config);
    }
}

#[test]
fn a_config_goes_through_toml_unchanged() {
    let mut config = full();
    config.cacert = Some(PathBuf::from("certificates.pem"));
    config.fleet = Some("redis://user:p%40ss@redis.test/0".into());
    let told = toml::to_string(&config).unwrap();
    assert_eq!(told.parse::<Config>().unwrap(), config, "{told}");
    for other in [Config { budget: Some(BudgetSetting::Off), ..Config::default() }, Config::default()] {
        assert_eq!(toml::to_string(&other).unwrap().parse::<Config>().unwrap(), other);
    }
}

#[test]
fn every_setter_of_the_builder_writes_its_field() {
    let config = full();
    let status = |code| http::StatusCode::from_u16(code).unwrap();
    let builder = Client::builder()
        .max_attempts(config.max_attempts.unwrap())
        .delay(config.delay.unwrap())
        .factor(config.factor.unwrap())
        .max_delay(config.max_delay.unwrap())
        .jitter(config.jitter.unwrap())
        .statuses([status(503), status(599)])
        .retry_after(config.retry_after.unwrap())
        .budget(config.budget.unwrap())
        .fleet("redis://redis.test")
        .adaptive_rate()
        .deadline(config.deadline.unwrap())
        .timeout(config.timeout.unwrap())
        .connect_timeout(config.connect_timeout.unwrap())
        .read_timeout(config.read_timeout.unwrap())
        .max_redirects(config.max_redirects.unwrap())
        .max_body(config.max_body.unwrap())
        .user_agent(config.user_agent.clone().unwrap())
        .http_version(config.http_version.unwrap())
        .cacert("x.pem");
    let builder = builder.proxy(config.proxy.clone().unwrap()).no_proxy(config.no_proxy.clone().unwrap());
    let builder = builder.proxy_from_environment();
    let expected = Config {
        policy: None,
        cacert: Some("x.pem".into()),
        fleet: Some("redis://redis.test".into()),
        auth: None,
        ..config
    };
    assert_eq!(builder.config(), &expected);
}

#[test]
fn settings_change_the_policy_they_name() {
    let client = ClientBuilder::from(full()).build().unwrap();
    let policy = client.policy();
    assert_eq!(
        (policy.name(), policy.rule_name(), policy.max_attempts().get()),
        ("idempotent_only", "idempotent_only", 7)
    );
    assert_eq!(policy.backoff().cap(), Duration::from_secs(90));
    assert_eq!(policy.deadline(), Some(Duration::from_secs(60)));
    assert_eq!(policy.budget().unwrap().capacity, 9);
    let off = ClientBuilder::from(Config { budget: Some(BudgetSetting::Off), ..Config::default() }).build().unwrap();
    assert_eq!(off.policy().budget(), None);
}

#[test]
fn mistakes_in_a_file_are_told_in_one_sentence_with_line_and_key() {
    let rows = [
        ("retrys = 3", "line 1: unknown field `retrys`, expected one of `policy`, "),
        (
            "delay = \"1s\"\ntimeout = \"soon\"",
            "line 2: timeout: \"soon\" is not a duration; write it as \"500ms\", \"2s\" or \"off\"",
        ),
        ("timeout = 5", "line 1: timeout: invalid type: integer `5`, expected a duration such as \"2s\", or \"off\""),
        ("\n\ndelay = 5", "line 3: delay: invalid type: integer `5`, expected a duration such as \"2s\""),
        (
            "max_attempts = 0",
            "line 1: max_attempts: invalid value: integer `0`, expected a number of attempts, 1 or more, the first one included",
        ),
        (
            "max_redirects = -1",
            "line 1: max_redirects: invalid value: integer `-1`, expected a number of redirects, 0 or more",
        ),
        (
            "max_redirects = 1.5",
            "line 1: max_redirects: invalid value: floating point `1.5`, expected a number of redirects, 0 or more",
        ),
        ("factor = inf", "line 1: factor: invalid value: floating point `inf`, expected a finite number, 1 or more"),
        ("factor = 0", "line 1: factor: invalid value: integer `0`, expected a finite number, 1 or more"),
        ("\njitter = 1.5", "line 2: jitter: invalid value: floating point `1.5`, expected a ratio from 0 to 1"),
        ("jitter = \"x\"", "line 1: jitter: invalid type: string \"x\", expected a ratio from 0 to 1"),
        (
            "statuses = [\n  503,\n  42]",
            "line 3: statuses[1]: invalid value: integer `42`, expected a status code, 100 to 999",
        ),
        (
            "statuses = 503",
            "line 1: statuses: invalid type: integer `503`, expected a list of status codes such as [429, 503]",
        ),
        ("policy = \"dflt\"", "line 1: policy: unknown policy \"dflt\"; the policies are default,"),
        ("policy = 5", "line 1: policy: invalid type: integer `5`, expected the name of a policy"),
        ("cacert = 5", "line 1: cacert: invalid type: integer `5`, expected the path of a file"),
        ("http_version = 2", "line 1: http_version: invalid type: integer `2`, expected \"auto\", \"1.1\" or \"2\""),
        (
            "retry_after = 5",
            "line 1: retry_after: invalid type: integer `5`, expected \"ignore\", \"wait\" or \"give-up\"",
        ),
        ("auth = \"x\"", "line 1: auth: invalid type: string \"x\", expected a table of keys such as bearer_file"),
        ("[auth]\nbasic_file = 5", "line 2: auth.basic_file: invalid type: integer `5`, expected the path of a file"),
        (
            "[auth]\norigins = 5",
            "line 2: auth.origins: invalid type: integer `5`, expected a list of origins such as [\"https://host\"]",
        ),
        ("http_version = \"3\"", "line 1: http_version: unknown variant `3`, expected one of `auto`, `1.1`, `2`"),
        (
            "budget = \"on\"",
            "line 1: budget: invalid value: string \"on\", expected \"off\", or a table of capacity, retry_cost, ",
        ),
        ("budget = 5", "line 1: budget: invalid type: integer `5`, expected \"off\", or a table"),
        ("[budget]\ncapacity = 5", "line 1: budget: missing field `retry_cost`"),
        (
            "[budget]\ncapacity = -5",
            "line 2: budget.capacity: invalid value: integer `-5`, expected a number of tokens, 0 or more",
        ),
        ("[budget]\nsize = 5", "line 2: unknown field `size`, expected one of `capacity`"),
        ("jitter = ", "line 1: jitter: there is no value"),
        ("delay = # soon\njitter = 0.1", "line 1: delay: there is no value"),
        ("delay = \"1s\"\n delay = \"2s\"", "line 2: delay: duplicate key"),
        ("[auth]\n[auth]", "line 2: auth: duplicate key"),
        ("fleet = 5", "line 1: fleet: invalid type: integer `5`, expected a text"),
        ("fleet = redis://u:s3cret@h", "line 1: fleet: "),
        ("proxy http://user:s3cret@h/?a=1", "line 1: key with no value, expected `=`"),
        ("proxy = \"http://user:\ns3cret@h\"", "line 2: key with no value, expected `=`"),
    ];
    for (text, expected) in rows {
        let told = text.parse::<Config>().unwrap_err().to_string();
        assert!(told.starts_with(expected), "{text:?}: {told}");
        assert_eq!((told.lines().count(), told.contains("s3cret")), (1, false), "{told}");
    }
}

#[test]
fn the_defaults_written_out_are_what_a_client_does_without_them() {
    let said = ClientBuilder::from(Config::defaults()).build().unwrap();
    let unsaid = Client::new();
    assert_eq!(format!("{:?}", said.policy()), format!("{:?}", unsaid.policy()));
    let toml = toml::to_string(&Config::defaults()).unwrap();
    assert_eq!(toml.parse::<Config>().unwrap(), Config::defaults(), "{toml}");
    // Whatever is unsaid here has no default.
    let Config { fleet, max_body, user_agent, cacert, proxy, no_proxy, auth, .. } = Config::defaults();
    assert_eq!((fleet, max_body, user_agent, cacert, proxy, no_proxy, auth), Default::default());
    assert_eq!(toml.lines().filter(|line| line.contains(" = ")).count(), 16 + 4, "{toml}");
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let told = Config::from_file("no/such/httpx.toml").unwrap_err().to_string();
    assert!(told.starts_with("cannot read no/such/httpx.toml: "), "{told}");
}

#[test]
fn settings_out_of_range_are_refused_with_what_would_be_right() {
    let rows = [
        (
            Config { policy: Some("dflt".into()), ..Config::default() },
            "unknown policy \"dflt\"; the policies are default,",
        ),
        (Config { jitter: Some(1.5), ..Config::default() }, "jitter is 1.5; it must be a ratio from 0 to 1"),
        (Config { jitter: Some(f64::NAN), ..Config::default() }, "jitter is NaN; it must be a ratio from 0 to 1"),
        (Config { factor: Some(0.5), ..Config::default() }, "factor is 0.5; it must be a finite number, 1 or more"),
        (
            Config { statuses: Some(vec![42]), ..Config::default() },
            "statuses is 42; it must be a status code, 100 to 999",
        ),
        (Config { cacert: Some("no/such.pem".into()), ..Config::default() }, "cacert no/such.pem: "),
        (Config { cacert: Some("Cargo.toml".into()), ..Config::default() }, "cacert Cargo.toml: no certificate in it"),
        (
            Config { user_agent: Some("a\nb".into()), ..Config::default() },
            "user_agent is \"a\\nb\"; it must be visible characters",
        ),
    ];
    for (config, expected) in rows {
        let told = ClientBuilder::from(config).build().unwrap_err().to_string();
        assert!(told.starts_with(expected), "{told}");
    }
}

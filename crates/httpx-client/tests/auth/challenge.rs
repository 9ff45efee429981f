//! What servers ask for, as it is read.

use httpx_client::{Challenge, RealmRefused, Realms};
use proptest::prelude::*;

/// Challenges as `Scheme{name=value,...}` or `Scheme(token68)`, which is short enough for a table.
fn told(challenges: &[Challenge]) -> Vec<String> {
    let one = |challenge: &Challenge| match challenge.token68() {
        Some(token) => format!("{}({token})", challenge.scheme()),
        None => {
            let params: Vec<_> = challenge.params().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{}{{{}}}", challenge.scheme(), params.join("|"))
        }
    };
    challenges.iter().map(one).collect()
}

#[test]
fn c28_to_c36_every_challenge_is_read_in_order_and_nothing_else_is_one() {
    let rows: [(&str, &str, &[&str]); 33] = [
        (
            "c28 the example of the standard",
            r#"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            &[r#"Newauth{realm=apps|type=1|title=Login to "apps"}"#, "Basic{realm=simple}"],
        ),
        ("c28 a scheme alone", "Negotiate, Basic realm=\"x\"", &["Negotiate{}", "Basic{realm=x}"]),
        ("c28 a scheme alone at the end", "Basic realm=\"x\", Negotiate", &["Basic{realm=x}", "Negotiate{}"]),
        ("c28 a token68", "Negotiate YWJj==, Basic realm=\"x\"", &["Negotiate(YWJj==)", "Basic{realm=x}"]),
        ("c28 a token68 with one sign", "NTLM TlRM=", &["NTLM(TlRM=)"]),
        ("c28 a token68 without signs", "NTLM TlRM/+-._~ , Basic", &["NTLM(TlRM/+-._~)", "Basic{}"]),
        ("c28 a parameter that looks like a token68", "Digest a==b", &["Digest{a==b}"]),
        ("c28 escapes", r#"Basic realm="a\\b\"c\d""#, &[r#"Basic{realm=a\b"cd}"#]),
        (
            "c30 commas within quotes",
            r#"Bearer realm="https://auth.example.test/token?a=1,b=2",service="containers.example",scope="repository:myorg/repo:pull,push""#,
            &[
                "Bearer{realm=https://auth.example.test/token?a=1,b=2|service=containers.example|scope=repository:myorg/repo:pull,push}",
            ],
        ),
        ("c30 a comma after an escaped quote", r#"Basic realm="a\",b", x=y"#, &[r#"Basic{realm=a",b|x=y}"#]),
        ("c32 upper case", r#"BASIC realm="Sonatype Nexus""#, &["BASIC{realm=Sonatype Nexus}"]),
        (
            "c32 mixed case",
            r#"bearer REALM="https://T.example.test/t",Service="S""#,
            &["bearer{REALM=https://T.example.test/t|Service=S}"],
        ),
        (
            "c34 a scheme's name within a URL",
            r#"Bearer realm="https://auth.example.test/token?kind=basic",service="r""#,
            &["Bearer{realm=https://auth.example.test/token?kind=basic|service=r}"],
        ),
        (
            "c34 a scheme's name within a text",
            r#"Bearer realm="https://t.example.test/t",error="invalid_token",error_description="Basic auth not allowed""#,
            &["Bearer{realm=https://t.example.test/t|error=invalid_token|error_description=Basic auth not allowed}"],
        ),
        (
            "c34 a whole challenge within quotes",
            r#"Bearer x=", Basic realm=\"y\"""#,
            &[r#"Bearer{x=, Basic realm="y"}"#],
        ),
        (
            "c36 one scheme twice",
            r#"Basic realm="first", Basic realm="second""#,
            &["Basic{realm=first}", "Basic{realm=second}"],
        ),
        ("c36 empty elements", r#", ,Basic realm="x",,Bearer realm="y""#, &["Basic{realm=x}", "Bearer{realm=y}"]),
        ("c36 empty elements at the end", "Basic realm=\"x\", ,\t,", &["Basic{realm=x}"]),
        ("c36 a name twice", r#"Basic realm="a", realm="b""#, &["Basic{realm=a}"]),
        ("c36 a name twice in other letters", r#"Basic realm="a", REALM="b", x=y"#, &["Basic{realm=a|x=y}"]),
        ("c36 a name twice over two challenges", "A x=1, B x=2", &["A{x=1}", "B{x=2}"]),
        ("spaces around the sign", "Basic realm = \"x\" , a\t=\tb", &["Basic{realm=x|a=b}"]),
        ("an empty value", r#"Bearer scope="",service="s""#, &["Bearer{scope=|service=s}"]),
        ("a value that is no token", "Basic realm=/", &["Basic{realm=/}"]),
        (
            "a URL without quotes",
            "Bearer realm=https://a.test/t?x=1,service=s",
            &["Bearer{realm=https://a.test/t?x=1|service=s}"],
        ),
        ("no comma between challenges", r#"Basic realm="x" Bearer realm="y""#, &["Basic{realm=x}", "Bearer{realm=y}"]),
        ("a quote without an end", r#"Basic realm="x, Bearer"#, &["Basic{realm=x, Bearer}"]),
        ("an escape without an end", r#"Basic realm="x\"#, &["Basic{realm=x}"]),
        ("a parameter before any scheme", r#"realm="x", Basic realm="y""#, &["Basic{realm=y}"]),
        ("junk", "?? (), Basic realm=\"y\" @, Bearer", &["Basic{realm=y}", "Bearer{}"]),
        ("beyond ASCII", "Basic realm=\"café ☕\"", &["Basic{realm=café ☕}"]),
        ("nothing", "", &[]),
        ("next to nothing", " ,\t, ", &[]),
    ];
    for (name, value, expected) in rows {
        assert_eq!(told(&Challenge::list(value)), expected, "{name}: {value}");
    }
}

#[test]
fn c32_names_are_found_in_any_case_and_values_keep_theirs() {
    let read = Challenge::list(r#"bEARER REALM="https://T.test/",Service="S""#);
    assert!(read[0].is("Bearer") && read[0].is("BEARER") && !read[0].is("Basic"));
    assert_eq!((read[0].realm(), read[0].param("service")), (Some("https://T.test/"), Some("S")));
}

#[test]
fn lines_are_read_one_after_another_and_bytes_that_are_no_text_do_no_harm() {
    let mut headers = http::HeaderMap::new();
    headers.append("www-authenticate", "Bearer realm=\"a\"".parse().unwrap());
    headers.append("www-authenticate", http::HeaderValue::from_bytes(b"Basic realm=\"caf\xe9\"").unwrap());
    assert_eq!(told(&Challenge::of(&headers)), ["Bearer{realm=a}", "Basic{realm=caf\u{fffd}}"]);
}

/// Where it was seen; scheme, realm, service and scope.
type Collected = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

/// Every header that was collected in the field.
const COLLECTED: [Collected; 16] = [
    (
        "Docker Hub",
        "Bearer",
        "https://auth.docker.io/token",
        Some("registry.docker.io"),
        Some("repository:example/app:pull"),
    ),
    ("GHCR", "Bearer", "https://ghcr.io/token", Some("ghcr.io"), Some("repository:devcontainers/features:pull")),
    (
        "ECR private",
        "Basic",
        "https://123456789012.dkr.ecr.eu-central-1.amazonaws.com/",
        Some("ecr.amazonaws.com"),
        None,
    ),
    ("Artifactory (Basic)", "Basic", "Artifactory Realm", None, None),
    (
        "Artifactory 7.12 (Bearer, port in realm and service)",
        "Bearer",
        "https://artifactory.example:443/artifactory/api/docker/docker-hub/v2/token",
        Some("artifactory.example:443"),
        Some("repository:node:pull"),
    ),
    (
        "Artifactory 7.9",
        "Bearer",
        "https://artifactory.example/artifactory/api/docker/docker-local/v2/token",
        Some("artifactory.example"),
        Some("repository:someproduct/someimage:pull"),
    ),
    ("Sonatype Nexus", "BASIC", "Sonatype Nexus Repository Manager", None, None),
    ("Harbor (behind OIDC)", "Basic", "harbor", None, None),
    ("Gitea", "Bearer", "https://git.example/v2/token", Some("container_registry"), Some("*")),
    (
        "Oracle OCIR",
        "Bearer",
        "https://uk-london-1.ocir.io/12345678/docker/token",
        Some("uk-london-1.ocir.io"),
        Some(""),
    ),
    ("Docker Hardened Images", "Bearer", "https://dhi.io/token", Some("registry.docker.io"), None),
    ("Pulp", "Bearer", "https://puffy.example.com/token/", Some("puffy.example.com"), None),
    ("NVIDIA nvcr.io / GCP Artifact Registry (realm only)", "Bearer", "https://auth.example.test/token", None, None),
    ("open-balena, unconfigured domain", "Bearer", "https://api./auth/v1/token", Some("registry2."), None),
    ("unnamed third-party registry", "Basic", "/", None, None),
    (
        "generic (quoted commas in scope)",
        "Bearer",
        "https://containers.example/v2/auth",
        Some("containers.example"),
        Some("repository:myorg/my-repository:pull,push"),
    ),
];

#[test]
fn every_header_collected_in_the_field_is_read() {
    let rows: Vec<Vec<&str>> =
        include_str!("headers.tsv").lines().skip(1).map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), COLLECTED.len() + 1, "the example of the standard has a row of its own above");
    for (name, scheme, realm, service, scope) in COLLECTED {
        let row = rows.iter().find(|row| row[0] == name).unwrap();
        let read = Challenge::list(row[1]);
        assert_eq!(read.len(), 1, "{name}");
        let params = (read[0].realm(), read[0].param("service"), read[0].param("scope"));
        assert_eq!((read[0].scheme(), params), (scheme, (Some(realm), service, scope)), "{name}");
    }
}

#[test]
fn c38_what_is_asked_of_a_realm_is_its_url_and_nothing_empty() {
    let url = "https://auth.example.test/token";
    // Challenge behind `Bearer`, URL.
    let rows = [
        (format!("realm=\"{url}\""), url.to_owned()),
        (format!("realm=\"{url}?\""), url.to_owned()),
        (format!("realm=\"{url}#part\""), url.to_owned()),
        (format!("realm=\"{url}\",scope=\"\""), url.to_owned()),
        (
            format!("realm=\"{url}\",service=\"uk-london-1.ocir.io\",scope=\"\""),
            format!("{url}?service=uk-london-1.ocir.io"),
        ),
        (format!("realm=\"{url}\",service=\"\",scope=\" \""), url.to_owned()),
        (format!("realm=\"{url}?a=1\",service=\"s\""), format!("{url}?a=1&service=s")),
        (format!("realm=\"{url}?a=1&service=s\",service=\"s\""), format!("{url}?a=1&service=s")),
        (
            format!("realm=\"{url}\",service=\"s\",scope=\"repository:a/b:pull,push\""),
            format!("{url}?service=s&scope=repository%3Aa%2Fb%3Apull%2Cpush"),
        ),
        (format!("realm=\"{url}\",scope=\"a  b a\""), format!("{url}?scope=a&scope=b")),
        (format!("realm=\"{url}\",error=\"invalid_token\""), url.to_owned()),
        ("realm=\"https://user:s3cret@auth.example.test/token\"".to_owned(), url.to_owned()),
    ];
    let server = "https://registry.example.test/v2/".parse().unwrap();
    for (params, expected) in rows {
        let challenge = &Challenge::list(&format!("Bearer {params}"))[0];
        assert_eq!(challenge.token_url(&server, Realms::strict()).unwrap().as_str(), expected, "{params}");
    }
}

#[test]
fn c40_realms_that_lead_astray_are_refused() {
    use RealmRefused::{Downgrade, Missing, Relative, Scheme};
    let strict = Realms::strict();
    let far = "https://registry.example.test/v2/";
    let near = "http://10.1.2.3:5000/v2/";
    let rows = [
        (far, "realm=\"/token\"", strict, Err(Relative)),
        (far, "realm=\"token\"", strict, Err(Relative)),
        (far, "realm=\"\"", strict, Err(Relative)),
        (far, "realm=\"//auth.example.test/t\"", strict, Err(Relative)),
        (far, "service=\"s\"", strict, Err(Missing)),
        (far, "realm=\"file:///etc/passwd\"", strict, Err(Scheme("file".into()))),
        (far, "realm=\"ftp://x/y\"", strict, Err(Scheme("ftp".into()))),
        (far, "realm=\"data:text/plain,x\"", strict, Err(Scheme("data".into()))),
        (far, "realm=\"https://api./auth/v1/token\"", strict, Ok("https://api./auth/v1/token")),
        (
            far,
            "realm=\"http://auth.example.test/t?s3cret\"",
            strict,
            Err(Downgrade("http://auth.example.test/t?...".into())),
        ),
        (far, "realm=\"http://auth.example.test/t\"", strict.allow_plain_http(), Ok("http://auth.example.test/t")),
        (
            "http://registry.example.test/",
            "realm=\"http://auth.example.test/t\"",
            strict,
            Ok("http://auth.example.test/t"),
        ),
        (
            "http://registry.example.test/",
            "realm=\"https://auth.example.test/t\"",
            strict,
            Ok("https://auth.example.test/t"),
        ),
        (near, "realm=\"http://10.9.9.9/t\"", strict, Ok("http://10.9.9.9/t")),
        (near, "realm=\"http://127.0.0.1/t\"", strict, Ok("http://127.0.0.1/t")),
        (near, "realm=\"https://auth.example.test/t\"", strict, Ok("https://auth.example.test/t")),
        (far, "realm=\"https://169.254.169.254/t\"", strict.allow_private_network(), Ok("https://169.254.169.254/t")),
        (
            far,
            "realm=\"http://127.0.0.1/t\"",
            strict.allow_private_network(),
            Err(Downgrade("http://127.0.0.1/t".into())),
        ),
    ];
    for (server, params, realms, expected) in rows {
        let challenge = &Challenge::list(&format!("Bearer {params}, x=y"))[0];
        let found = challenge.token_url(&server.parse().unwrap(), realms);
        assert_eq!(found.as_ref().map(|url| url.as_str()), expected.as_ref().map(|url| *url), "{server} {params}");
    }
}

#[test]
fn c40_addresses_that_are_not_for_the_whole_internet_are_told_from_those_that_are() {
    use RealmRefused::PrivateNetwork;
    let (far, strict) = ("https://registry.example.test/v2/", Realms::strict());
    let private = [
        "127.0.0.1",
        "127.9.9.9",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "0.0.0.0",
        "100.64.0.1",
        "100.127.255.255",
        "[::1]",
        "[::]",
        "[fc00::1]",
        "[fd12::1]",
        "[fe80::1]",
        "[::ffff:10.0.0.1]",
        "[64:ff9b::10.0.0.1]",
        "[2002:7f00:1::]",
        "[::10.0.0.1]",
        "[fec0::1]",
        "[ff02::1]",
        "224.0.0.1",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.0.8",
        "localhost",
        "localhost.",
        "x.localhost",
        "LOCALHOST",
        "2130706433",
        "0x7f.1",
    ];
    for host in private {
        let challenge = &Challenge::list(&format!("Bearer realm=\"https://{host}/t\""))[0];
        let refused = challenge.token_url(&far.parse().unwrap(), strict).unwrap_err();
        assert!(matches!(refused, PrivateNetwork(_)), "{host}: {refused:?}");
    }
    let public = [
        "8.8.8.8",
        "172.32.0.1",
        "100.128.0.1",
        "11.0.0.1",
        "[2001:db8::1]",
        "[64:ff9b::8.8.8.8]",
        "[2002:808:808::]",
        "198.20.0.1",
        "192.0.1.8",
        "10.example.test",
        "localhost.test",
        "127.evil.test",
    ];
    for host in public {
        let challenge = &Challenge::list(&format!("Bearer realm=\"https://{host}/t\""))[0];
        assert!(challenge.token_url(&far.parse().unwrap(), strict).is_ok(), "{host}");
    }
}

/// Text that is mostly made of what matters to the reader.
fn field() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9]{1,6}",
        Just("=".to_owned()),
        Just("\"".to_owned()),
        Just("\\".to_owned()),
        Just(",".to_owned()),
        Just(" ".to_owned()),
        Just("\t".to_owned()),
        Just("Basic realm=".to_owned()),
        "\\PC{1,3}",
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Something that survives being written and read: a scheme and parameters of distinct names.
fn challenge() -> impl Strategy<Value = (String, Vec<(String, String)>)> {
    ("[A-Za-z][a-z]{0,8}", prop::collection::hash_map("[a-z]{1,8}", "[ -~]{0,12}", 1..5))
        .prop_map(|(scheme, params)| (scheme, params.into_iter().collect()))
}

proptest! {
    #[test]
    fn the_reader_never_fails_and_finds_no_more_than_there_is(value in field()) {
        let read = Challenge::list(&value);
        let length: usize = read.iter().map(|one| {
            one.scheme().len() + one.params().map(|(name, value)| name.len() + value.len()).sum::<usize>()
        }).sum();
        prop_assert!(length <= value.len());
    }

    #[test]
    fn what_is_written_by_the_grammar_is_read_back(challenges in prop::collection::vec(challenge(), 1..5)) {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let line = challenges.iter().map(|(scheme, params)| {
            let params: Vec<_> = params.iter().map(|(name, value)| format!("{name}=\"{}\"", quoted(value))).collect();
            format!("{scheme} {}", params.join(", "))
        }).collect::<Vec<_>>().join(", ");
        let read = Challenge::list(&line);
        let owned: Vec<(String, Vec<(String, String)>)> = read.iter().map(|one| {
            (one.scheme().to_owned(), one.params().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
        }).collect();
        prop_assert_eq!(owned, challenges);
    }
}

#[test]
fn a_huge_field_is_read_at_once() {
    for piece in ["a=b,", "Basic ,", "a ", "\"", "x=\"", "=", "a==", "\\"] {
        let began = std::time::Instant::now();
        assert!(Challenge::list(&format!("Basic {}", piece.repeat(100_000))).len() <= 100_001);
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{piece:?} took {:?}", began.elapsed());
    }
}

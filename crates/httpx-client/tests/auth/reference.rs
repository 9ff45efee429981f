//! Beside the reference: where lib-httpx is right ours answers alike, and every difference has its reason.
//!
//! What `reference.tsv` holds is what a transcription answers, not the library: the bodies of `WwwAuthenticateParser.parse` and
//! `HxProxyConfig.isBypassed` of lib-httpx (seqeralabs/libseqera at 047b275 and 46b8601) were copied by hand into one file of
//! Java and run on OpenJDK 17, since its artifact needs a repository that could not be reached.

use httpx_client::{Challenge, Client, Proxy};

/// The challenges that the reference knows, its way of writing them.
fn challenges(field: &str) -> String {
    let one = |challenge: &Challenge| {
        let scheme = ["Basic", "Bearer"].into_iter().find(|scheme| challenge.is(scheme))?;
        let mut params: Vec<_> = challenge.params().map(|(name, value)| format!("; {name}={value}")).collect();
        params.sort();
        Some(format!("{scheme}{}", params.concat()))
    };
    let told: Vec<_> = Challenge::list(field).iter().filter_map(one).collect();
    if told.is_empty() { "none".into() } else { told.join(" | ") }
}

fn way(list: &str, url: &str) -> String {
    let proxy = Proxy::new("http://proxy.test:3128").unwrap();
    let client = Client::builder().proxy(proxy).no_proxy(list).build().unwrap();
    if client.proxy_for(&url.parse().unwrap()).is_some() { "proxy" } else { "direct" }.into()
}

#[test]
fn ours_answers_as_the_reference_does_unless_it_says_why_not() {
    let mut differences = 0;
    for row in include_str!("reference.tsv").lines().skip(1) {
        let [what, input, url, reference, why] = row.split('\t').collect::<Vec<_>>()[..] else { panic!("{row}") };
        let ours = match what {
            "challenge" => challenges(input),
            "no_proxy" => way(input, url),
            _ => panic!("{row}"),
        };
        assert_eq!(ours == reference, why.is_empty(), "{row}\nours: {ours}");
        differences += usize::from(!why.is_empty());
    }
    assert_eq!(differences, 10);
}

//! No secret is ever told: not by errors, `Debug`, spans, events, callbacks or files. Alone in its binary, since it
//! listens to everything that all threads of the process log.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[cfg(feature = "redis")]
#[path = "../auth/redis_server.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod redis_server;
#[path = "../auth/support.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod support;

mod challenges;
mod downloads;
mod fixed;
mod listening;
mod planted;
mod proxies;
mod redirects;
mod renewals;
mod stores;

use listening::Everything;
use planted::{PLANTED, forms};

#[tokio::test]
async fn no_secret_is_told_by_anything_that_a_run_prints() {
    let told = Everything::listen();
    let mut length = 0;
    let mut ran = |feature: &str| {
        let lines = told.lines();
        assert!(lines.len() > length + 10, "{feature} tells too little to be a test");
        length = lines.len();
        for secret in PLANTED {
            for form in forms(secret) {
                let line = lines.iter().find(|line| line.contains(&form));
                assert_eq!(line, None, "{feature} tells {secret} as {form}");
            }
        }
    };
    fixed::run(&told).await;
    ran("credentials that are fixed");
    renewals::run(&told).await;
    ran("a renewal");
    challenges::run(&told).await;
    ran("a challenge");
    proxies::run(&told).await;
    ran("a proxy");
    redirects::run(&told).await;
    ran("a redirect");
    downloads::run(&told).await;
    ran("a download");
    stores::run(&told).await;
    ran("a store");
    // The engine was listened to as well.
    assert!(told.lines().iter().any(|line| line.starts_with("hyper_util")), "nothing of the engine was heard");
}

#[test]
fn a_secret_is_found_however_it_is_written() {
    use base64::Engine as _;
    use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
    for secret in PLANTED {
        let found = |text: String| forms(secret).iter().any(|form| text.contains(form));
        for before in ["", "u:", "user:", "Own "] {
            let joined = format!("{before}{secret}");
            assert!(found(joined.clone()) && found(BASE64_STANDARD.encode(&joined)), "{joined}");
            assert!(found(BASE64_URL_SAFE_NO_PAD.encode(format!("{joined}, and more"))), "{joined}");
        }
        let encoded = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect::<String>();
        assert!(found(encoded.clone()) && found(encoded.to_lowercase()), "{encoded}");
        assert!(!found("nothing of it".into()));
    }
}

//! What is planted, and how it may come to light.

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use url::form_urlencoded;

/// A word that stands in everything secret, and a password that is written otherwise in a URL, a form and a text.
pub(crate) const PLANTED: [&str; 2] = ["s3cret", PASSWORD];

pub(crate) const PASSWORD: &str = "p@ss/w?rd#9";

/// The password as it stands in a URL.
pub(crate) fn in_url() -> String {
    form_urlencoded::byte_serialize(PASSWORD.as_bytes()).collect()
}

/// A URL with a secret as user, password, query and fragment.
pub(crate) fn laden(url: &str) -> String {
    let url = url.replacen("://", &format!("://u-s3cret:{}@", in_url()), 1);
    format!("{url}{}token=s3cret#s3cret", if url.contains('?') { "&" } else { "?" })
}

/// A secret as it is, as Rust and JSON quote it, percent-encoded, in hexadecimal digits, and as base64 has it wherever
/// among three bytes it begins.
pub(crate) fn forms(secret: &str) -> Vec<String> {
    let encoded: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let escaped = secret.replace('/', "\\/");
    let mut forms = vec![secret.to_owned(), escaped, encoded.to_lowercase(), encoded, hex.to_uppercase(), hex];
    for engine in [BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
        for before in 0..3 {
            let text = engine.encode(["x".repeat(before).as_str(), secret].concat());
            // What depends on the neighbours is left out.
            let (first, whole) = ((before * 4).div_ceil(3), (before + secret.len()) * 4 / 3);
            forms.push(text[first..whole].to_owned());
        }
    }
    forms
}

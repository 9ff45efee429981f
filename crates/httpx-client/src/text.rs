//! A body as text; what is malformed is replaced by U+FFFD.

use http::HeaderMap;

/// By the charset that `Content-Type` names, else as UTF-8.
#[cfg(feature = "charset")]
pub(crate) fn text(headers: &HeaderMap, body: &[u8]) -> String {
    let mime =
        headers.get(http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok()?.parse::<mime::Mime>().ok());
    let charset = mime.as_ref().and_then(|mime| mime.get_param(mime::CHARSET));
    let encoding = charset.and_then(|charset| encoding_rs::Encoding::for_label(charset.as_str().as_bytes()));
    encoding.unwrap_or(encoding_rs::UTF_8).decode(body).0.into_owned()
}

/// As UTF-8.
#[cfg(not(feature = "charset"))]
pub(crate) fn text(_: &HeaderMap, body: &[u8]) -> String {
    String::from_utf8_lossy(body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)).into_owned()
}

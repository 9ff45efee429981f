//! `WWW-Authenticate: Cargo login_url="…"` (Cargo book, "Registry Authentication").

use http::HeaderMap;
use http::header::WWW_AUTHENTICATE;

/// The URL at which a token is to be had, when one of the challenges is cargo's and says so.
pub(crate) fn login_url(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(WWW_AUTHENTICATE).iter().filter_map(|line| line.to_str().ok());
    lines.into_iter().find_map(of_line)
}

/// Scheme and name are case-insensitive (RFC 9110 §11.1, §11.2). The URL ends at its quote; a URL has no quoted pairs.
fn of_line(line: &str) -> Option<String> {
    let lower = line.to_ascii_lowercase();
    let scheme = lower.match_indices("cargo").map(|(at, _)| at).find(|at| begins_scheme(line, *at))?;
    let name = scheme + lower[scheme..].find("login_url")?;
    let value = line[name + "login_url".len()..].trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
    Some(value[..value.find('"')?].to_owned()).filter(|url| !url.is_empty())
}

/// Whether `cargo` at this place is a scheme: at the start or after a comma, and followed by a blank.
fn begins_scheme(line: &str, at: usize) -> bool {
    let before = line[..at].trim_end();
    (before.is_empty() || before.ends_with(',')) && line[at + "cargo".len()..].starts_with([' ', '\t'])
}

//! The grammar of the marker: which commit titles ask for a release.
//!
//! Only the title counts. A body that quotes the marker once ran a release by accident; so did a revert.

use regex::Regex;
use std::sync::LazyLock;

/// The marker.
pub(crate) const MARKER: &str = "[release]";

static MERGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^Merge pull request #\d+ from \S+$").expect("the pattern is constant"));

static BRACKETED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\[[^\[\]]*\]").expect("the pattern is constant"));

/// What the message of a commit says about a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The title carries the marker.
    Marked,
    /// It does not. The line of the body that holds one, counted from 1 at the subject, is told and does not count.
    Unmarked {
        /// That line.
        in_body: Option<usize>,
    },
    /// The title holds something that was meant as the marker, or a marker that is not its own: this.
    Malformed(String),
}

/// The title of a commit: its subject, or what the pull request was called when the subject only says that one was merged.
pub fn title(message: &str) -> &str {
    message.lines().nth(title_line(message)).unwrap_or_default().trim()
}

/// Reads the marker in the message of a commit, or in the title of a pull request.
pub fn mark(message: &str) -> Mark {
    let (title, broken_off) = unquoted(without_number(title(message)));
    // What another commit is called, or stands in a quotation that was cut off, asks for nothing by itself.
    let is_borrowed = ["fixup!", "squash!", "amend!"].iter().any(|order| title.trim_start().starts_with(order));
    let (own, borrowed) = title.split_at(if is_borrowed { 0 } else { broken_off.unwrap_or(title.len()) });
    let tokens: Vec<_> = title.split_whitespace().collect();
    if own.split_whitespace().next() == Some(MARKER) || (borrowed.is_empty() && tokens.last() == Some(&MARKER)) {
        return Mark::Marked;
    }
    if borrowed.contains(MARKER) {
        return Mark::Malformed(borrowed.trim().to_owned());
    }
    if let Some(near) = near_miss(&title) {
        return Mark::Malformed(near);
    }
    let after = title_line(message) + 1;
    let in_body = message.lines().enumerate().skip(after).find(|(_, line)| line.contains(MARKER));
    Mark::Unmarked { in_body: in_body.map(|(at, _)| at + 1) }
}

/// The number of the pull request that a title ends with, as in `(#12)`.
pub fn number(title: &str) -> Option<&str> {
    let number = title.trim_end().strip_suffix(')')?.rsplit_once(" (")?.1;
    let digits = number.strip_prefix('#')?;
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Which line of `message` is the title.
fn title_line(message: &str) -> usize {
    let mut filled = message.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((subject, text)) = filled.next() else { return 0 };
    match filled.next() {
        Some((body, _)) if MERGE.is_match(text.trim_end()) => body,
        _ => subject,
    }
}

fn without_number(title: &str) -> &str {
    match number(title) {
        Some(number) => {
            title.trim_end().trim_end_matches(')').trim_end_matches(number).trim_end_matches('(').trim_end()
        }
        None => title,
    }
}

/// `title` with each quoted or backticked span replaced by one quotation mark, so that what was glued to it stays glued;
/// and where in it a quotation begins that never ends.
///
/// Quotations nest: `Revert "Revert "x [release]""` says nothing of its own.
fn unquoted(title: &str) -> (String, Option<usize>) {
    let chars: Vec<_> = title.chars().collect();
    let (mut left, mut broken_off) = (String::new(), None);
    let mut at = 0;
    while at < chars.len() {
        let end = match chars[at] {
            '`' => chars[at + 1..].iter().position(|next| *next == '`').map(|length| at + 1 + length),
            '"' => closing_quote(&chars, at),
            _ => None,
        };
        // An inch or a mark that stands alone begins no quotation.
        let begins_word = begins(&chars, at) && chars.get(at + 1).is_some_and(|next| !next.is_whitespace());
        if end.is_none() && ['"', '`'].contains(&chars[at]) && begins_word {
            broken_off = broken_off.or(Some(left.len()));
        }
        left.push(if end.is_some() { '"' } else { chars[at] });
        at = end.unwrap_or(at) + 1;
    }
    (left, broken_off)
}

/// Whether a word begins at a place.
fn begins(chars: &[char], at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| chars[before].is_whitespace() || chars[before] == '(')
}

/// Where the quotation that opens at `open` ends.
fn closing_quote(chars: &[char], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut opened = false;
    for (at, char) in chars.iter().enumerate().skip(open) {
        let can_open = at == open || opened || begins(chars, at);
        let can_close = chars.get(at + 1).is_none_or(|next| next.is_whitespace());
        opened = *char == '"' && can_open && !(at > open && can_close);
        match char {
            '"' if opened => depth += 1,
            '"' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// What in `title` was meant as the marker and is not: in other letters, spaced, glued to a word, or in the middle.
fn near_miss(title: &str) -> Option<String> {
    let meant = |text: &str| {
        let letters: String = text.chars().filter(|char| !char.is_whitespace()).collect();
        letters.eq_ignore_ascii_case(MARKER)
    };
    let found = BRACKETED.find_iter(title).find(|found| meant(found.as_str()))?;
    let start = title[..found.start()].rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = title[found.end()..].find(char::is_whitespace).map_or(title.len(), |at| found.end() + at);
    Some(title[start..end].to_owned())
}

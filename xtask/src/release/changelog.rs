//! The grammar of changelog.txt: sections `1.1.0 - 30 Nov 2026` with bullets, newest first.

use super::version;
use jiff::civil::Date;
use regex::Regex;
use semver::Version;
use std::sync::LazyLock;

/// What a bullet begins with that tells users to change something.
pub(crate) const BEHAVIOUR: &str = "BEHAVIOUR CHANGE:";

/// Other ways to write it: with a colon in any letters, shouted without one, or in bold.
static MISSPELLED: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [
        r"(?i)^[*_`\[]*\s*beh\w{0,9}[\s_-]*cha\w{0,5}[*_`\]]*\s*:",
        r"^[*_`\[]*BEH[A-Z]{2,8}[\s_-]*CHANGES?\b",
        r"(?i)^(?:\*\*|__|\*|_|`|\[)behaviou?r[\s_-]*changes?\b",
    ]
    .map(|form| Regex::new(form).expect("the pattern is constant"))
});

/// One section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// The line of its header, counted from 1.
    pub line: usize,
    /// What stands where the version belongs.
    pub version: &'a str,
    /// What stands where the date belongs.
    pub date: Option<&'a str>,
    /// Its bullets without the dash, each with its line.
    pub bullets: Vec<(usize, &'a str)>,
    /// Its lines below the header, without blank lines around them.
    pub body: String,
}

/// The sections of a changelog, as they stand.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if let Some((version, date)) = header(line) {
            sections.push(Section { line: at + 1, version, date, bullets: Vec::new(), body: String::new() });
        } else if let Some(section) = sections.last_mut() {
            let text = line.trim();
            if let Some(bullet) = text.strip_prefix("- ").or(text.strip_prefix("* ")) {
                section.bullets.push((at + 1, bullet.trim_start()));
            }
            section.body.push_str(line.trim_end());
            section.body.push('\n');
        }
    }
    for section in &mut sections {
        section.body = section.body.trim_matches('\n').to_owned();
    }
    sections
}

/// The section of `version`.
pub fn section<'a>(text: &'a str, version: &Version) -> Option<Section<'a>> {
    sections(text).into_iter().find(|section| version::states(Some(section.version), version))
}

/// The date `6 Apr 2026`; `None` when it is written otherwise or does not exist.
pub fn date(text: &str) -> Option<Date> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let parts: Vec<_> = text.split(' ').collect();
    let [day, month, year] = parts.as_slice() else { return None };
    let digits = |text: &str, least, most| {
        (least..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(day, 1, 2) || !digits(year, 4, 4) {
        return None;
    }
    let month = MONTHS.iter().position(|name| name == month)? + 1;
    Date::new(year.parse().ok()?, i8::try_from(month).ok()?, day.parse().ok()?).ok()
}

/// Whether a bullet tells users anything: more than dots, or that it is to be written.
pub fn says_something(bullet: &str) -> bool {
    let text = bullet.strip_prefix(BEHAVIOUR).unwrap_or(bullet);
    let words: Vec<_> = text.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    !matches!(words.as_slice(), [] | ["TBD" | "tbd" | "TODO" | "todo" | "Unreleased" | "unreleased"])
}

/// Whether a bullet begins with what was meant as `BEHAVIOUR CHANGE:` and is written otherwise.
pub fn misspells_behaviour(bullet: &str) -> bool {
    if bullet.starts_with(BEHAVIOUR) {
        return false;
    }
    MISSPELLED.iter().any(|form| form.is_match(bullet))
}

/// Version and date of a header: a line that begins with a version, or with a word that stands for one to come.
fn header(line: &str) -> Option<(&str, Option<&str>)> {
    let line = line.trim_end();
    let first = line.split([' ', '\t']).next()?;
    let to_come = ["unreleased", "[unreleased]", "tbd"].contains(&first.to_ascii_lowercase().as_str());
    let bare = first.strip_prefix('v').unwrap_or(first);
    let is_version = bare.starts_with(|first: char| first.is_ascii_digit()) && bare.contains('.');
    if !to_come && !is_version {
        return None;
    }
    let rest = line[first.len()..].trim_start();
    Some((first, rest.strip_prefix('-').map(str::trim_start).or((!rest.is_empty()).then_some(rest))))
}

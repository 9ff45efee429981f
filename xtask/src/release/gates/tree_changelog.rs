//! Whether the changelog speaks of the version, and when.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::Case,
    changelog::{BEHAVIOUR, Section, date, misspells_behaviour, says_something, sections},
};
use jiff::ToSpan;

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-CHANGELOG-SECTION",
        exit: 30,
        reads: "changelog.txt",
        fails: "its first section is not VERSION's, VERSION has two, it has no bullet that says anything, or one is Unreleased or TBD",
        fix: "begin changelog.txt with \"VERSION - D Mon YYYY\" and a line \"- what users notice\"",
        check: Some(has_section),
    },
    Gate {
        code: "E-CHANGELOG-DATE",
        exit: 30,
        reads: "the date of VERSION's section",
        fails: "it is not written `D Mon YYYY`, does not exist, lies after tomorrow, or before the section below",
        fix: "write the day of the release, as in 6 Apr 2026",
        check: Some(has_date),
    },
    Gate {
        code: "E-CHANGELOG-ORDER",
        exit: 30,
        reads: "the bullets of VERSION's section",
        fails: "a `- BEHAVIOUR CHANGE:` stands after another bullet, or is written otherwise",
        fix: "move it to the top, and write it exactly \"- BEHAVIOUR CHANGE:\"",
        check: Some(has_order),
    },
];

fn has_section(case: &Case<'_>) -> Vec<Finding> {
    let Some(version) = &case.version else { return Vec::new() };
    let Some(text) = &case.facts.tree.changelog else { return vec![Finding::new("changelog.txt is missing")] };
    let sections = sections(text);
    let version = version.to_string();
    let mut findings = Vec::new();
    match sections.first() {
        None => findings.push(Finding::new(format!("VERSION {version}, changelog.txt has no section"))),
        Some(first) if first.version != version => {
            findings.push(Finding::new(format!("VERSION {version}, changelog.txt begins with {}", first.version)));
        }
        Some(first) if !first.bullets.iter().any(|(_, bullet)| says_something(bullet)) => {
            findings.push(Finding::new(format!("the {version} section of changelog.txt says nothing")));
        }
        Some(_) => {}
    }
    for twin in sections.iter().filter(|section| section.version == version).skip(1) {
        findings.push(Finding::new(format!("line {} begins a second {version} section", twin.line)));
    }
    let open = sections.iter().find(|section| is_open(section.version) || section.date.is_some_and(is_open));
    findings.extend(open.map(|open| Finding::new(format!("line {} leaves a section open", open.line))));
    findings
}

fn is_open(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["unreleased", "tbd"].iter().any(|open| word.contains(open))
}

fn has_date(case: &Case<'_>) -> Vec<Finding> {
    let Some((section, previous)) = section(case) else { return Vec::new() };
    let version = section.version;
    let Some(stated) = section.date else {
        return vec![Finding::new(format!("the {version} section has no date"))];
    };
    let Some(day) = date(stated) else {
        return vec![Finding::new(format!("\"{stated}\" of the {version} section is not a date D Mon YYYY"))];
    };
    let tomorrow = case.facts.today.saturating_add(1.day());
    let mut findings =
        when(day > tomorrow, || Finding::new(format!("{stated} of the {version} section is yet to come")));
    if let Some((before, day_before)) = previous.and_then(|section| Some((section.version, date(section.date?)?))) {
        findings.extend(when(day < day_before, || {
            Finding::new(format!("{version} of {stated} is older than {before}, the section below"))
        }));
    }
    findings
}

fn has_order(case: &Case<'_>) -> Vec<Finding> {
    let Some((section, _)) = section(case) else { return Vec::new() };
    let mut findings = Vec::new();
    let mut led = true;
    for (line, bullet) in &section.bullets {
        if misspells_behaviour(bullet) {
            findings.push(Finding::new(format!("line {line} is to begin with \"- {BEHAVIOUR}\"")));
        }
        if !bullet.starts_with(BEHAVIOUR) {
            led = false;
        } else if !led {
            findings.push(Finding::new(format!("line {line} must lead the {} section", section.version)));
        }
    }
    findings
}

/// The section of VERSION and the one below it.
fn section<'a>(case: &Case<'a>) -> Option<(Section<'a>, Option<Section<'a>>)> {
    let version = case.version.as_ref()?.to_string();
    let mut sections = sections(case.facts.tree.changelog.as_ref()?).into_iter();
    let found = sections.find(|section| section.version == version)?;
    Some((found, sections.next()))
}

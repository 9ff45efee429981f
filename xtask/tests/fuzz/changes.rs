//! Titles of changes, and the changelog.

use bolero::check;
use xtask::release::{date, mark, sections, title as title_of};

use crate::support::{numbers, text};

const TITLES: &[&str] = &[
    "[release]",
    "[RELEASE]",
    "[ release ]",
    "release",
    "[",
    "]",
    "`",
    "\"",
    "'",
    " ",
    " ",
    "Ship it",
    "\n",
    "\n\n",
    "Revert ",
    "fixup! ",
    "Merge pull request #7 from a/b",
    "(#12)",
    "x",
    "\u{200b}",
    "\u{feff}",
    "\r\n",
];

const LINES: &[&str] = &[
    "\n",
    "\n",
    "0.1.0",
    "1.0.0-rc.1",
    " - ",
    "30 Nov 2026",
    "31 Feb 2026",
    "- ",
    "* ",
    "BEHAVIOUR CHANGE:",
    "**Behaviour change**:",
    "text",
    " ",
    "\u{feff}",
    "\r\n",
    "Unreleased",
    "# ",
];

/// The title alone decides, wherever it stands, and is part of what was written.
#[test]
fn title() {
    check!().with_generator((numbers(12), numbers(8))).for_each(|(numbers, body)| {
        let message = text(numbers, TITLES);
        let title = title_of(&message);
        assert!(message.contains(title) && title.lines().count() <= 1, "{message:?}");
        if !title.is_empty() && !title.starts_with("Merge pull request") {
            let longer = format!("{title}\n\n{}", text(body, TITLES));
            let kind = |text: &str| std::mem::discriminant(&mark(text));
            assert_eq!(kind(title), kind(&longer), "{longer:?}");
        }
    });
}

/// Sections stand in the order of the file, and their bullets below them.
#[test]
fn changelog_sections() {
    check!().with_generator(numbers(30)).for_each(|numbers| {
        let written = text(numbers, LINES);
        let read = sections(&written);
        assert!(read.is_sorted_by_key(|section| section.line), "{written:?}");
        for section in &read {
            assert!(section.line <= written.lines().count(), "{written:?}");
            assert!(section.bullets.iter().all(|(line, _)| *line > section.line), "{written:?}");
            section.date.map(date);
        }
    });
}

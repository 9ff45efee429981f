//! Colours, each named after what it says. Printed through `anstream`, which drops them where nobody sees colours.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};

const GOOD: Style = AnsiColor::Green.on_default();
const CAREFUL: Style = AnsiColor::Yellow.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const STRONG: Style = Style::new().bold();
const QUIET: Style = Style::new().dimmed();

pub(crate) fn good(text: impl Display) -> String {
    painted(GOOD, text)
}

pub(crate) fn careful(text: impl Display) -> String {
    painted(CAREFUL, text)
}

pub(crate) fn bad(text: impl Display) -> String {
    painted(BAD, text)
}

pub(crate) fn strong(text: impl Display) -> String {
    painted(STRONG, text)
}

pub(crate) fn quiet(text: impl Display) -> String {
    painted(QUIET, text)
}

fn painted(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

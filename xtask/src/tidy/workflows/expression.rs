//! Expressions in workflows: `${{ … }}`, read as far as is needed to know what they name.
//!
//! Source: "Evaluate expressions in workflows and actions" of the host's documentation.

use regex::Regex;
use std::sync::LazyLock;

static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x) \s+ | (?P<text> '(?:[^']|'')*' ) | (?P<number> -?[0-9]+(?:\.[0-9]+)? ) | (?P<open> \( ) | (?P<close> \) )
        | (?P<operator> == | != | <= | >= | && | \|\| | < | > | ! | , )
        | (?P<word> [A-Za-z_][\w-]* (?: \.(?:\*|[A-Za-z_][\w-]*) )* )",
    )
    .expect("the pattern is constant")
});

const FUNCTIONS: [&str; 12] = [
    "always",
    "cancelled",
    "contains",
    "endsWith",
    "failure",
    "format",
    "fromJSON",
    "hashFiles",
    "join",
    "startsWith",
    "success",
    "toJSON",
];

/// The insides of all braces of a text, or what is wrong with one.
pub(super) fn expressions(text: &str) -> Vec<Result<String, String>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("${{") {
        let inside = &rest[start + 3..];
        let line = inside.lines().next().unwrap_or_default();
        match line.find("}}") {
            Some(end) => found.push(Ok(line[..end].trim().to_owned())),
            None => found.push(Err(format!("${{{{{line} has no end"))),
        }
        rest = inside;
    }
    found
}

/// The paths that an expression reads, as in `github.event_name`.
///
/// # Errors
/// When it is none: a sign that does not belong, a parenthesis without its twin, two values in a row, or no function.
pub(super) fn context_of(expression: &str) -> Result<Vec<String>, String> {
    let wrong = |what: &str| Err(format!("{expression:?}: {what}"));
    let (mut paths, mut depth, mut at) = (Vec::new(), 0_usize, 0);
    let mut is_value_before = false;
    while at < expression.len() {
        let Some(token) =
            TOKEN.captures_at(expression, at).filter(|token| token.get(0).is_some_and(|all| all.start() == at))
        else {
            return wrong(&format!("{:?} does not belong there", &expression[at..]));
        };
        at += token[0].len();
        let is_called = expression[at..].starts_with('(');
        let is_value = token.name("text").or(token.name("number")).or(token.name("word")).is_some();
        if is_value && is_value_before {
            return wrong(&format!("no operator before {}", &token[0]));
        }
        match token.name("word").map(|word| word.as_str()) {
            Some(word) if is_called && !FUNCTIONS.contains(&word) => return wrong(&format!("{word} is no function")),
            Some("true" | "false" | "null") => {}
            Some(word) if !is_called => paths.push(word.to_owned()),
            Some(_) | None => {}
        }
        if token.name("open").is_some() {
            depth += 1;
        }
        if token.name("close").is_some() {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return wrong("a parenthesis is closed that was not opened"),
            }
        }
        if !token[0].trim().is_empty() {
            is_value_before = (is_value && !is_called) || token.name("close").is_some();
        }
    }
    match (depth, is_value_before) {
        (0, true) => Ok(paths),
        (0, false) => wrong("it ends before it says something"),
        _ => wrong("a parenthesis is not closed"),
    }
}

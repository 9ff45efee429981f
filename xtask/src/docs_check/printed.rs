//! Whether a command printed what its document says.
//!
//! Two signs leave room, and both mean to a reader what they mean here: `…` stands for what is left out, within a line or
//! as a line of its own for any number of lines, and `≈` stands before a figure that differs from machine to machine.

use regex::Regex;

/// Where `printed` is not what `shown` says, or `None` where it is. Spaces at the end of a line do not count.
pub fn differs(shown: &str, printed: &str) -> Option<String> {
    let pattern = format!("^{}$", pattern(shown.trim_end()));
    let printed = trimmed(printed);
    match Regex::new(&pattern) {
        Ok(regex) if regex.is_match(&printed) => None,
        Ok(_) => Some(first_difference(shown.trim_end(), &printed)),
        Err(error) => Some(format!("what is shown cannot be compared: {error}")),
    }
}

fn trimmed(text: &str) -> String {
    text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn pattern(shown: &str) -> String {
    let lines: Vec<_> = shown.lines().map(|line| line_pattern(line.trim_end())).collect();
    lines.join("\n").replace("\n(?s:.*)\n", "\n(?s:(?:.*\n)?)").replace("\n(?s:.*)", "(?s:\n.*)?")
}

fn line_pattern(line: &str) -> String {
    if line.trim() == "…" {
        return "(?s:.*)".to_owned();
    }
    let escaped = regex::escape(line).replace('…', ".*");
    // A figure of another length moves the spaces around it.
    let mut parts = escaped.split('≈');
    let mut pattern = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\\'));
        pattern = format!("{} *[0-9][0-9.,]* *{}", pattern.trim_end(), rest.trim_start());
    }
    pattern
}

fn first_difference(shown: &str, printed: &str) -> String {
    let matches = |shown: &str, printed: &str| {
        Regex::new(&format!("^{}$", line_pattern(shown.trim_end()))).is_ok_and(|regex| regex.is_match(printed))
    };
    let mut printed = printed.lines();
    for line in shown.lines() {
        match printed.next() {
            Some(_) if line.trim() == "…" => break,
            Some(other) if matches(line, other) => {}
            Some(other) => return format!("it prints {other:?} where {line:?} stands"),
            None => return format!("it prints nothing where {line:?} stands"),
        }
    }
    match printed.next() {
        Some(more) => format!("it prints {more:?} too, which is not shown"),
        None => "it prints something else".to_owned(),
    }
}

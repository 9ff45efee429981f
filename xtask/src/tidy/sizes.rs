//! How long files are.

use crate::tree::Tree;

const LONGEST: usize = 400;
const MEDIAN_BELOW: usize = 250;

/// No Rust file over 400 lines.
pub(super) fn no_long_file(tree: &Tree) -> Vec<String> {
    let long = tree.rust().map(|(path, text)| (path, text.lines().count())).filter(|(_, lines)| *lines > LONGEST);
    long.map(|(path, lines)| format!("{path}: {lines} lines; at most {LONGEST}, one idea a file")).collect()
}

/// No median of 250 lines or more.
pub(super) fn no_high_median(tree: &Tree) -> Vec<String> {
    let mut lines: Vec<_> = tree.rust().map(|(_, text)| text.lines().count()).collect();
    lines.sort_unstable();
    match lines.get(lines.len() / 2) {
        Some(median) if *median >= MEDIAN_BELOW => {
            vec![format!("the median Rust file has {median} lines; it must have fewer than {MEDIAN_BELOW}")]
        }
        _ => Vec::new(),
    }
}

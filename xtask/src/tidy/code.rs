//! Code that is not finished, or hides that it is not right.

use crate::{
    tokens::{find, tokens},
    tree::Tree,
};

/// What may stand nowhere, tests included: the tokens, how to call them, and what to write instead.
const NOWHERE: [(&[&str], &str, &str); 6] = [
    (&["todo", "!"], "todo!", "write what is missing"),
    (&["unimplemented", "!"], "unimplemented!", "write what is missing"),
    (&["dbg", "!"], "dbg!", "remove it"),
    (&["#", "[", "ignore"], "#[ignore]", "a test runs or does not exist"),
    (&["#", "[", "allow"], "#[allow(…)]", "write #[expect(…, reason = \"…\")]"),
    (&["#", "!", "[", "allow"], "#![allow(…)]", "write #![expect(…, reason = \"…\")]"),
];

/// No file that cannot be read as Rust; the other checks pass over it.
pub(super) fn no_unreadable_rust(tree: &Tree) -> Vec<String> {
    tree.rust().filter_map(|(path, text)| Some(format!("{path}: {}", tokens(text).err()?))).collect()
}

/// No code that is unfinished, skipped or silenced.
pub(super) fn no_unfinished_or_silenced_code(tree: &Tree) -> Vec<String> {
    let files = tree.rust().map(|(path, text)| places(path, text, &NOWHERE));
    files.flatten().collect()
}

/// No `unwrap()` in the sources of a crate.
pub(super) fn no_unwrap_in_sources(tree: &Tree) -> Vec<String> {
    const UNWRAP: [(&[&str], &str, &str); 1] =
        [(&[".", "unwrap", "(", ")"], "unwrap()", "return the error, or write expect(\"why it holds\")")];
    let files = tree.members.iter().flat_map(|member| tree.sources(member));
    files.flat_map(|(path, text)| places(path, text, &UNWRAP)).collect()
}

fn places(path: &str, text: &str, patterns: &[(&[&str], &str, &str)]) -> Vec<String> {
    let tokens = tokens(text).unwrap_or_default();
    let mut found = Vec::new();
    for (pattern, name, right) in patterns {
        for at in find(&tokens, pattern) {
            found.push(format!("{path}:{}: {name} stands here; {right}", tokens[at].line));
        }
    }
    found
}

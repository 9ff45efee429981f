//! What the consumers of the client do not know.

use crate::{
    floors::{CONSUMER_FLOOR, floor},
    tree::Tree,
};

const WORDS: [&str; 5] = ["retry", "retries", "retried", "backoff", "back-off"];

/// No word of retrying in a consumer's sources, comments included: it inherits the default and holds no setting.
pub(super) fn no_word_of_retrying(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in tree.members.iter().filter(|member| floor(&member.name) == Some(CONSUMER_FLOOR)) {
        for (path, text) in tree.sources(member) {
            for (at, line) in text.lines().enumerate() {
                let line = line.to_lowercase();
                if let Some(word) = WORDS.iter().find(|word| line.contains(*word)) {
                    found.push(format!(
                        "{path}:{}: says {word:?}; {} inherits the client's default",
                        at + 1,
                        member.name
                    ));
                }
            }
        }
    }
    found
}

//! What the targets share.

use bolero::generator::{ValueGenerator, produce};

/// Numbers, each of which stands for a word of [`text`].
pub(crate) fn numbers(most: usize) -> impl ValueGenerator<Output = Vec<u8>> {
    produce::<Vec<u8>>().with().len(0..most)
}

/// A text made of `words`, so that most inputs reach beyond the first character, and of others that nobody thought of.
pub(crate) fn text(numbers: &[u8], words: &[&str]) -> String {
    let word = |number: &u8| match usize::from(*number) {
        // A quarter of them.
        other @ 192.. => char::from_u32((other as u32 - 192) * 37).unwrap_or('\u{fffd}').to_string(),
        number => words[number % words.len()].to_owned(),
    };
    numbers.iter().map(word).collect()
}

/// A text that a header field can hold.
pub(crate) fn field(numbers: &[u8], words: &[&str]) -> String {
    text(numbers, words).replace(|c: char| c.is_control() && c != '\t', "")
}

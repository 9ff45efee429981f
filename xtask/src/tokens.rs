//! Rust text as a flat list of tokens, so that comments and string literals never pass for code.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// One token: a name, a literal, a single punctuation character, or an opening or closing bracket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The token as written.
    pub(crate) text: String,
    /// The line it starts on, counted from 1.
    pub(crate) line: usize,
}

/// The tokens of `source` outside of `#[cfg(test)] mod … { }`.
///
/// # Errors
/// One sentence when brackets or quotes do not match.
pub(crate) fn tokens(source: &str) -> Result<Vec<Token>, String> {
    let stream: TokenStream = source.parse().map_err(|error| format!("cannot be read as Rust: {error}"))?;
    let mut flat = Vec::new();
    flatten(stream, &mut flat);
    Ok(flat)
}

/// Where `pattern` stands in `tokens`: the index of the first token of each occurrence.
pub(crate) fn find<'a>(tokens: &'a [Token], pattern: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
    let same = |window: &[Token]| window.iter().map(|token| token.text.as_str()).eq(pattern.iter().copied());
    tokens.windows(pattern.len()).enumerate().filter(move |(_, window)| same(window)).map(|(at, _)| at)
}

fn flatten(stream: TokenStream, flat: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) if is_test_module(&group, flat) => {}
            TokenTree::Group(group) => flatten_group(&group, flat),
            TokenTree::Ident(name) => flat.push(Token { text: name.to_string(), line }),
            TokenTree::Punct(mark) => flat.push(Token { text: mark.as_char().to_string(), line }),
            TokenTree::Literal(literal) => flat.push(Token { text: literal.to_string(), line }),
        }
    }
}

fn flatten_group(group: &Group, flat: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    flat.push(Token { text: open.to_owned(), line: group.span_open().start().line });
    flatten(group.stream(), flat);
    flat.push(Token { text: close.to_owned(), line: group.span_close().start().line });
}

/// Whether `before` ends with `#[cfg(test)] mod NAME`, so that `group` is the body of a test module.
fn is_test_module(group: &Group, before: &[Token]) -> bool {
    const HEAD: [&str; 8] = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let Some(name) = before.len().checked_sub(1) else { return false };
    let Some(start) = name.checked_sub(HEAD.len()) else { return false };
    group.delimiter() == Delimiter::Brace && find(&before[start..name], &HEAD).next().is_some()
}

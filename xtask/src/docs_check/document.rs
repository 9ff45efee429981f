//! A document as its reader sees it: blocks in fences, and commands and settings in the text.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What a document shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// Its path from the root, as in `docs/SETTINGS.md`.
    pub path: String,
    /// Its fenced blocks, in order.
    pub blocks: Vec<Block>,
    /// The commands in its text, in order.
    pub commands: Vec<Inline>,
    /// The settings in its text, in order, as in `max_attempts = 3`.
    pub settings: Vec<Inline>,
    /// How many lines it has.
    pub lines: usize,
}

/// One fenced block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The line of its opening fence, counted from 1.
    pub line: usize,
    /// The first word after the fence; empty when there is none.
    pub language: String,
    /// What stands between the fences.
    pub text: String,
}

/// A piece of code in the text, as in `cargo xtask tidy`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// Its line, counted from 1.
    pub line: usize,
    /// What stands between the quotes.
    pub code: String,
}

/// A command of a `text` block with what the document says that it prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The line of the command, counted from 1.
    pub line: usize,
    /// The command, without the `$`.
    pub command: String,
    /// What stands below it.
    pub output: String,
}

impl Document {
    /// Reads Markdown.
    pub fn read(path: &str, text: &str) -> Self {
        let mut document = Self { path: path.to_owned(), lines: text.lines().count(), ..Self::default() };
        let mut open: Option<Block> = None;
        // In a table a `|` within code is written `\|`, which only a reader of tables knows.
        for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = text[..range.start].matches('\n').count() + 1;
            match (event, &mut open) {
                (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))), _) => {
                    let language = info.split([',', ' ']).next().unwrap_or_default().to_owned();
                    open = Some(Block { line, language, text: String::new() });
                }
                (Event::Text(text), Some(block)) => block.text.push_str(&text),
                (Event::End(TagEnd::CodeBlock), _) => document.blocks.extend(open.take()),
                (Event::Code(code), _) if is_ours(&code) => {
                    document.commands.push(Inline { line, code: code.into_string() });
                }
                (Event::Code(code), _) if is_setting(&code) => {
                    document.settings.push(Inline { line, code: code.into_string() });
                }
                _ => {}
            }
        }
        document
    }
}

/// Whether a piece of inline code is a command whose words this repository answers for.
fn is_ours(code: &str) -> bool {
    matches!(code.split_once(' '), Some(("cargo" | "httpx", _)))
}

/// Whether it says `key = value`.
fn is_setting(code: &str) -> bool {
    let is_key = |key: &str| key.chars().all(|letter| letter.is_ascii_lowercase() || matches!(letter, '_' | '.'));
    code.split_once(" = ").is_some_and(|(key, _)| is_key(key))
}

impl Block {
    /// The commands of a `text` block, each with what it is said to print; none in a block that does not begin with one.
    pub fn shown(&self) -> Vec<Shown> {
        let mut shown: Vec<Shown> = Vec::new();
        if !matches!(self.language.as_str(), "text" | "") || !self.text.starts_with("$ ") {
            return shown;
        }
        for (line, text) in (self.line + 1..).zip(self.text.lines()) {
            match (text.strip_prefix("$ "), shown.last_mut()) {
                (Some(command), _) => {
                    shown.push(Shown { line, command: command.to_owned(), output: String::new() });
                }
                (None, Some(last)) => last.output.extend([text, "\n"]),
                (None, None) => {}
            }
        }
        shown
    }
}

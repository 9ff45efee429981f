//! A part of a document that is printed by a program, between two marks.

/// The lines around the part called `name`.
pub(crate) fn marks(name: &str) -> [String; 2] {
    ["begin", "end"].map(|edge| format!("<!-- {name}: {edge} -->"))
}

/// `text` with `part` between the marks of `name`, or `None` when a mark is missing.
pub(crate) fn renewed(text: &str, name: &str, part: &str) -> Option<String> {
    let [begin, end] = marks(name);
    let (before, rest) = text.split_once(&format!("{begin}\n"))?;
    let (_, after) = rest.split_once(&end)?;
    // Markdown shows a table only after the comment when a blank line parts them.
    Some(format!("{before}{begin}\n\n{}\n\n{end}{after}", part.trim_end()))
}

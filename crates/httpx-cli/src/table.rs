//! What all tables have in common: a line below the head, and no other.

use comfy_table::{Attribute, Cell, ContentArrangement, LineStyle, Table, TableStyle};

const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// How wide a table is that does not know its terminal.
const WIDTH: u16 = 110;

/// A table as wide as what is in it.
pub(crate) fn natural(head: impl IntoIterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
    // Printed through `anstream`, which knows better than a table whether anybody sees colours.
    table.force_no_tty().enforce_styling();
    table.style_text_only();
    table.set_header(head.into_iter().map(|name| Cell::new(name).add_attribute(Attribute::Bold)));
    table
}

/// A table whose long texts are wrapped, so that it fits the terminal.
pub(crate) fn wrapped(head: impl IntoIterator<Item = String>) -> Table {
    let width = Table::new().width().unwrap_or(WIDTH);
    let mut table = natural(head);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    table
}

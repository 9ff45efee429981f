//! Whether httpx costs no more than CI lets pass.

use super::{
    lines::{BOUND, FETCHING, LINES, Line},
    sheet::Sheet,
};

/// One sentence for each ceiling that does not hold.
pub fn exceeded(sheet: &Sheet) -> Vec<String> {
    // Where valgrind is missing the lines of instructions are empty, and nothing else may be.
    let is_counted = sheet.get("get", BOUND, "instructions").is_some();
    let (fetching, fetched) = &FETCHING;
    let bound = LINES.iter().map(|line| (line, BOUND)).chain([(fetched, *fetching)]);
    bound.filter_map(|(line, worker)| over(line, sheet, worker, is_counted)).collect()
}

fn over(line: &Line, sheet: &Sheet, worker: &str, is_counted: bool) -> Option<String> {
    let (title, digits) = (line.title, line.digits);
    let ceiling = line.target?.ceiling();
    match (line.value)(sheet, worker) {
        Some(value) if value <= ceiling => None,
        Some(value) => Some(format!("{title}: {value:.digits$} where at most {ceiling:.digits$} are allowed")),
        None if line.needs_instructions() && !is_counted => None,
        None => Some(format!("{title}: {worker} was not measured")),
    }
}

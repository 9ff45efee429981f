//! What was measured in one cell, for programs.

use std::error::Error;

use serde::Serialize;

/// One call. All times in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Record {
    pub(super) policy: &'static str,
    pub(super) fault: String,
    pub(super) method: String,
    /// How often the server was contacted, as it saw itself.
    pub(super) contacts: u64,
    /// How often the client tried, as it says.
    pub(super) attempts: usize,
    /// Of a complete answer.
    pub(super) status: Option<u16>,
    /// The kind of failure, when there is no complete answer.
    pub(super) error: Option<&'static str>,
    /// Whether the server saw the last attempt, when it failed.
    pub(super) sent: Option<&'static str>,
    pub(super) wall_ms: u64,
    /// The limit of one attempt, or of its silence where the client that the policy is taken from has that.
    pub(super) timeout_ms: u64,
    /// As many attempts as there may be, times that limit.
    pub(super) bound_ms: u64,
    /// How often the server acted on the operation.
    pub(super) applied: u64,
    /// How often more than once.
    pub(super) duplicates: u64,
    pub(super) stop_reason: String,
}

/// The two calls of one policy through one fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) get: &'a Record,
    pub(super) post: &'a Record,
}

/// The calls of `policy` through `fault`, if they were measured.
pub(super) fn pair<'a>(records: &'a [Record], policy: &str, fault: &str) -> Option<Pair<'a>> {
    let mut cells = records.iter().filter(|record| record.policy == policy && record.fault == fault);
    let get = cells.clone().find(|record| record.method == "GET")?;
    let post = cells.find(|record| record.method == "POST")?;
    Some(Pair { get, post })
}

/// An array, one cell a line.
pub(super) fn json(records: &[Record]) -> serde_json::Result<String> {
    let cells: Vec<_> = records.iter().map(serde_json::to_string).collect::<Result<_, _>>()?;
    Ok(format!("[\n{}\n]", cells.join(",\n")))
}

/// A head and one cell a line; what is not there is empty.
pub(super) fn csv(records: &[Record]) -> Result<String, Box<dyn Error>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.serialize(record)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

//! What real clients did: the golden data.

use std::collections::HashMap;

use http::Method;

use super::super::cell::Stands;
use crate::exit::Trouble;

const MEASURED: &str = include_str!("../../../data/measured.csv");

/// A client, run and counted.
#[derive(Clone, Debug)]
pub(super) struct Client {
    /// The preset that stands for it.
    pub(super) policy: String,
    /// Its name and version.
    pub(super) name: String,
    pub(super) limit: Stands,
    cells: HashMap<String, String>,
}

/// All clients, in the order of the file.
pub(super) fn clients() -> Result<Vec<Client>, Trouble> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(MEASURED.as_bytes());
    let rows = reader.deserialize::<HashMap<String, String>>();
    rows.map(|row| Ok(client(row.map_err(Trouble::failed)?))).collect()
}

fn client(mut cells: HashMap<String, String>) -> Client {
    let mut taken = |column| cells.remove(column).unwrap_or_default();
    let (policy, name) = (taken("policy"), taken("client"));
    let limit = match taken("limit").as_str() {
        "read" => Stands::Read,
        "call" => Stands::Call,
        _ => Stands::Request,
    };
    Client { policy, name, limit, cells }
}

impl Client {
    /// The cell as it was told.
    pub(super) fn told(&self, column: &str) -> &str {
        self.cells.get(column).map_or("·", String::as_str)
    }

    /// How many attempts the server saw; `None` where that was not measured.
    pub(super) fn contacts(&self, column: &str, method: &Method) -> Option<u64> {
        let told = self.told(column);
        let of_method = match told.split_once('/') {
            Some((get, _)) if *method == Method::GET => get,
            Some((_, post)) => post,
            None => told,
        };
        match of_method.strip_suffix('†') {
            // Three DNS queries an attempt.
            Some(queries) => queries.parse().ok().map(|queries: u64| queries / 3),
            None => of_method.trim_end_matches('H').parse().ok(),
        }
    }
}

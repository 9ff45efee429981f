//! The numbers as they were taken.

use std::collections::BTreeMap;

/// What was found out by name, about one call or about a crowd.
pub type Numbers = BTreeMap<String, f64>;

/// All numbers of a run.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    numbers: BTreeMap<(String, String), Numbers>,
}

impl Sheet {
    /// Keeps what `worker` told of the work called `key`.
    pub fn put(&mut self, key: &str, worker: &str, numbers: Numbers) {
        self.numbers.insert((key.to_owned(), worker.to_owned()), numbers);
    }

    /// One number, if it was taken.
    pub fn get(&self, key: &str, worker: &str, name: &str) -> Option<f64> {
        self.numbers.get(&(key.to_owned(), worker.to_owned()))?.get(name).copied()
    }
}

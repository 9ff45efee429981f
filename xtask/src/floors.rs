//! On which floor each crate stands. Arrows go down only.

/// Every crate of the workspace with its floor; the consumers stand here before they exist.
pub const FLOORS: &[(&str, u8)] = &[
    ("httpx-retry", 0),
    ("httpx-faults", 0),
    ("httpx-client", 1),
    ("httpx-storm", 1),
    ("httpx-cloudinfo", CONSUMER_FLOOR),
    ("httpx-registry", CONSUMER_FLOOR),
    ("httpx-plugin-repo", CONSUMER_FLOOR),
    ("httpx-bench", 3),
    ("httpx-cli", 3),
    ("xtask", 3),
];

/// The floor of the crates that inherit the client's default and set nothing of it.
pub const CONSUMER_FLOOR: u8 = 2;

/// The floor of the crate called `name`, or `None` when it has no row in [`FLOORS`].
pub fn floor(name: &str) -> Option<u8> {
    FLOORS.iter().find(|(known, _)| *known == name).map(|(_, floor)| *floor)
}

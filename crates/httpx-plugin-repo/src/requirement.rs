//! Which versions of Nextflow a release can run with.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::version::{NextflowVersion, compare_parts};

/// What a release requires of Nextflow: `>=24.04.4`, or several conditions parted by commas, all of which must hold.
///
/// Source: `CustomVersionManager` and `VersionNumber.matches` of Nextflow 02e23e1. A version alone is that version; `24.+`
/// is 24.0 and what follows within 24; nothing and `*` are every version. A snapshot is compared without its suffix, and so
/// is what it is compared with.
#[derive(Clone, Debug)]
pub struct Requirement {
    text: String,
    conditions: Vec<Condition>,
}

/// A text that requires nothing that can be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no requirement on Nextflow; it is like >=24.04.4")]
pub struct NoRequirement(pub String);

#[derive(Clone, Debug)]
struct Condition {
    operator: Operator,
    version: NextflowVersion,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    More,
    AtLeast,
    /// `24.04+`: at least its last part, and all parts before it the same.
    Within,
}

impl Requirement {
    /// Whether this version of Nextflow will do.
    #[must_use]
    pub fn matches(&self, nextflow: &NextflowVersion) -> bool {
        self.conditions.iter().all(|condition| {
            if nextflow.is_snapshot() {
                condition.operator.holds(&nextflow.plain(), &condition.version.plain())
            } else {
                condition.operator.holds(nextflow, &condition.version)
            }
        })
    }
}

impl Operator {
    fn holds(self, nextflow: &NextflowVersion, version: &NextflowVersion) -> bool {
        let order = nextflow.compare(version);
        match self {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::AtMost => order.is_le(),
            Operator::More => order.is_gt(),
            Operator::AtLeast => order.is_ge(),
            Operator::Within => is_within(nextflow, version),
        }
    }
}

fn is_within(nextflow: &NextflowVersion, version: &NextflowVersion) -> bool {
    let wanted: Vec<_> = version.parts().collect();
    let own: Vec<_> = nextflow.parts().chain(std::iter::repeat("0")).take(wanted.len()).collect();
    match (wanted.split_last(), own.split_last()) {
        (Some((wanted, before)), Some((own, own_before))) => {
            before == own_before && compare_parts(wanted, own) != Ordering::Greater
        }
        _ => false,
    }
}

impl FromStr for Requirement {
    type Err = NoRequirement;

    fn from_str(text: &str) -> Result<Self, NoRequirement> {
        let wanted = text.trim();
        let wanted = wanted.strip_prefix("nextflow@").unwrap_or(wanted);
        let conditions = match wanted {
            "*" => Some(Vec::new()),
            _ => wanted.split(',').filter(|part| !part.trim().is_empty()).map(condition).collect(),
        };
        match conditions {
            Some(conditions) => Ok(Requirement { text: text.to_owned(), conditions }),
            None => Err(NoRequirement(text.to_owned())),
        }
    }
}

fn condition(text: &str) -> Option<Condition> {
    let text = text.trim();
    let version = text.trim_start_matches(['!', '<', '=', '>']);
    let operator = match (&text[..text.len() - version.len()], version.strip_suffix('+')) {
        ("", Some(version)) => {
            let version = if version.ends_with('.') { format!("{version}0") } else { version.to_owned() };
            return Some(Condition { operator: Operator::Within, version: NextflowVersion::required(&version)? });
        }
        ("" | "=" | "==", None) => Operator::Equal,
        ("!=" | "<>", None) => Operator::NotEqual,
        ("<", None) => Operator::Less,
        ("<=", None) => Operator::AtMost,
        (">", None) => Operator::More,
        (">=", None) => Operator::AtLeast,
        _ => return None,
    };
    Some(Condition { operator, version: NextflowVersion::required(version)? })
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

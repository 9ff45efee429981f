//! What httpx may cost at most, beside reqwest's default client in the same run.

use super::{cost::Cost, report::Row};

/// The client that the ceilings bind.
const BOUND: &str = "httpx";

/// At most so many times the instructions of the first client.
const INSTRUCTIONS_RATIO: f64 = 1.01;

/// At most so many allocations more than the first client.
const MORE_ALLOCATIONS: f64 = 2.0;

/// One sentence for each ceiling that does not hold.
pub fn exceeded(rows: &[Row]) -> Vec<String> {
    let Some(base) = rows.first() else { return vec!["no client was measured".to_owned()] };
    let Some(bound) = rows.iter().find(|row| row.peer == BOUND) else {
        return vec![format!("{BOUND} was not measured; it needs a row in the peers of httpx-bench")];
    };
    [("GET", bound.get, base.get), ("POST", bound.post, base.post)]
        .into_iter()
        .flat_map(|(scenario, cost, base_cost)| over(scenario, cost, &base.peer, base_cost))
        .collect()
}

fn over(scenario: &str, cost: Cost, base: &str, base_cost: Cost) -> Vec<String> {
    let mut sentences = Vec::new();
    if let (Some(instructions), Some(base_instructions)) = (cost.instructions, base_cost.instructions) {
        let ratio = instructions / base_instructions;
        if ratio > INSTRUCTIONS_RATIO {
            sentences.push(format!(
                "{BOUND} {scenario}: {ratio:.4} times the instructions of {base}, at most {INSTRUCTIONS_RATIO} are allowed"
            ));
        }
    }
    let more = cost.allocations - base_cost.allocations;
    if more > MORE_ALLOCATIONS {
        sentences.push(format!(
            "{BOUND} {scenario}: {more:.2} allocations more than {base}, at most {MORE_ALLOCATIONS} are allowed"
        ));
    }
    sentences
}

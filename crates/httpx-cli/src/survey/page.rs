//! The whole survey, for people.

use std::sync::Arc;
use std::time::Duration;

use httpx_retry::Preset;

use super::contacts::contacts;
use super::durations::durations;
use super::faults::Row;
use super::record::Record;
use crate::{human, paint};

/// What the numbers mean, the tables, and what they come to.
pub(super) fn page(policies: &[&Preset], rows: &[Arc<Row>], records: &[Record], timeout: Duration) -> String {
    let mut page = paint::strong("What each retry policy does to a failing service, measured");
    page += INTRODUCTION;
    page += &contacts(policies, rows, records).trim_fmt();
    page += "\n";
    for (sign, meaning) in legend(timeout) {
        page += &format!("\n  {sign} {meaning}");
    }
    if let Some(durations) = durations(policies, records) {
        let title = paint::strong("How long a call takes that meets silence");
        page += &format!("\n\n{title}{SILENCE}{}", durations.trim_fmt());
    }
    page + &summary(policies, records)
}

const INTRODUCTION: &str = "
A server in this process showed every fault to every policy: to one GET and to one POST. The faults do not go
away, so this is the most that a policy does. Contacts are what the server saw, not what the client tells.

";

const SILENCE: &str = "
The waits between attempts come on top. Where nothing was sent, as to a black hole, another attempt is safe.

";

fn legend(timeout: Duration) -> [(String, String); 3] {
    let limit = human::took(timeout);
    [
        (
            format!("{:<8}", "5/1"),
            "contacts: 5 for the GET, 1 for the POST; one number where they are alike".to_owned(),
        ),
        (paint::bad(format!("{:<8}", "×5")), "the server acted 5 times on one POST".to_owned()),
        (
            format!("{:<8}", "0.30 s"),
            format!("time until the call ended, the longer of the two; the timeout of one attempt is {limit}"),
        ),
    ]
}

/// One line per policy.
fn summary(policies: &[&Preset], records: &[Record]) -> String {
    let mut told = format!("\n\n{}", paint::strong("All faults together"));
    let width = policies.iter().map(|policy| policy.name.len()).max().unwrap_or(0);
    for policy in policies {
        let of = records.iter().filter(|record| record.policy == policy.name);
        let contacts: u64 = of.clone().map(|record| record.contacts).sum();
        let contacts = human::count(contacts as usize, "contact");
        let posts = of.filter(|record| record.method == "POST");
        let (all, repeated) = (posts.clone().count(), posts.filter(|record| record.duplicates > 0).count());
        let repeated = format!("{repeated} of {} acted on more than once", human::count(all, "POST"));
        told += &format!("\n  {:<width$}  {contacts:>13}, {repeated}", policy.name);
    }
    told
}

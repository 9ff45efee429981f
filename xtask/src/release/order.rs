//! In which order crates are published: each after those it needs.

use super::facts::Member;

/// The publishable crates, each after those it needs; by name where the needs leave it open.
///
/// A ring of needs cannot be published; cargo refuses it, and here its crates come last, by name.
pub fn bottom_up(members: &[Member]) -> Vec<&Member> {
    let mut left: Vec<_> = members.iter().filter(|member| member.publishable).collect();
    left.sort_by(|one, other| one.name.cmp(&other.name));
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let waits = |member: &Member| {
            let mut needs = member.needs.iter().filter(|need| !need.dropped);
            needs.any(|need| need.name != member.name && left.iter().any(|other| other.name == need.name))
        };
        let next = left.iter().position(|member| !waits(member)).unwrap_or(0);
        ordered.push(left.remove(next));
    }
    ordered
}

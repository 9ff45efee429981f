//! Durations and counts as a person says them, and what others say.

use std::time::Duration;

/// How long something took: `0.4 ms`, `12 ms`, `3.5 s`.
pub(crate) fn took(duration: Duration) -> String {
    let millis = duration.as_secs_f64() * 1000.0;
    if millis < 9.95 {
        format!("{millis:.1} ms")
    } else if millis < 999.5 {
        format!("{millis:.0} ms")
    } else {
        seconds(duration)
    }
}

/// How long something will be waited for: `20 ms`, `0.5 s`, `30.0 s`.
pub(crate) fn wait(duration: Duration) -> String {
    if duration < Duration::from_millis(100) { format!("{} ms", duration.as_millis()) } else { seconds(duration) }
}

/// Times to be compared with each other: `0.30 s`, `1.65 s`.
pub(crate) fn exactly(millis: u64) -> String {
    format!("{:.2} s", Duration::from_millis(millis).as_secs_f64())
}

/// `1 attempt`, `2 attempts`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

/// `14,286`.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut told = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// `1 client`, `100,000 clients`.
pub(crate) fn many(number: u64, thing: &str) -> String {
    let ending = match (number, thing.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {thing}{ending}", thousands(number))
}

/// What a server wrote, without what a terminal would obey: each control character is a space.
pub(crate) fn tamed(text: &str) -> String {
    text.replace(char::is_control, " ")
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

//! The table of settings is made from the source, and says when it does not understand it.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use xtask::settings::table;

/// A source with one field of this type.
fn with(ty: &str) -> String {
    format!("pub struct Config {{ /// What | it\n /// is [`Of`].\n pub timeout: Option<{ty}>, }}")
}

/// How one enum is written.
const FORMS: &str = r#"
    #[serde(remote = "Word", rename_all = "kebab-case")] enum Form { GiveUp, #[serde(rename = "2")] Two, Off }
"#;

#[test]
fn a_row_has_the_key_its_values_its_default_and_its_meaning() {
    let rows = [
        ("Limit", "a duration, or `\"off\"`"),
        ("NonZeroU32", "a whole number, 1 or more"),
        ("std::time::Duration", "a duration, such as `\"500ms\"`"),
        ("Vec<u16>", "a list of numbers"),
        ("Word", "`\"give-up\"`, `\"2\"` or `\"off\"`"),
    ];
    for (ty, values) in rows {
        let table = table(&with(ty), FORMS, "").unwrap();
        assert_eq!(
            table.lines().last(),
            Some(&*format!("| `timeout` | {values} | `\"off\"` | What \\| it is `Of`. |"))
        );
    }
}

#[test]
fn what_it_does_not_know_it_says() {
    let told = |config: &str| format!("{:#}", table(config, FORMS, "").unwrap_err());
    assert_eq!(told(&with("Colour")), "Colour is a type that xtask/src/settings.rs does not know; tell it");
    assert_eq!(told("pub struct Other;"), "there is no Config any more; tell xtask/src/settings.rs what it is called");
    assert!(told("struct").starts_with("crates/httpx-client/src/config.rs cannot be read: "));
}

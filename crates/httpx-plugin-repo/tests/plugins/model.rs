//! What repositories tell: the real index in `tests/fixtures`, and its neighbours.

use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use httpx_plugin_repo::{Plugin, Release};
use serde_json::{Value, json};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use crate::support::{fixture, parsed, repo, serve_always, wanted};

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn release(fields: Value) -> Release {
    let mut all = json!({"version": "1.0.0", "url": "https://files.example.test/x.zip"});
    all.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(all).unwrap()
}

#[test]
fn every_plugin_encodes_back_to_the_values_it_was_decoded_from() {
    let told = fixture("plugins-trimmed.json");
    let plugins: Vec<Plugin> = serde_json::from_str(&told).unwrap();
    assert_eq!((plugins.len(), serde_json::to_value(&plugins).unwrap()), (17, value(&told)));
    let unknown = plugins.iter().flat_map(|plugin| &plugin.releases).filter(|release| !release.other.is_empty());
    assert_eq!(unknown.count(), 0, "no field of a release is unknown");
}

#[test]
fn fields_that_are_not_known_are_kept() {
    let told =
        r#"{"id":"nf-x","provider":"p","releases":[{"version":"1.0.0","dependencies":[{"id":"y"}],"date":null}]}"#;
    let plugin = parsed(told);
    assert_eq!(plugin.other["provider"], "p");
    let mut same = value(told);
    same["releases"][0].as_object_mut().unwrap().remove("date");
    assert_eq!(serde_json::to_value(&plugin).unwrap(), same, "only a null comes back as absent");
    assert_eq!(
        serde_json::to_value(parsed(r#"{"id":"a","releases":null}"#)).unwrap(),
        json!({"id": "a", "releases": []})
    );
}

fn at(seconds: u64, nanos: u32) -> Option<SystemTime> {
    Some(UNIX_EPOCH + Duration::new(seconds, nanos))
}

#[test]
fn c80_dates_are_read_in_every_form_they_come_in() {
    for (date, time) in [
        (json!("2024-10-13T18:20:43+0000"), at(1_728_843_643, 0)),
        (json!("2024-10-13T18:20:43Z"), at(1_728_843_643, 0)),
        (json!("2021-01-04T21:00:14.872+01:00"), at(1_609_790_414, 872_000_000)),
        (json!("2023-10-10T12:04:58.78705+02:00"), at(1_696_932_298, 787_050_000)),
        (json!("2024-09-20T12:00:02.424461498-05:00"), at(1_726_851_602, 424_461_498)),
        (json!("2023-07-10T14:50:17+02:00"), at(1_688_993_417, 0)),
        (json!("2023-07-010T14:50:17+02:00"), None),
        (json!(null), None),
        (json!(""), None),
        (json!(1_728_843_643), None),
    ] {
        assert_eq!(release(json!({"date": date})).released_at(), time, "{date}");
    }
    assert_eq!(release(json!({})).released_at(), None);
}

#[test]
fn c80_every_real_date_is_read_but_the_one_that_was_corrected() {
    let plugins: Vec<Plugin> = serde_json::from_str(&fixture("plugins-trimmed.json")).unwrap();
    let unread = plugins.iter().flat_map(|plugin| &plugin.releases).filter(|release| release.released_at().is_none());
    assert_eq!(unread.count(), 0);

    let faults = value(&fixture("historic-faults.json"));
    let date = |name: &str| release(json!({"date": faults[1][name]})).released_at();
    assert_eq!((date("date_before"), date("date_after")), (None, at(1_688_993_417, 0)));
}

/// Keeps the warnings of this thread.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl<S: tracing::Subscriber> Layer<S> for Warnings {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() == tracing::Level::WARN {
            let mut told = String::new();
            event.record(&mut |field: &tracing::field::Field, value: &dyn std::fmt::Debug| {
                told += &format!("{field}={value:?} ");
            });
            self.0.lock().unwrap().push(told);
        }
    }
}

#[tokio::test]
async fn c80_a_date_that_cannot_be_read_is_told_and_its_release_is_found() {
    let bad = r#"{"version":"0.3.0","url":"/x.zip","date":"2023-07-010T14:50:17+02:00"}"#;
    let good = r#"{"version":"0.2.0","url":"/x.zip","date":"2023-07-10T14:50:17+02:00"}"#;
    let server =
        serve_always(200, format!(r#"{{"plugins":[{{"id":"nf-validation","releases":[{good},{bad}]}}]}}"#)).await;
    let warnings = Warnings::default();
    let guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(warnings.clone()));
    let found = repo([server.url()]).resolve(&wanted("nf-validation")).await.unwrap();
    drop(guard);
    assert_eq!((found.release.version.as_str(), found.release.released_at()), ("0.3.0", None));
    let told = warnings.0.lock().unwrap().clone();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("0.3.0") && told[0].contains("2023-07-010T14:50:17+02:00"), "{told:?}");
}

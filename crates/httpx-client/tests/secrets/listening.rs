//! Writes down what is told.

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::{Level, Metadata};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

/// Every name and value of every span and event, and whatever a test adds.
#[derive(Clone, Default)]
pub(crate) struct Everything(Arc<Mutex<String>>);

impl Everything {
    /// Listens from now on, to this whole process.
    pub(crate) fn listen() -> Self {
        let told = Everything::default();
        tracing::subscriber::set_global_default(tracing_subscriber::registry().with(told.clone())).unwrap();
        log::set_boxed_logger(Box::new(told.clone())).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
        told
    }

    pub(crate) fn tell(&self, told: impl Debug) {
        writeln!(self.0.lock().unwrap(), "{told:?}").unwrap();
    }

    /// An error with all that stands behind it, as people and as programmers see it.
    pub(crate) fn tell_error(&self, error: &dyn std::error::Error) {
        let mut next = Some(error);
        while let Some(error) = next {
            writeln!(self.0.lock().unwrap(), "{error}\n{error:?}\n{error:#?}").unwrap();
            next = error.source();
        }
    }

    /// What came of a call.
    pub(crate) fn tell_result<T: Debug, E: std::error::Error + 'static>(&self, result: Result<T, E>) {
        match result {
            Ok(value) => self.tell(value),
            Err(error) => self.tell_error(&error),
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().lines().map(str::to_owned).collect()
    }

    fn write(&self, target: &str, name: &str, value: &dyn Debug) {
        writeln!(self.0.lock().unwrap(), "{target} {name}={value:?}").unwrap();
    }
}

/// All of our own, and what the engine says at DEBUG: it shows header fields only at TRACE, which is not ours to keep.
fn is_heard(target: &str, is_trace: bool) -> bool {
    target.starts_with("httpx") || !is_trace
}

struct Fields<'a>(&'a Everything, &'a str);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.write(self.1, field.name(), value);
    }
}

impl Everything {
    fn hear(&self, metadata: &Metadata<'_>, record: impl FnOnce(&mut Fields<'_>)) {
        if is_heard(metadata.target(), *metadata.level() == Level::TRACE) {
            record(&mut Fields(self, metadata.target()));
        }
    }
}

impl<S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>> Layer<S> for Everything {
    fn on_new_span(&self, span: &tracing::span::Attributes<'_>, _: &tracing::span::Id, _: Context<'_, S>) {
        self.hear(span.metadata(), |fields| span.record(fields));
    }

    fn on_record(&self, id: &tracing::span::Id, values: &tracing::span::Record<'_>, context: Context<'_, S>) {
        if let Some(span) = context.span(id) {
            self.hear(span.metadata(), |fields| values.record(fields));
        }
    }

    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        self.hear(event.metadata(), |fields| event.record(fields));
    }
}

/// reqwest and rustls speak to `log`.
impl log::Log for Everything {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        if is_heard(record.target(), record.level() == log::Level::Trace) {
            self.write(record.target(), "message", record.args());
        }
    }

    fn flush(&self) {}
}

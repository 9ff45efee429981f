//! One repository, and what is known of it.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use http::StatusCode;
use httpx_client::{Client, excerpt, redacted, redacted_text};
use serde::Deserialize;
use serde_json::Value;
use url::Url;
use url::form_urlencoded::byte_serialize;

use crate::error::{Error, ErrorKind};
use crate::listing::{Listed, by_id};
use crate::model::Plugin;
use crate::reference::PluginRef;
use crate::version::NextflowVersion;

/// A repository of either kind.
#[derive(Debug)]
pub(crate) struct Repository {
    url: Url,
    known: Mutex<Known>,
}

/// What has been fetched.
#[derive(Debug)]
enum Known {
    /// A registry answers for the plugins, and the versions, that it was asked for.
    Registry(HashMap<PluginRef, Option<Listed>>),
    /// An index is one file with everything.
    Index(Option<HashMap<String, Listed>>),
}

/// What a registry answers.
#[derive(Deserialize)]
struct Answer {
    plugins: Vec<Value>,
}

impl Repository {
    /// A URL whose path ends with `.json` is that of an index, any other that of a registry, as Nextflow has it.
    pub(crate) fn open(given: &str) -> Result<Self, Error> {
        let wrong = |told: String| Error::from(ErrorKind::Repository { given: redacted_text(given), told });
        let mut url = Url::parse(given.trim()).map_err(|error| wrong(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong(format!("{:?} is neither http nor https", url.scheme())));
        }
        url.set_fragment(None);
        let is_index = url.path().ends_with(".json");
        let known = if is_index { Known::Index(None) } else { Known::Registry(HashMap::new()) };
        if !is_index {
            if url.query().is_some() {
                return Err(wrong("a question cannot be joined to a query".to_owned()));
            }
            let path = format!("{}/", url.path().trim_end_matches('/'));
            url.set_path(&path);
        }
        Ok(Repository { url, known: Mutex::new(known) })
    }

    /// What archives may be relative to.
    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Its URL, as it may be told.
    pub(crate) fn name(&self) -> String {
        redacted(&self.url)
    }

    /// The plugin with its releases, fetched unless it is known; `None` when it is not there, or has no release. Fails when
    /// a release that cannot be read may be the one that is wanted.
    pub(crate) async fn plugin(
        &self,
        client: &Client,
        wanted: &PluginRef,
        nextflow: &NextflowVersion,
    ) -> Result<Option<Plugin>, Error> {
        self.fetch(client, std::slice::from_ref(wanted), nextflow).await?;
        let known = self.known();
        let listed = match &*known {
            Known::Registry(asked) => asked.get(wanted).and_then(Option::as_ref),
            Known::Index(all) => all.as_ref().and_then(|all| all.get(wanted.id())),
        };
        match listed.and_then(|listed| listed.hidden(wanted)) {
            Some(told) => Err(ErrorKind::Unreadable { url: self.name(), told, began: None }.into()),
            None => Ok(listed.map(|listed| listed.plugin.clone())),
        }
    }

    /// Asks for what is not known yet, in one request.
    pub(crate) async fn fetch(
        &self,
        client: &Client,
        wanted: &[PluginRef],
        nextflow: &NextflowVersion,
    ) -> Result<(), Error> {
        let Some((url, missing)) = self.question(wanted, nextflow) else { return Ok(()) };
        let answer = client.get(&url).fetch_bytes().await.map_err(ErrorKind::NoAnswer)?;
        let (status, body) = (answer.status(), answer.into_body());
        if status != StatusCode::OK {
            return Err(ErrorKind::Status { url: redacted(&url), status, told: excerpt(&body) }.into());
        }
        let unreadable = |error: serde_json::Error| {
            let (url, told, began) = (redacted(&url), error.to_string(), excerpt(&body));
            Error::from(ErrorKind::Unreadable { url, told, began })
        };
        match &mut *self.known() {
            Known::Registry(asked) => {
                let answer: Answer = serde_json::from_slice(&body).map_err(unreadable)?;
                let found = by_id(answer.plugins);
                asked.extend(missing.into_iter().map(|wanted| {
                    let plugin = found.get(wanted.id()).cloned();
                    (wanted, plugin)
                }));
            }
            Known::Index(all) => *all = Some(by_id(serde_json::from_slice(&body).map_err(unreadable)?)),
        }
        Ok(())
    }

    /// Where to ask, and for what; `None` when all of it is known.
    fn question(&self, wanted: &[PluginRef], nextflow: &NextflowVersion) -> Option<(Url, Vec<PluginRef>)> {
        match &*self.known() {
            Known::Index(Some(_)) => None,
            Known::Index(None) => Some((self.url.clone(), Vec::new())),
            Known::Registry(asked) => {
                let mut missing: Vec<PluginRef> = Vec::new();
                for wanted in wanted {
                    if !asked.contains_key(wanted) && !missing.contains(wanted) {
                        missing.push(wanted.clone());
                    }
                }
                (!missing.is_empty()).then(|| (self.dependencies_url(&missing, nextflow), missing))
            }
        }
    }

    /// `v1/plugins/dependencies?plugins=a@1,b&nextflowVersion=…`; source: `HttpPluginRepository` of Nextflow 0ebd12b.
    fn dependencies_url(&self, wanted: &[PluginRef], nextflow: &NextflowVersion) -> Url {
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let item = |wanted: &PluginRef| match wanted.version() {
            Some(version) => format!("{}@{}", wanted.id(), encoded(version)),
            None => wanted.id().to_owned(),
        };
        let plugins = wanted.iter().map(item).collect::<Vec<_>>().join(",");
        let mut url = self.url.join("v1/plugins/dependencies").expect("it is a relative path");
        url.set_query(Some(&format!("plugins={plugins}&nextflowVersion={}", encoded(nextflow.as_str()))));
        url
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

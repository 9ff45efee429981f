//! The client's settings: a file, and flags that override it.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use httpx_client::{BuildError, Client, ClientBuilder, Config, HttpVersion, Limit, NoProxy, Proxy};

use super::auth::Credentials;
use crate::exit::Trouble;
use crate::{service_config, values};

/// Each one overrides the same setting of `--config`; absent means the default.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct Settings {
    /// A TOML file of settings; the flags below override it
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What is retried: a policy's name; httpx explain prints them
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// A gRPC service config, as JSON: what the policy grpc goes by, for the method at the end of the URL
    #[arg(long, value_name = "FILE")]
    service_config: Option<PathBuf>,
    /// How many sends at most, the first one included
    #[arg(long, value_name = "N", value_parser = values::attempts, allow_hyphen_values = true)]
    max_attempts: Option<NonZeroU32>,
    /// How long one attempt may take, the body of the answer included; or off
    #[arg(long, value_name = "TIME", value_parser = values::limit, allow_hyphen_values = true)]
    timeout: Option<Limit>,
    /// How long connecting may take; or off
    #[arg(long, value_name = "TIME", value_parser = values::limit, allow_hyphen_values = true)]
    connect_timeout: Option<Limit>,
    /// How long the server may be silent; or off
    #[arg(long, value_name = "TIME", value_parser = values::limit, allow_hyphen_values = true)]
    read_timeout: Option<Limit>,
    /// How long the whole call may take, every attempt and wait included; or off
    #[arg(long, value_name = "TIME", value_parser = values::limit, allow_hyphen_values = true)]
    deadline: Option<Limit>,
    /// The wait before the first retry; it doubles from retry to retry
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    delay: Option<Duration>,
    /// The longest wait
    #[arg(long, value_name = "TIME", value_parser = values::duration, allow_hyphen_values = true)]
    max_delay: Option<Duration>,
    /// How much waits vary, from 0 to 1
    #[arg(long, value_name = "RATIO", value_parser = values::ratio, allow_hyphen_values = true)]
    jitter: Option<f64>,
    /// How many redirects are followed; 0 shows the redirect itself
    #[arg(long, value_name = "N", value_parser = values::redirects, allow_hyphen_values = true)]
    max_redirects: Option<u32>,
    /// Trust the certificates of this PEM file, and no others
    #[arg(long, value_name = "FILE")]
    cacert: Option<PathBuf>,
    /// Go through this proxy, http://USER:PASSWORD@HOST:PORT; servers on this machine are asked directly
    #[arg(long, value_name = "URL", value_parser = values::proxy)]
    proxy: Option<Proxy>,
    /// Ask these servers directly: names, .domains, addresses and networks, or * for all
    #[arg(long, value_name = "LIST")]
    no_proxy: Option<String>,
    /// Speak HTTP/2 without asking first
    #[arg(long)]
    http2: bool,
}

impl Settings {
    /// A client with these settings and `finish`ing touches, for a call to `url`.
    pub(super) fn client(
        &self,
        url: &str,
        credentials: &Credentials,
        finish: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Result<Client, Trouble> {
        let file = match &self.config {
            Some(path) => Config::from_file(path).map_err(|error| Trouble::usage(format!("--config: {error}")))?,
            None => Config::default(),
        };
        let auth = credentials.auth(file.auth.as_ref())?;
        let config = self.over(file);
        let policy = match &self.service_config {
            Some(file) => Some(service_config::policy(file, config.policy.as_deref(), service_config::method_of(url))?),
            None => None,
        };
        let builder = match auth {
            Some(auth) => ClientBuilder::from(Config { auth: None, ..config }).auth(auth),
            None => ClientBuilder::from(config),
        };
        let builder = match policy {
            Some(policy) => builder.policy(policy),
            None => builder,
        };
        finish(builder).build().map_err(|error| self.placed(error))
    }

    fn over(&self, file: Config) -> Config {
        Config {
            policy: self.policy.clone().or(file.policy),
            max_attempts: self.max_attempts.or(file.max_attempts),
            timeout: self.timeout.or(file.timeout),
            connect_timeout: self.connect_timeout.or(file.connect_timeout),
            read_timeout: self.read_timeout.or(file.read_timeout),
            deadline: self.deadline.or(file.deadline),
            delay: self.delay.or(file.delay),
            max_delay: self.max_delay.or(file.max_delay),
            jitter: self.jitter.or(file.jitter),
            max_redirects: self.max_redirects.or(file.max_redirects),
            cacert: self.cacert.clone().or(file.cacert),
            proxy: self.proxy.clone().or(file.proxy),
            no_proxy: self.no_proxy.clone().map(NoProxy::new).or(file.no_proxy),
            http_version: self.http2.then_some(HttpVersion::Http2).or(file.http_version),
            ..file
        }
    }

    /// The mistake with its place: the flag that a setting came from, or else the file.
    fn placed(&self, error: BuildError) -> Trouble {
        Trouble::usage(match (&error, &self.config) {
            (BuildError::UnknownPolicy { .. }, _) if self.policy.is_some() => format!("--policy: {error}"),
            (BuildError::CaCert { path, what }, _) if self.cacert.is_some() => {
                format!("--cacert: {}: {what}", path.display())
            }
            // Flags with a range are checked where they are read.
            (_, Some(file)) => format!("--config: {}: {error}", file.display()),
            (_, None) => error.to_string(),
        })
    }
}

//! Who is asking: flags, files and the environment.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use httpx_client::{Auth, AuthConfig, AuthSettings, AuthSettingsError, Refresh, Secret, Session};

use super::token_file::TokenFile;
use crate::exit::Trouble;

/// Secrets may stand in a file (@FILE), or in the environment, where no list of processes shows them.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Credentials")]
pub(super) struct Credentials {
    /// An access token, sent as Bearer: the text, or @FILE; HTTPX_BEARER when absent
    #[arg(long, value_name = "TOKEN|@FILE", allow_hyphen_values = true)]
    bearer: Option<Secret>,
    /// What the access token is renewed with when it is refused: the text, or @FILE; HTTPX_REFRESH_TOKEN when absent. What
    /// comes of it is kept for this call only; see --token-file
    #[arg(long, value_name = "TOKEN|@FILE", allow_hyphen_values = true)]
    refresh_token: Option<Secret>,
    /// Both tokens, as a token endpoint answers them in JSON; those that are renewed are written there for the next call
    #[arg(long, value_name = "FILE", requires = "refresh_url",
        conflicts_with_all = ["bearer", "refresh_token", "basic", "www_authenticate"])]
    token_file: Option<PathBuf>,
    /// Where the access token is renewed
    #[arg(long, value_name = "URL")]
    refresh_url: Option<String>,
    /// A user name and a password, sent as Basic: user:password, or @FILE; HTTPX_BASIC when absent
    #[arg(long, value_name = "U:P|@FILE", allow_hyphen_values = true)]
    basic: Option<Secret>,
    /// Answer the challenges of a server: with the credentials above, or with a token for nobody
    #[arg(long)]
    www_authenticate: bool,
    /// Show credentials to this origin only, such as https://host; may be repeated
    #[arg(long = "auth-origin", value_name = "ORIGIN")]
    origins: Vec<String>,
}

impl Credentials {
    /// What was asked for, if anything was. Variables of the environment count where no flag says who is asking, and
    /// where they do not either, the file: `--www-authenticate` and `--auth-origin` are about whoever it is.
    pub(super) fn auth(&self, file: Option<&AuthConfig>) -> Result<Option<Auth>, Trouble> {
        if let (Some(file), Some(url)) = (&self.token_file, &self.refresh_url) {
            return self.kept(file, url).map(Some);
        }
        let is_said = self.bearer.is_some() || self.basic.is_some();
        let bearer = said("--bearer", self.bearer.as_ref(), (!is_said).then_some("HTTPX_BEARER"))?;
        let basic = said("--basic", self.basic.as_ref(), (!is_said).then_some("HTTPX_BASIC"))?;
        // Of use only where there is an endpoint to show it to.
        let variable = self.refresh_url.is_some().then_some("HTTPX_REFRESH_TOKEN");
        let refresh_token = said("--refresh-token", self.refresh_token.as_ref(), variable)?;
        let settings = AuthSettings {
            basic,
            bearer,
            refresh_token,
            refresh_url: self.refresh_url.clone(),
            www_authenticate: self.www_authenticate,
            origins: self.origins.clone(),
        };
        let says_who = settings.basic.is_some()
            || settings.bearer.is_some()
            || settings.refresh_token.is_some()
            || settings.refresh_url.is_some();
        let says_how = settings.www_authenticate || !settings.origins.is_empty();
        let settings = match file {
            _ if !says_who && !says_how => return Ok(None),
            Some(file) if !says_who => {
                let of_file = AuthSettings::read(file).map_err(told)?;
                AuthSettings {
                    www_authenticate: settings.www_authenticate || of_file.www_authenticate,
                    origins: if settings.origins.is_empty() { of_file.origins } else { settings.origins },
                    ..of_file
                }
            }
            Some(_) | None => settings,
        };
        settings.auth().map(Some).map_err(told)
    }

    /// The tokens of a file, which is told what they are renewed to.
    fn kept(&self, file: &Path, url: &str) -> Result<Auth, Trouble> {
        let refresh = Refresh::at(url).map_err(|error| told(AuthSettingsError::RefreshUrl(error)))?;
        let (file, tokens) = TokenFile::read(file)?;
        let auth = Auth::refreshing(Session::new(tokens), refresh.store(Arc::new(file)));
        if self.origins.is_empty() {
            return Ok(auth);
        }
        auth.only_for(&self.origins).map_err(|error| told(error.into()))
    }
}

/// What a flag says, else what a variable of the environment does.
fn said(flag: &str, text: Option<&Secret>, variable: Option<&str>) -> Result<Option<Secret>, Trouble> {
    match text {
        Some(text) => read(flag, text).map(Some),
        None => Ok(variable.and_then(|variable| env::var(variable).ok()).map(Secret::from)),
    }
}

/// The text itself, or what is in the file that it names, without the end of its line.
fn read(flag: &str, text: &Secret) -> Result<Secret, Trouble> {
    let Some(path) = text.expose().strip_prefix('@') else { return Ok(text.clone()) };
    match std::fs::read_to_string(path) {
        Ok(secret) => Ok(secret.trim_end_matches(['\r', '\n']).into()),
        Err(error) => Err(Trouble::usage(format!("{flag}: cannot read {path}: {error}"))),
    }
}

/// The mistake in the words of the command line.
fn told(error: AuthSettingsError) -> Trouble {
    let flag = |setting: &str| format!("--{}", setting.replace('_', "-"));
    Trouble::usage(match error {
        AuthSettingsError::Conflict { first, second } => format!(
            "{} and {} are both given; a request shows one of them, so leave the other out",
            flag(first),
            flag(second)
        ),
        AuthSettingsError::Alone { is, needs } => {
            format!("{} is given without {}; give both or neither", flag(is), flag(needs))
        }
        AuthSettingsError::Credentials { setting, source } => format!("{}: {source}", flag(setting)),
        AuthSettingsError::RefreshUrl(error) => format!("--refresh-url: {error}"),
        AuthSettingsError::Origins(error) => format!("--auth-origin: {error}"),
        AuthSettingsError::NothingToShow => {
            "--auth-origin is given, and there are no credentials to show there; give them too, such as --bearer".into()
        }
        other => other.to_string(),
    })
}

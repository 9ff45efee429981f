//! Which proxy a URL is asked through: decided here, for every request, from settings alone.

use url::Url;

use crate::build_error::BuildError;
use crate::config::Config;
use crate::no_proxy::{NoProxy, is_loopback};
use crate::proxy::Proxy;

/// The value of an environment variable, if it has one.
pub(crate) type Variable<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The proxies of a client. Without any there is no such value.
#[derive(Clone, Debug)]
pub(crate) struct Proxies {
    http: Option<Proxy>,
    https: Option<Proxy>,
    no_proxy: NoProxy,
}

impl Proxies {
    /// What the settings and, where they say so, the environment amount to. What is set wins over the environment.
    pub(crate) fn from_settings(config: &Config, variable: Variable<'_>) -> Result<Option<Self>, BuildError> {
        let environment = match config.proxy_from_environment {
            Some(true) => Environment { variable },
            Some(false) | None => Environment { variable: &|_| None },
        };
        let (http, https) = match &config.proxy {
            Some(proxy) => (Some(proxy.clone()), Some(proxy.clone())),
            None => environment.proxies()?,
        };
        if http.is_none() && https.is_none() {
            return Ok(None);
        }
        let no_proxy = config.no_proxy.clone().unwrap_or_else(|| environment.no_proxy());
        Ok(Some(Proxies { http, https, no_proxy }))
    }

    /// The proxy for `url`; `None` asks the server directly.
    pub(crate) fn of(&self, url: &Url) -> Option<&Proxy> {
        let proxy = match url.scheme() {
            "https" => self.https.as_ref(),
            _ => self.http.as_ref(),
        };
        proxy.filter(|_| !is_loopback(url) && !self.no_proxy.covers(url))
    }

    /// The same decision for reqwest, one value per scheme since each has its own credentials.
    pub(crate) fn apply(&self, mut builder: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
        for (scheme, proxy) in [("http", &self.http), ("https", &self.https)] {
            let Some(proxy) = proxy else { continue };
            let (decide, place) = (self.clone(), proxy.url().clone());
            let custom = reqwest::Proxy::custom(move |url| {
                (url.scheme() == scheme && decide.of(url).is_some()).then(|| place.clone())
            });
            builder = builder.proxy(match proxy.credentials() {
                Some(credentials) => custom.basic_auth(&credentials.user, &credentials.password),
                None => custom,
            });
        }
        builder
    }
}

/// The variables that many programs read. The lower-case name goes first, as in curl 8 (`lib/url.c`, `detect_proxy`) and
/// Python's urllib; an empty value is none.
struct Environment<'a> {
    variable: Variable<'a>,
}

impl Environment<'_> {
    fn proxies(&self) -> Result<(Option<Proxy>, Option<Proxy>), BuildError> {
        // Under CGI, HTTP_PROXY is what a stranger wrote into the field `Proxy` of a request (CVE-2016-5385).
        let cgi = (self.variable)("REQUEST_METHOD").is_some();
        let http: &[&'static str] = if cgi { &["http_proxy"] } else { &["http_proxy", "HTTP_PROXY"] };
        let all = ["all_proxy", "ALL_PROXY"];
        let for_scheme = |names: &[&'static str]| self.proxy(&[names, &all].concat());
        Ok((for_scheme(http)?, for_scheme(&["https_proxy", "HTTPS_PROXY"])?))
    }

    /// The first of these that is set.
    fn proxy(&self, names: &[&'static str]) -> Result<Option<Proxy>, BuildError> {
        let Some((name, text)) = self.first(names) else { return Ok(None) };
        Proxy::new(text).map(Some).map_err(|why| BuildError::Proxy { variable: name, why })
    }

    fn no_proxy(&self) -> NoProxy {
        self.first(&["no_proxy", "NO_PROXY"]).map(|(_, list)| NoProxy::new(list)).unwrap_or_default()
    }

    fn first(&self, names: &[&'static str]) -> Option<(&'static str, String)> {
        let set = |name: &&'static str| (self.variable)(name).filter(|value| !value.trim().is_empty());
        names.iter().find_map(|name| set(name).map(|value| (*name, value)))
    }
}

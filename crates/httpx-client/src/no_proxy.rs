//! Which servers are asked directly: the list that other programs call `NO_PROXY`.

use std::fmt;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use url::{Host, Url};

/// Servers that are asked directly, whatever proxy there is: entries parted by commas or spaces.
///
/// | entry | means |
/// |---|---|
/// | `*` | everything, also when it is not alone |
/// | `example.com` | that name and all names below it |
/// | `.example.com`, `*.example.com` | the names below it only |
/// | `192.0.2.7`, `2001:db8::7`, `[2001:db8::7]` | that address |
/// | `10.0.0.0/8`, `2001:db8::/32` | the addresses of that network |
///
/// Names, addresses and `*` may end in a port, as `example.com:8080` or `[::1]:443`: then they mean that port alone,
/// which may be the scheme's own; without one they mean all. Case and a dot at the end do not matter. Addresses match
/// URLs that hold an address, one of IPv4 also in its form of IPv6 (`::ffff:192.0.2.7`); no name is ever looked up to decide. An entry that is none of these is ignored, and the
/// rest holds.
///
/// There is no standard. Where programs differ, this follows lib-httpx (`*` in a list) and the plain reading of the dot.
///
/// ```
/// let list = httpx_client::NoProxy::new("localhost, .internal, 10.0.0.0/8, db.example.com:5000");
/// let direct = |url: &str| list.covers(&url.parse().unwrap());
/// assert!(direct("http://build.internal/") && direct("http://10.1.2.3:8080/"));
/// assert!(!direct("http://internal/") && !direct("http://db.example.com/"));
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct NoProxy {
    text: String,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq)]
struct Entry {
    hosts: Hosts,
    /// `None` is any.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq)]
enum Hosts {
    All,
    /// This name and those below it.
    Name(String),
    /// The names below this one.
    Below(String),
    /// One address is a network too.
    Network(IpNet),
}

impl NoProxy {
    /// Reads a list. What is no entry is ignored.
    pub fn new(list: impl Into<String>) -> Self {
        let text = list.into();
        let words = text.split(|part: char| part == ',' || part.is_whitespace());
        let entries = words.filter_map(entry).collect();
        NoProxy { text, entries }
    }

    /// Is the server of `url` asked directly?
    #[must_use]
    pub fn covers(&self, url: &Url) -> bool {
        let (Some(host), port) = (url.host(), url.port_or_known_default()) else { return false };
        let name = NamedOrNumbered::from(host);
        self.entries.iter().any(|entry| entry.hosts.contain(&name) && (entry.port.is_none() || entry.port == port))
    }

    /// The list as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// The host of a URL.
enum NamedOrNumbered {
    Name(String),
    Number(IpAddr),
}

impl From<Host<&str>> for NamedOrNumbered {
    fn from(host: Host<&str>) -> Self {
        match host {
            Host::Domain(name) => NamedOrNumbered::Name(name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()),
            Host::Ipv4(address) => NamedOrNumbered::Number(address.into()),
            Host::Ipv6(address) => NamedOrNumbered::Number(address.into()),
        }
    }
}

impl Hosts {
    fn contain(&self, host: &NamedOrNumbered) -> bool {
        match (self, host) {
            (Hosts::All, _) => true,
            (Hosts::Name(name), NamedOrNumbered::Name(host)) => host == name || is_below(host, name),
            (Hosts::Below(name), NamedOrNumbered::Name(host)) => is_below(host, name),
            (Hosts::Network(network), NamedOrNumbered::Number(address)) => {
                network.contains(address) || network.contains(&address.to_canonical())
            }
            (Hosts::Name(_) | Hosts::Below(_), NamedOrNumbered::Number(_))
            | (Hosts::Network(_), NamedOrNumbered::Name(_)) => false,
        }
    }
}

fn is_below(host: &str, name: &str) -> bool {
    host.strip_suffix(name).is_some_and(|start| start.ends_with('.'))
}

/// Is this machine itself meant? Then no proxy can help: its `localhost` is another.
///
/// Decided by address, as parsed, or by the names that RFC 6761 §6.3 reserves; `127.evil.example` is a name like any
/// other.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host().map(NamedOrNumbered::from) {
        Some(NamedOrNumbered::Name(host)) => host == "localhost" || is_below(&host, "localhost"),
        Some(NamedOrNumbered::Number(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

fn entry(word: &str) -> Option<Entry> {
    if let Some(network) = network(word) {
        return Some(Entry { hosts: Hosts::Network(network), port: None });
    }
    match word.rsplit_once(':') {
        None => Some(Entry { hosts: hosts(word)?, port: None }),
        Some((word, digits)) => {
            // Parsing alone would also take a sign.
            let port = digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()))?;
            let hosts = address(word).map_or_else(|| hosts(word), |address| Some(Hosts::Network(address.into())))?;
            Some(Entry { hosts, port: Some(port) })
        }
    }
}

/// An address, in brackets or not, or a network.
fn network(word: &str) -> Option<IpNet> {
    if let Some(address) = bracketed(word).or_else(|| word.parse().ok()) {
        return Some(address.to_canonical().into());
    }
    word.parse().ok().map(canonical)
}

/// A network of addresses of IPv4 that is written as one of IPv6 (RFC 4291 §2.5.5.2), as what it is.
fn canonical(network: IpNet) -> IpNet {
    let mapped = |network: Ipv6Net| {
        let prefix = network.prefix_len().checked_sub(96)?;
        Ipv4Net::new(network.addr().to_ipv4_mapped()?, prefix).ok()
    };
    match network {
        IpNet::V4(_) => network,
        IpNet::V6(six) => mapped(six).map_or(network, IpNet::V4),
    }
}

/// An address that a port may follow: one of IPv6 needs brackets then.
fn address(word: &str) -> Option<IpAddr> {
    let address = bracketed(word).or_else(|| word.parse().ok().filter(IpAddr::is_ipv4))?;
    Some(address.to_canonical())
}

fn bracketed(word: &str) -> Option<IpAddr> {
    word.strip_prefix('[')?.strip_suffix(']')?.parse().ok().filter(IpAddr::is_ipv6)
}

fn hosts(word: &str) -> Option<Hosts> {
    if word == "*" {
        return Some(Hosts::All);
    }
    let below = word.strip_prefix("*.").or_else(|| word.strip_prefix('.'));
    let name = below.unwrap_or(word);
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.split('.').any(str::is_empty) {
        return None;
    }
    // The same parser as for URLs, so that letters beyond ASCII are written alike; what it takes for an old way of
    // writing an address is no name.
    match Host::parse(name) {
        Ok(Host::Domain(name)) if below.is_some() => Some(Hosts::Below(name)),
        Ok(Host::Domain(name)) => Some(Hosts::Name(name)),
        Ok(Host::Ipv4(_) | Host::Ipv6(_)) | Err(_) => None,
    }
}

impl From<String> for NoProxy {
    fn from(list: String) -> Self {
        NoProxy::new(list)
    }
}

impl From<&str> for NoProxy {
    fn from(list: &str) -> Self {
        NoProxy::new(list)
    }
}

impl From<NoProxy> for String {
    fn from(list: NoProxy) -> Self {
        list.text
    }
}

impl fmt::Debug for NoProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NoProxy").field(&self.text).finish()
    }
}

//! Where a Bearer challenge sends its client for a token, and where that client does not go.
//!
//! Source of the scheme: the token authentication of the container registries, which has a URL as realm, and service and
//! scope as what is asked for there.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use url::{Host, Url};

use super::challenge::Challenge;
use crate::error::redacted;

/// Which realms are asked for tokens. A realm is the server's word, and may lead into a network that only this client can
/// reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Realms {
    plain_http: bool,
    private_network: bool,
}

impl Realms {
    /// https and http, but http only when the challenge came over http; and addresses of private networks only when the
    /// server that names them has one itself.
    ///
    /// Names are not looked up: one that stands for a private address is not found out.
    #[must_use]
    pub const fn strict() -> Self {
        Realms { plain_http: false, private_network: false }
    }

    /// Also http where the challenge came over https.
    #[must_use]
    pub const fn allow_plain_http(self) -> Self {
        Realms { plain_http: true, ..self }
    }

    /// Also addresses of private networks, wherever the challenge came from.
    #[must_use]
    pub const fn allow_private_network(self) -> Self {
        Realms { private_network: true, ..self }
    }
}

/// Why a realm is not asked for a token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RealmRefused {
    /// There is none.
    #[error("the challenge names no realm")]
    Missing,
    /// Not a whole URL. What a relative one would be relative to is defined nowhere.
    #[error("the realm is no absolute URL")]
    Relative,
    /// Something else than HTTP.
    #[error("the realm has the scheme {0:?}, neither http nor https")]
    Scheme(String),
    /// From https to http.
    #[error("the realm {0} is plain http, and the challenge came over https")]
    Downgrade(String),
    /// From a public server into a private network.
    #[error("the realm {0} is in a private network, and the server that names it is not")]
    PrivateNetwork(String),
}

impl Challenge {
    /// Where to ask for a token: the realm, with service and scopes in its query, unless they stand there already.
    ///
    /// # Errors
    /// When the realm is not one to go to after a challenge from `server`.
    pub fn token_url(&self, server: &Url, realms: Realms) -> Result<Url, RealmRefused> {
        let mut url = Url::parse(self.realm().ok_or(RealmRefused::Missing)?).map_err(|_| RealmRefused::Relative)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(RealmRefused::Scheme(url.scheme().to_owned()));
        }
        if server.scheme() == "https" && url.scheme() == "http" && !realms.plain_http {
            return Err(RealmRefused::Downgrade(redacted(&url)));
        }
        if is_private(&url) && !is_private(server) && !realms.private_network {
            return Err(RealmRefused::PrivateNetwork(redacted(&url)));
        }
        url.set_fragment(None);
        // Both fail only for URLs without a host. Nobody but the caller says who is asking.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        self.ask_for(&mut url);
        Ok(url)
    }

    fn ask_for(&self, url: &mut Url) {
        // A set, since a server may ask for as many scopes as fit into its answer.
        let mut known: HashSet<(String, String)> = url.query_pairs().into_owned().collect();
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        let scopes = self.param("scope").into_iter().flat_map(str::split_ascii_whitespace);
        for pair in self
            .param("service")
            .map(|service| ("service", service))
            .into_iter()
            .chain(scopes.map(|scope| ("scope", scope)))
        {
            if !pair.1.is_empty() && known.insert((pair.0.to_owned(), pair.1.to_owned())) {
                pairs.push(pair);
            }
        }
        // Asking for the serializer alone would leave a `?` behind.
        if !pairs.is_empty() {
            url.query_pairs_mut().extend_pairs(pairs);
        } else if url.query() == Some("") {
            url.set_query(None);
        }
    }
}

/// An address that is not for the whole internet, or a name for this machine (RFC 6761 §6.3).
fn is_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => is_private_v4(address),
        Some(Host::Ipv6(address)) => match IpAddr::V6(address).to_canonical() {
            IpAddr::V4(address) => is_private_v4(address),
            IpAddr::V6(address) => is_private_v6(address) || led_to(address).is_some_and(is_private_v4),
        },
        None => false,
    }
}

/// The address of IPv4 that a gateway takes out of this one: NAT64 (RFC 6052 §2.1), 6to4 (RFC 3056 §2), and the form that
/// RFC 4291 §2.5.5.1 has given up.
const fn led_to(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let (high, low) = match [a, b, c, d, e, f] {
        [0x64, 0xff9b, 0, 0, 0, 0] | [0, 0, 0, 0, 0, 0] => (g, h),
        [0x2002, high, low, ..] => (high, low),
        _ => return None,
    };
    Some(Ipv4Addr::from_bits((high as u32) << 16 | low as u32))
}

/// RFC 1918, RFC 3927, RFC 6598 for the space shared behind carrier NAT, and what no server on the internet has: the rest
/// of RFC 6890, and groups.
const fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || first == 0
        || first >= 224
        || (first == 100 && second & 0xc0 == 64)
        || (first == 198 && second & 0xfe == 18)
        || (first == 192 && second == 0 && third == 0)
}

/// RFC 4193 and RFC 4291 §2.5.
const fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || address.is_multicast()
        || address.segments()[0] & 0xffc0 == 0xfec0 // Site-local, as before RFC 3879.
}

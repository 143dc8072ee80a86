//! The address that a request comes from, behind proxies too.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use actix_web::HttpRequest;
use actix_web::http::header::{HeaderMap, X_FORWARDED_FOR};
use ipnet::IpNet;

pub use plybook_service::load::Client;

/// The proxies that are trusted to say whom they forward a request for. None by default.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Vec<IpNet>);

/// Neither an address nor a network.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is neither an address nor a network such as 10.0.0.0/8")]
pub struct ProxyError(String);

/// A proxy, or a network of them: `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy(IpNet);

plybook_events::from_text!(Proxy);

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        // In a list, commas are often followed by spaces.
        let text = text.trim();
        let address = || text.parse::<IpAddr>().map(IpNet::from);
        text.parse().or_else(|_| address()).map(Self).map_err(|_| ProxyError(text.to_owned()))
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromIterator<Proxy> for Proxies {
    fn from_iter<T: IntoIterator<Item = Proxy>>(proxies: T) -> Self {
        Self(proxies.into_iter().map(|proxy| proxy.0).collect())
    }
}

impl Proxies {
    /// The client by its address alone.
    pub fn client(&self, request: &HttpRequest) -> Client {
        Client::at(self.address(request))
    }

    /// The address that a request comes from.
    pub(crate) fn address(&self, request: &HttpRequest) -> IpAddr {
        let peer = request.peer_addr().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        self.origin(peer, request.headers())
    }

    pub(crate) fn is_trusted(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address.to_canonical()))
    }

    /// The address that a request comes from: the peer's or, behind trusted proxies, the first one from the right in
    /// `X-Forwarded-For` that is not a trusted proxy. Anything further left was written by the client at that address.
    /// What cannot be read ends the walk at the proxy that wrote it.
    fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut known = peer.to_canonical();
        let lines: Vec<_> = headers.get_all(X_FORWARDED_FOR).collect();
        let hops = lines.into_iter().rev().flat_map(|line| line.to_str().unwrap_or_default().rsplit(','));
        for hop in hops {
            match address(hop.trim()) {
                Some(address) if self.is_trusted(known) => known = address,
                _ => break,
            }
        }
        known
    }
}

/// An address with or without a port; an IPv6 address with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok().map(IpAddr::V6);
    let with_port = || text.parse().ok().map(|address: SocketAddr| address.ip());
    text.parse().ok().or_else(bare).or_else(with_port).map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// The origin of a request from `peer`, with these lines of `X-Forwarded-For`.
    fn origin(peer: &str, lines: &[&'static str]) -> String {
        let proxies = ["10.0.0.0/8", "::1"].map(|text| text.parse::<Proxy>().unwrap()).into_iter().collect::<Proxies>();
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(X_FORWARDED_FOR, HeaderValue::from_static(line));
        }
        proxies.origin(ip(peer), &headers).to_string()
    }

    #[test]
    fn without_trusted_proxies_nobody_is_believed() {
        assert_eq!(origin("127.0.0.1", &["192.0.2.1"]), "127.0.0.1");
        assert_eq!(origin("198.51.100.1", &["192.0.2.1"]), "198.51.100.1");
    }

    #[test]
    fn hops_are_read_from_the_right_up_to_the_first_untrusted_one() {
        let of = |value| origin("10.0.0.1", &[value]);
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
        assert_eq!(of("8.8.8.8, 192.0.2.1, 10.9.9.9"), "192.0.2.1", "what the client wrote stays out");
        assert_eq!(of("10.1.1.1, 10.2.2.2"), "10.1.1.1", "a request of a proxy itself");
        assert_eq!(of("[2001:db8::1]:443"), "2001:db8::1");
        assert_eq!(of("192.0.2.1:5000, ::ffff:10.0.0.2"), "192.0.2.1");
        assert_eq!(origin("::ffff:10.0.0.1", &["192.0.2.1"]), "192.0.2.1");
        assert_eq!(origin("::1", &["8.8.8.8", "192.0.2.1"]), "192.0.2.1");
    }

    #[test]
    fn what_cannot_be_read_ends_the_walk_at_the_proxy_that_wrote_it() {
        let of = |value| origin("10.0.0.1", &[value]);
        for value in ["", "unknown", "8.8.8.8, _hidden", "192.0.2.1 8.8.8.8", "1.2.3", "8.8.8.8,"] {
            assert_eq!(of(value), "10.0.0.1", "{value}");
        }
        assert_eq!(of("junk, 10.0.0.2"), "10.0.0.2");
        assert_eq!(origin("10.0.0.1", &[]), "10.0.0.1");
    }

    #[test]
    fn a_proxy_is_an_address_or_a_network() {
        assert_eq!("192.0.2.1".parse::<Proxy>().unwrap().to_string(), "192.0.2.1/32");
        assert_eq!("fd00::/8".parse::<Proxy>().unwrap().to_string(), "fd00::/8");
        for text in ["", "proxy.example", "10.0.0.0/33", "10.0.0"] {
            assert!(text.parse::<Proxy>().is_err(), "{text}");
        }
    }
}

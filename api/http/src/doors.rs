//! The host names that are served, the pages that may open sockets, the proxies that are trusted, and the public address.

use std::net::IpAddr;

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderMap, ORIGIN};

use super::client::Proxies;
use super::public_url::PublicUrl;

/// Which requests are let in, by their `Host` and `Origin`.
///
/// Any site can point a name of its own at 127.0.0.1 and then send requests as "same origin" (DNS rebinding);
/// they carry that name in `Host`. And any page can open a WebSocket to any host; its own origin is in
/// `Origin`.
#[derive(Clone, Debug, Default)]
pub struct Doors {
    /// The names (without port) that are served; `None` for any.
    pub hosts: Option<Vec<String>>,
    /// Whether IP addresses are served besides these names. No site can make a browser send a foreign one.
    pub takes_addresses: bool,
    /// Origins (`https://example.org`) whose pages may send requests and open sockets, besides our own.
    pub origins: Vec<String>,
    /// The proxies that are trusted to say whom they forward a request for.
    pub proxies: Proxies,
    /// The address that links lead to; `None` for the one that a request was sent to.
    pub public_url: Option<PublicUrl>,
}

impl Doors {
    /// For a service that listens on `ip`. On loopback, only the names of loopback are served.
    pub fn at(ip: IpAddr) -> Self {
        let names = || ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        Self { hosts: ip.is_loopback().then(names), ..Self::default() }
    }

    /// The address of the service in links, for the answer to a request.
    pub fn public_url(&self, request: &HttpRequest) -> PublicUrl {
        self.public_url.clone().unwrap_or_else(|| PublicUrl::guessed(request, &self.proxies))
    }

    /// Whether the `Host` of a request is served.
    pub fn is_host_known(&self, headers: &HeaderMap) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        let Some(host) = text(headers, HOST) else { return false };
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
            || (self.takes_addresses && bare.parse::<IpAddr>().is_ok())
    }

    /// Whether the sender of these headers may open a socket. Programs send no `Origin`.
    pub fn is_origin_allowed(&self, headers: &HeaderMap) -> bool {
        if !headers.contains_key(ORIGIN) {
            return true;
        }
        let Some(origin) = text(headers, ORIGIN) else { return false };
        let own = origin
            .split_once("://")
            .is_some_and(|(_, authority)| text(headers, HOST).is_some_and(|host| host.eq_ignore_ascii_case(authority)));
        own || self.is_origin_listed(origin)
    }

    /// Whether the pages of another origin may use this service.
    pub fn is_origin_listed(&self, origin: &str) -> bool {
        self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
    }
}

fn text(headers: &HeaderMap, name: actix_web::http::header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use actix_web::http::header::HeaderValue;

    use super::*;

    fn headers(host: &'static str, origin: Option<&'static str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static(host));
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_static(origin));
        }
        headers
    }

    #[test]
    fn on_loopback_only_its_names_are_known() {
        let doors = Doors::at(Ipv4Addr::LOCALHOST.into());
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]"] {
            assert!(doors.is_host_known(&headers(host, None)), "{host}");
        }
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost:x", ""] {
            assert!(!doors.is_host_known(&headers(host, None)), "{host}");
        }
        assert!(!doors.is_host_known(&HeaderMap::new()));
        assert!(Doors::at(Ipv4Addr::UNSPECIFIED.into()).is_host_known(&headers("any.example", None)));
    }

    #[test]
    fn without_names_addresses_are_served_and_no_name_that_somebody_else_has_given_it() {
        let doors = Doors { hosts: Some(vec!["club".to_owned()]), takes_addresses: true, ..Doors::default() };
        for host in ["club", "192.0.2.1:8080", "[2001:db8::1]:8080", "[::1]"] {
            assert!(doors.is_host_known(&headers(host, None)), "{host}");
        }
        for host in ["evil.example", "192.0.2.1.evil.example", "club.evil.example", ""] {
            assert!(!doors.is_host_known(&headers(host, None)), "{host}");
        }
    }

    #[test]
    fn sockets_are_for_our_own_pages_programs_and_those_allowed() {
        let doors = Doors { origins: vec!["https://club.example".to_owned()], ..Doors::default() };
        let allowed = |origin| doors.is_origin_allowed(&headers("games.example:8080", origin));
        assert!(allowed(None) && allowed(Some("http://games.example:8080")) && allowed(Some("https://club.example")));
        for origin in ["http://games.example", "https://evil.example", "null", "https://club.example.evil", ""] {
            assert!(!allowed(Some(origin)), "{origin}");
        }
    }
}

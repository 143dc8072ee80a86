//! The host names that are served, the pages that may open sockets, the proxies that are trusted, and the public address.

use std::net::{IpAddr, SocketAddr, UdpSocket};

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
    /// The address at which other devices in the network reach the service; `None` if it listens on loopback only. Links lead
    /// there for those who ask at an address of loopback, such as an organiser whose slips are for phones.
    pub network_url: Option<PublicUrl>,
}

impl Doors {
    /// For a service that listens on `ip`. On loopback, only the names of loopback are served.
    pub fn at(ip: IpAddr) -> Self {
        let names = || ["localhost", "127.0.0.1", "[::1]"].map(str::to_owned).to_vec();
        Self { hosts: ip.is_loopback().then(names), ..Self::default() }
    }

    /// The address of the service in links, for the answer to a request.
    pub fn public_url(&self, request: &HttpRequest) -> PublicUrl {
        let guessed = || PublicUrl::guessed(request, &self.proxies);
        self.public_url.clone().unwrap_or_else(|| match (&self.network_url, guessed()) {
            (Some(network), guessed) if guessed.is_loopback() => network.clone(),
            (_, guessed) => guessed,
        })
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

/// The address of a service at `listen` for other devices in the network. If it listens at all addresses of the machine, it is the
/// one from which the machine reaches other networks; `None` if it listens on loopback only, or the machine is in no network.
pub fn network_url(listen: SocketAddr) -> Option<PublicUrl> {
    // Connecting a UDP socket looks up the route, and sends nothing. The address is one of those for documentation (RFC 5737).
    let from_here = || {
        let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
        socket.connect("192.0.2.1:9").ok()?;
        Some(socket.local_addr().ok()?.ip())
    };
    let ip = if listen.ip().is_unspecified() { from_here()? } else { listen.ip() };
    if ip.is_loopback() || ip.is_unspecified() || listen.port() == 0 {
        return None;
    }
    format!("http://{}", SocketAddr::new(ip, listen.port())).parse().ok()
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
    fn links_lead_to_where_other_devices_reach_the_service() {
        let network: PublicUrl = "http://192.168.1.20:8080".parse().expect("it is an address");
        let asked = |doors: &Doors, host: &'static str| {
            let request = actix_web::test::TestRequest::get().insert_header(("host", host)).to_http_request();
            doors.public_url(&request).to_string()
        };
        let doors = Doors { network_url: Some(network.clone()), ..Doors::default() };
        for host in ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert_eq!(asked(&doors, host), "http://192.168.1.20:8080", "{host}");
        }
        assert_eq!(asked(&doors, "hall.example:8080"), "http://hall.example:8080", "others found it by that name");
        assert_eq!(asked(&Doors::default(), "localhost:8080"), "http://localhost:8080", "it is nowhere else");
        let public = "https://games.example".parse().ok();
        assert_eq!(asked(&Doors { public_url: public, ..doors }, "localhost:8080"), "https://games.example");
        let at = |listen: &str| network_url(listen.parse().expect("it is an address"));
        assert_eq!(at("192.168.1.20:8080"), Some(network));
        assert_eq!((at("127.0.0.1:8080"), at("[::1]:8080")), (None, None));
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

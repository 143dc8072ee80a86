//! The public address of the service.

use std::fmt;
use std::str::FromStr;

use actix_web::HttpRequest;
use actix_web::http::header::{HOST, HeaderMap, X_FORWARDED_PROTO};
use url::{Host, Url};

use super::client::Proxies;

/// Where the public finds the service: `https://games.example.org`, perhaps with a path, without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

plybook_events::from_text!(PublicUrl);

/// Not the address of a site.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not the address of a site, such as https://games.example.org")]
pub struct PublicUrlError(String);

impl FromStr for PublicUrl {
    type Err = PublicUrlError;

    fn from_str(text: &str) -> Result<Self, PublicUrlError> {
        let is_of_site = |url: &Url| {
            let is_bare = url.query().is_none() && url.fragment().is_none();
            let is_anonymous = url.username().is_empty() && url.password().is_none();
            matches!(url.scheme(), "http" | "https") && url.has_host() && is_bare && is_anonymous
        };
        let url = Url::parse(text).ok().filter(is_of_site).ok_or_else(|| PublicUrlError(text.to_owned()))?;
        Ok(Self(url.as_str().trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PublicUrl {
    /// Whether only this machine finds the service there.
    pub(super) fn is_loopback(&self) -> bool {
        match Url::parse(&self.0).ok().as_ref().and_then(Url::host) {
            Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        }
    }

    /// Where this request found the service: the name in `Host`, by https if a trusted proxy says so. Nothing else that a
    /// client may write is believed.
    pub(super) fn guessed(request: &HttpRequest, proxies: &Proxies) -> Self {
        let headers = request.headers();
        let is_proxied = request.peer_addr().is_some_and(|peer| proxies.is_trusted(peer.ip()));
        let scheme = if is_proxied && is_https(headers) { "https" } else { "http" };
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
        let host = headers.get(HOST).and_then(|host| host.to_str().ok()).filter(|host| host.bytes().all(is_plain));
        let host = host.unwrap_or_default();
        format!("{scheme}://{host}").parse().unwrap_or_else(|_| Self(format!("{scheme}://localhost")))
    }
}

/// Whether the last proxy was asked by https.
fn is_https(headers: &HeaderMap) -> bool {
    let told = headers.get_all(X_FORWARDED_PROTO).last().and_then(|value| value.to_str().ok());
    told.and_then(|value| value.rsplit(',').next()).is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use actix_web::test::TestRequest;

    use super::*;
    use crate::Proxy;

    #[test]
    fn a_public_address_is_that_of_a_site() {
        let read = |text: &str| text.parse::<PublicUrl>().map(|url| url.to_string()).ok();
        assert_eq!(read("https://games.example.org/").as_deref(), Some("https://games.example.org"));
        assert_eq!(read("http://[::1]:8080").as_deref(), Some("http://[::1]:8080"));
        assert_eq!(read("https://example.org/games//").as_deref(), Some("https://example.org/games"));
        for wrong in
            ["", "games.example.org", "ftp://a", "https://", "https://a?b", "https://a#b", "https://me:x@a", "/a"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_a_trusted_proxy_is_believed() {
        let proxies: Proxies = ["10.0.0.0/8".parse::<Proxy>().expect("it is a network")].into_iter().collect();
        let guessed = |peer: &str, headers: &[(&'static str, &'static str)]| {
            let peer: SocketAddr = peer.parse().expect("it is an address");
            let request = headers
                .iter()
                .fold(TestRequest::get().peer_addr(peer), |request, &header| request.insert_header(header));
            PublicUrl::guessed(&request.to_http_request(), &proxies).to_string()
        };
        let (host, proto) = (("host", "games.example.org"), ("x-forwarded-proto", "http, https"));
        assert_eq!(guessed("10.0.0.1:1", &[host, proto]), "https://games.example.org");
        assert_eq!(guessed("10.0.0.1:1", &[host]), "http://games.example.org");
        assert_eq!(
            guessed("192.0.2.1:1", &[host, proto, ("x-forwarded-host", "evil.example")]),
            "http://games.example.org"
        );
        for strange in ["a\"b", "a/../b?c", "me@evil.example", ""] {
            assert_eq!(guessed("192.0.2.1:1", &[("host", strange)]), "http://localhost", "{strange}");
        }
    }
}

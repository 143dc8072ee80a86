//! An HTTP client: requests to other servers.
//!
//! Redirects are not followed. Certificates are those that the system trusts, or of `SSL_CERT_FILE` and `SSL_CERT_DIR`; proxies
//! those of `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use rustls::crypto::ring;
use ureq::http::Response;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, Error};
use url::Url;

/// What another server answered.
pub(crate) struct Answer {
    /// The status of HTTP.
    pub(crate) status: u16,
    /// The body.
    pub(crate) body: Vec<u8>,
}

/// How long an answer may take, and how many bytes it may have.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) time: Duration,
    pub(crate) bytes: u64,
}

static AGENT: LazyLock<Agent> = LazyLock::new(|| {
    let trusted = rustls_native_certs::load_native_certs().certs;
    let trusted: Vec<_> = trusted.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&trusted))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
    Agent::config_builder().tls_config(tls.build()).http_status_as_error(false).max_redirects(0).build().into()
});

/// Fetches what is at an address.
///
/// # Errors
/// There is no answer within the bounds, with the reason in words.
pub(crate) fn get(url: &Url, bounds: Bounds) -> Result<Answer, String> {
    let asked = AGENT.get(url.as_str()).config().timeout_global(Some(bounds.time)).build().call();
    read(asked, url, bounds)
}

/// Posts text to an address.
///
/// # Errors
/// There is no answer within the bounds, with the reason in words.
pub(crate) fn post(url: &Url, text: &str, bounds: Bounds) -> Result<Answer, String> {
    let asked = AGENT.post(url.as_str()).config().timeout_global(Some(bounds.time)).build();
    read(asked.content_type("text/plain").send(text), url, bounds)
}

fn read(answer: Result<Response<Body>, Error>, url: &Url, bounds: Bounds) -> Result<Answer, String> {
    let read = answer.and_then(|mut answer| {
        let body = answer.body_mut().with_config().limit(bounds.bytes).read_to_vec()?;
        Ok(Answer { status: answer.status().as_u16(), body })
    });
    read.map_err(|why| format!("{url}: {why}"))
}

/// The address of something below another address.
pub(crate) fn below(url: &Url, path: &str) -> Url {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    let before = url.path().trim_end_matches('/').to_owned();
    url.set_path(&format!("{before}/{path}"));
    url
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// What is made of an answer, if five bytes are allowed. The connection stays open.
    fn fetched(answer: &'static str, time: Duration) -> Result<(u16, Vec<u8>), String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            stream
        });
        let fetched = get(&url, Bounds { time, bytes: 5 });
        drop(server.join().unwrap());
        fetched.map(|Answer { status, body }| (status, body))
    }

    #[test]
    fn answers_are_bounded_and_redirects_not_followed() {
        let long = Duration::from_secs(60);
        let whole = fetched("HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\n\r\nhello", long);
        assert_eq!(whole, Ok((404, b"hello".to_vec())));
        let moved = fetched("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", long);
        assert_eq!(moved, Ok((302, Vec::new())));
        for (answer, time, problem) in [
            ("HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nhello!", long, "limit"),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n6\r\nhello!\r\n", long, "limit"),
            ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell", Duration::from_millis(200), "timeout"),
            ("HTTP/1.1 200", Duration::from_millis(200), "timeout"),
        ] {
            let why = fetched(answer, time).unwrap_err();
            assert!(why.starts_with("http://127.0.0.1:") && why.contains(problem), "{answer}: {why}");
        }
    }
}

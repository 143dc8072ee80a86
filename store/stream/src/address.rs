//! Which stream on which servers, and how to get there.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The most servers that an address names.
const SERVERS_MAX: usize = 16;

/// A stream on NATS servers, written `nats://host1,host2:4223/NAME`, or `tls://…` where nothing is said without TLS.
/// `?replicas=N` says on how many servers the stream has to be, 3 unless it is there.
///
/// It has no credentials, since addresses are seen in lists of processes and in logs: see [`NatsAccess`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsAddress {
    pub(crate) is_tls: bool,
    /// Hosts, with a port or without.
    hosts: Vec<String>,
    /// The name of the stream, which is also its only subject.
    pub(crate) stream: String,
    pub(crate) replicas: u64,
}

/// What it takes to be let in.
#[derive(Clone, Debug, Default)]
pub struct NatsAccess {
    /// A file of credentials as `nsc` writes it (a JWT and a seed), or with one line `user:password`.
    pub credentials: Option<PathBuf>,
    /// The certificates of authorities that are trusted beside those of the system, in PEM.
    pub authorities: Option<PathBuf>,
}

/// Why a text names no stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NatsAddressError {
    /// It does not begin as such an address.
    #[error("the address of a stream is nats://HOST[,HOST…]/NAME or tls://HOST[,HOST…]/NAME")]
    Form,
    /// A host is empty or has characters that no host has, or there are too many.
    #[error("an address names 1 to {SERVERS_MAX} hosts, each with a port or without")]
    Hosts,
    /// It holds a user name, a password or a token.
    #[error("an address holds no credentials, which others could see: put them into a file and name that")]
    Credentials,
    /// Letters, digits, `_` and `-` are a name.
    #[error("the name of a stream has 1 to 64 letters, digits, hyphens and underscores")]
    Name,
    /// Only `replicas` follows the question mark.
    #[error("after the name there may be ?replicas=1, 3 or 5")]
    Parameter,
}

impl NatsAddress {
    /// What the client connects to, server by server.
    pub(crate) fn servers(&self) -> Vec<String> {
        let scheme = self.scheme();
        self.hosts.iter().map(|host| format!("{scheme}://{host}")).collect()
    }

    fn scheme(&self) -> &'static str {
        if self.is_tls { "tls" } else { "nats" }
    }
}

impl FromStr for NatsAddress {
    type Err = NatsAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (scheme, rest) = text.split_once("://").ok_or(NatsAddressError::Form)?;
        let is_tls = match scheme {
            "nats" => false,
            "tls" => true,
            _ => return Err(NatsAddressError::Form),
        };
        let (hosts, name) = rest.split_once('/').ok_or(NatsAddressError::Form)?;
        if hosts.contains('@') {
            return Err(NatsAddressError::Credentials);
        }
        let hosts: Vec<String> = hosts.split(',').map(str::to_owned).collect();
        let is_host = |host: &String| {
            !host.is_empty() && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-_:[]".contains(&b))
        };
        if hosts.len() > SERVERS_MAX || !hosts.iter().all(is_host) {
            return Err(NatsAddressError::Hosts);
        }
        let (stream, replicas) = match name.split_once('?') {
            None => (name, 3),
            Some((stream, "replicas=1")) => (stream, 1),
            Some((stream, "replicas=3")) => (stream, 3),
            Some((stream, "replicas=5")) => (stream, 5),
            Some(_) => return Err(NatsAddressError::Parameter),
        };
        if !is_name(stream) {
            return Err(NatsAddressError::Name);
        }
        Ok(Self { is_tls, hosts, stream: stream.to_owned(), replicas })
    }
}

fn is_name(stream: &str) -> bool {
    (1..=64).contains(&stream.len()) && stream.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}/{}", self.scheme(), self.hosts.join(","), self.stream)?;
        if self.replicas == 3 { Ok(()) } else { write!(f, "?replicas={}", self.replicas) }
    }
}

#[cfg(test)]
mod tests;

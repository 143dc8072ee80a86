//! The client that work counts against: its token, or the address it comes from.

use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::OnceLock;

use ipnet::Ipv6Net;

/// The client that a request counts against wherever clients have shares: a key that is equal for all
/// requests of one client.
///
/// The holder of a valid token is identified by the token, from whatever address. Anybody else is identified
/// by the address; an IPv6 network (/64) counts as one, because its owner has all of its addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// A hash of the token, with a key of this process.
    Token {
        /// The hash.
        hash: u64,
        /// Whether the administrators' budget applies, and the parts of pools that are kept for them.
        is_administrator: bool,
    },
    /// The address of somebody without a token.
    Address(IpAddr),
}

impl Client {
    /// The client at an address.
    pub fn at(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = Ipv6Net::new(address, 64).expect("an IPv6 address has more than 64 bits");
                network.network().into()
            }
            address @ IpAddr::V4(_) => address,
        })
    }

    /// The holder of a token, which must be valid: otherwise a client could pose as any number of others.
    pub fn with_token(token: &str, is_administrator: bool) -> Self {
        static KEY: OnceLock<RandomState> = OnceLock::new();
        Self::Token { hash: KEY.get_or_init(RandomState::new).hash_one(token), is_administrator }
    }

    /// Whether it is an administrator.
    pub fn is_administrator(self) -> bool {
        matches!(self, Self::Token { is_administrator: true, .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_of_ipv6_is_one_client_and_a_mapped_address_is_the_one_it_maps() {
        assert_eq!(Client::at(ip("2001:db8:1:2::1")), Client::at(ip("2001:db8:1:2:ffff::9")));
        assert_ne!(Client::at(ip("2001:db8:1:2::1")), Client::at(ip("2001:db8:1:3::1")));
        assert_eq!(Client::at(ip("::ffff:192.0.2.7")), Client::at(ip("192.0.2.7")));
        assert_ne!(Client::at(ip("192.0.2.7")), Client::at(ip("192.0.2.8")));
        assert_eq!(Client::with_token("a", false), Client::with_token("a", false));
        assert_ne!(Client::with_token("a", false), Client::with_token("b", false));
    }
}

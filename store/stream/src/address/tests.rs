use super::*;

#[test]
fn an_address_reads_back() {
    for text in ["nats://a/plybook", "tls://a.example:4223,b,[::1]:4222/my-games_2", "nats://127.0.0.1/x?replicas=1"] {
        assert_eq!(text.parse::<NatsAddress>().unwrap().to_string(), text);
    }
    let address: NatsAddress = "tls://a,b:4223/games?replicas=5".parse().unwrap();
    assert_eq!((address.servers(), address.replicas), (vec!["tls://a".to_owned(), "tls://b:4223".to_owned()], 5));
}

#[test]
fn what_is_no_address_says_why() {
    for (text, why) in [
        ("plybook-data", NatsAddressError::Form),
        ("http://a/plybook", NatsAddressError::Form),
        ("nats://a", NatsAddressError::Form),
        ("nats:///plybook", NatsAddressError::Hosts),
        ("nats://a,,b/plybook", NatsAddressError::Hosts),
        ("nats://user:secret@a/plybook", NatsAddressError::Credentials),
        ("nats://a/", NatsAddressError::Name),
        ("nats://a/games.2", NatsAddressError::Name),
        ("nats://a/games/2", NatsAddressError::Name),
        ("nats://a/games?replicas=2", NatsAddressError::Parameter),
    ] {
        assert_eq!(text.parse::<NatsAddress>(), Err(why), "{text}");
    }
}

//! Settings that would start a service that nobody can use, or whose secrets others can read.

use std::fs;
use std::ops::RangeInclusive;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use plybook_http::{Doors, Proxy, Share, Shares};
use plybook_service::load::LoadLimits;
use url::{Host, Origin, Url};

use super::Failure;

/// The files of a data directory that only their owner may read.
pub(crate) const SECRET_FILES: [&str; 6] =
    ["vault", "tokens.jsonl", "personal.json", "admin-token", "tlog/key", "tlog/key.old"];

/// Checks the names, origins and proxies that are let in.
///
/// # Errors
/// One of them can never match, or matches everybody.
pub(crate) fn check_doors(hosts: &[String], origins: &[String], proxies: &[Proxy]) -> Result<(), Failure> {
    for host in hosts {
        if as_sent(host).as_deref() != Some(&*host.to_ascii_lowercase()) {
            let name = host.rsplit("//").next().and_then(|rest| rest.split(['/', ':']).next()).unwrap_or_default();
            let right = as_sent(host)
                .or_else(|| as_sent(&format!("[{host}]")))
                .or_else(|| as_sent(name.trim_start_matches("*.")))
                .unwrap_or_else(|| "games.example.org".to_owned());
            return Err(Failure::trouble(format!("host: {host:?} is no name of a host: write {right}")));
        }
    }
    for origin in origins {
        let found = Url::parse(origin).map(|url| url.origin());
        match found {
            Ok(found) if is_site(&found) && found.ascii_serialization() == origin.to_ascii_lowercase() => {}
            Ok(found) if is_site(&found) => {
                let right = found.ascii_serialization();
                return Err(Failure::trouble(format!("origin: browsers send {right}, not {origin:?}: write that")));
            }
            _ => {
                return Err(Failure::trouble(format!(
                    "origin: {origin:?} is no origin: write it like https://games.example.org"
                )));
            }
        }
    }
    let is_everybody = |proxy: &String| matches!(proxy.rsplit_once('/'), Some((_, "0" | "1")));
    match proxies.iter().map(ToString::to_string).find(is_everybody) {
        Some(proxy) => Err(Failure::trouble(format!(
            "trusted-proxy: {proxy} trusts everybody, who could then write any address: name the proxies"
        ))),
        None => Ok(()),
    }
}

/// The name of a host as browsers send it; `None` if it is none.
fn as_sent(host: &str) -> Option<String> {
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    };
    let host = Host::parse(host.trim_end_matches('.')).ok()?.to_string();
    (host.starts_with('[') || host.split('.').all(is_label)).then_some(host)
}

/// Whether a page may have this origin.
fn is_site(origin: &Origin) -> bool {
    matches!(origin, Origin::Tuple(scheme, ..) if matches!(scheme.as_str(), "http" | "https"))
}

/// Checks the shares of clients, who get part of all this memory.
///
/// # Errors
/// One of them admits nobody, a client may hold more than there is, or clients more memory than there is.
pub(crate) fn check_shares(shares: &Shares, memory_bytes: u64) -> Result<(), Failure> {
    let Shares { memory, sockets, subscriptions, connections } = shares;
    let named = [
        ("request-memory-mib", memory),
        ("sockets", sockets),
        ("subscriptions", subscriptions),
        ("connections", connections),
    ];
    for (name, Share { all, client, .. }) in named {
        if *all == 0 || *client == 0 {
            return Err(Failure::trouble(format!("{name}: with 0, nobody is admitted: name at least 1")));
        }
        if client > all {
            return Err(Failure::trouble(format!(
                "{name}-per-client: {client} are more than the {all} that there are for all: name at most {all}"
            )));
        }
    }
    check_range("request-memory-mib", Some(memory.all >> 20), 0..=memory_bytes >> 20)
}

/// Checks what operations may cost.
///
/// # Errors
/// With one of them, the viewer's own queries would be refused, or nothing would be.
pub(crate) fn check_costs(load: &LoadLimits) -> Result<(), Failure> {
    let named = [
        ("workers", load.workers as u64, 1..=256),
        ("operation-cost", load.operation_units.into(), 5_000..=10_000_000),
        ("operation-cpu-ms", load.operation_cpu_ms, 100..=100_000),
        ("answer-mib", load.answer_bytes as u64 >> 20, 1..=1_024),
        ("waiting", load.waiting as u64, 1..=100_000),
    ];
    named.into_iter().try_for_each(|(name, number, range)| check_range(name, Some(number), range))
}

/// Checks a number.
///
/// # Errors
/// It is out of range.
pub(crate) fn check_range(name: &str, number: Option<u64>, range: RangeInclusive<u64>) -> Result<(), Failure> {
    match number.filter(|number| !range.contains(number)) {
        Some(number) if number < *range.start() => {
            Err(Failure::trouble(format!("{name}: {number} is too little: name at least {}", range.start())))
        }
        Some(number) => Err(Failure::trouble(format!("{name}: {number} is too much: name at most {}", range.end()))),
        None => Ok(()),
    }
}

/// Checks that there is as much memory as is to be taken.
///
/// # Errors
/// The machine, or the container, has less.
pub(crate) fn check_memory(wanted: u64, machine: u64) -> Result<(), Failure> {
    if wanted <= machine {
        return Ok(());
    }
    let mib = |bytes: u64| bytes >> 20;
    Err(Failure::trouble(format!(
        "memory: {} MiB are more than the {} MiB that the machine has: name at most half of that",
        mib(wanted),
        mib(machine)
    )))
}

/// Warns of files with secrets that others can read: those in the data directory, and further ones.
pub(crate) fn warn_of_modes<'a>(dir: &Path, further: impl IntoIterator<Item = &'a Path>) {
    let own = SECRET_FILES.iter().map(|name| dir.join(name));
    for path in own.chain(further.into_iter().map(Path::to_owned)) {
        if let Some(mode) = open_mode(&path) {
            let path = path.display();
            tracing::warn!("{path} is open to others (mode {mode:o}): chmod 600 {path}; its secrets may be known");
        }
    }
}

/// Warns of variables that nothing reads, most likely because they are misspelt.
pub(crate) fn warn_of_variables(known: &[String]) {
    for name in std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()) {
        if name.starts_with("PLYBOOK_") && name != "PLYBOOK_LOG" && !known.contains(&name) {
            tracing::warn!("the environment variable {name} sets nothing: docs/settings.md lists those that do");
        }
    }
}

/// The mode of a file that is open to others than its owner; `None` if it is not, or not there.
pub(crate) fn open_mode(path: &Path) -> Option<u32> {
    let mode = fs::metadata(path).ok()?.mode() & 0o777;
    (mode & 0o077 != 0).then_some(mode)
}

/// The host names to answer to: those that are set, or, if none are, the machine's own.
pub(crate) fn answer_to(doors: &mut Doors, hosts: Vec<String>) {
    if hosts.is_empty() {
        if doors.hosts.is_none() && doors.public_url.is_none() {
            let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
            tracing::warn!("it answers to localhost, {name} and addresses only: name other hosts with --host");
            doors.hosts = Some(vec!["localhost".to_owned(), format!("{name}.local"), name]);
            doors.takes_addresses = true;
        }
    } else {
        doors.hosts.get_or_insert_default().extend(hosts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_never_match_is_refused_with_what_would() {
        let why = |hosts: &[&str], origins: &[&str], proxies: &[&str]| {
            let own = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
            let proxies: Vec<Proxy> = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
            check_doors(&own(hosts), &own(origins), &proxies).err().map(|why| why.message)
        };
        assert_eq!(
            why(
                &["games.example.org", "Hall_2", "[::1]", "10.0.0.1"],
                &["https://a.example", "http://b:8080"],
                &["10.0.0.0/8"]
            ),
            None
        );
        for wrong in ["https://games.example.org", "games.example.org:443", "games.example.org/x"] {
            let why = why(&[wrong], &[], &[]).unwrap();
            assert!(why.ends_with("write games.example.org"), "{why}");
        }
        for (wrong, right) in [
            ("games.example.org.", "write games.example.org"),
            ("*.example.org", "write example.org"),
            ("a..example.org", "write games.example.org"),
            ("m\u{fc}nchen.example", "write xn--mnchen-3ya.example"),
            ("::1", "write [::1]"),
            ("0x7f.1", "write 127.0.0.1"),
        ] {
            let why = why(&[wrong], &[], &[]).unwrap();
            assert!(why.ends_with(right), "{why}");
        }
        for wrong in ["https://a.example/", "https://a.example:443", "https://a.example/x"] {
            assert!(why(&[], &[wrong], &[]).unwrap().contains("send https://a.example,"), "{wrong}");
        }
        for wrong in ["a.example", "ftp://a.example", "null"] {
            assert!(why(&[], &[wrong], &[]).unwrap().contains("write it like https://"), "{wrong}");
        }
        for wrong in [&["0.0.0.0/0"][..], &["::/0"], &["10.0.0.0/8", "128.0.0.0/1"]] {
            assert!(why(&[], &[], wrong).unwrap().contains("trusts everybody"), "{wrong:?}");
        }
    }

    #[test]
    fn shares_admit_somebody_and_no_client_has_more_than_all() {
        let usual = Shares::default();
        check_shares(&usual, 2 << 30).unwrap();
        assert!(check_shares(&usual, 128 << 20).unwrap_err().message.contains("request-memory-mib: 256 is too much"));
        let none = Share { all: 0, client: 0, kept: 0 };
        assert!(
            check_shares(&Shares { connections: none, ..usual }, 2 << 30)
                .unwrap_err()
                .message
                .contains("connections: with 0")
        );
        let more = Share { all: 10, client: 11, kept: 0 };
        let why = check_shares(&Shares { sockets: more, ..usual }, 2 << 30).unwrap_err().message;
        assert!(why.contains("sockets-per-client: 11") && why.ends_with("at most 10"), "{why}");
        assert!(check_memory(1 << 40, 1 << 30).is_err() && check_memory(1 << 30, 1 << 30).is_ok());
    }
}

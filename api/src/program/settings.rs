//! Settings from flags, environment variables or a TOML file, in that order of precedence.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use bytesize::ByteSize;
use clap::Args;
use plybook_events::{from_text, read_text};
use plybook_http::{Proxy, PublicUrl, Share, Shares};
use plybook_service::Service;
use plybook_service::access::QuotaLimits;
use plybook_service::load::LoadLimits;
use plybook_store::{JournalPlace, Memory, NatsAccess, NatsAddress, Options, VaultKey};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::costs::Costs;
use super::{Failure, data};
use crate::witnesses::WitnessAddress;

/// Where the data is stored.
#[derive(Debug, Args)]
#[allow(clippy::struct_field_names, reason = "fields are named like the flags")]
pub(crate) struct Data {
    /// The data directory [default: plybook-data]
    #[arg(long, value_name = "DIR", env = "PLYBOOK_DATA")]
    data: Option<PathBuf>,
    /// A TOML file with settings, named like the long flags
    #[arg(long, value_name = "FILE", env = "PLYBOOK_CONFIG")]
    config: Option<PathBuf>,
    /// The file with the key that the vault is encrypted with; `plybook vault key` makes one
    #[arg(long, value_name = "FILE", env = "PLYBOOK_VAULT_KEY_FILE")]
    vault_key_file: Option<PathBuf>,
    /// The stream on NATS servers that holds the journal, such as `nats://n1,n2,n3/games` [default: files in the data directory]
    #[arg(long, value_name = "nats://…", env = "PLYBOOK_JOURNAL")]
    journal: Option<NatsAddress>,
    #[command(flatten)]
    access: Access,
}

/// How NATS servers let this program in.
#[derive(Clone, Debug, Args)]
pub(crate) struct Access {
    /// A file with credentials for NATS: as nsc writes it, or one line USER:PASSWORD
    #[arg(long, value_name = "FILE", env = "PLYBOOK_NATS_CREDENTIALS")]
    nats_credentials: Option<PathBuf>,
    /// A file with the certificates of authorities to trust beside those of the system, in PEM
    #[arg(long, value_name = "FILE", env = "PLYBOOK_NATS_CA")]
    nats_ca: Option<PathBuf>,
}

impl From<Access> for NatsAccess {
    fn from(access: Access) -> Self {
        Self { credentials: access.nats_credentials, authorities: access.nats_ca }
    }
}

/// The settings that a TOML file may contain.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(clippy::struct_field_names, reason = "fields are named like the flags")]
pub(crate) struct File {
    data: Option<PathBuf>,
    vault_key_file: Option<PathBuf>,
    #[serde(default, deserialize_with = "address")]
    journal: Option<NatsAddress>,
    nats_credentials: Option<PathBuf>,
    nats_ca: Option<PathBuf>,
    #[serde(default, deserialize_with = "socket")]
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) host: Option<Vec<String>>,
    pub(crate) origin: Option<Vec<String>>,
    pub(crate) public_url: Option<PublicUrl>,
    pub(crate) trusted_proxy: Option<Vec<Proxy>>,
    pub(crate) metrics_listen: Option<MetricsListen>,
    pub(crate) request_memory_mib: Option<u64>,
    sockets: Option<u64>,
    sockets_per_client: Option<u64>,
    subscriptions: Option<u64>,
    subscriptions_per_client: Option<u64>,
    connections: Option<u64>,
    connections_per_client: Option<u64>,
    pub(crate) tlog_origin: Option<String>,
    pub(crate) witness: Option<Vec<WitnessAddress>>,
    pub(crate) witness_quorum: Option<usize>,
    pub(crate) analysis_workers: Option<u16>,
    pub(crate) access_lines: Option<u32>,
    pub(crate) drain_seconds: Option<u64>,
    pub(crate) segment_mib: Option<u64>,
    compress_journal: Option<bool>,
    pub(crate) memory: Option<MemorySize>,
    /// The cost of requests.
    #[serde(default)]
    pub(crate) limits: Costs,
    /// What a token may add in a day.
    #[serde(default)]
    pub(crate) quotas: QuotaLimits,
}

/// Reads the address of a stream.
fn address<'de, D: Deserializer<'de>>(from: D) -> Result<Option<NatsAddress>, D::Error> {
    read_text(from).map(Some)
}

/// Parses the address of a socket.
pub(super) fn socket_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write an address and a port, like 127.0.0.1:8080 or [::]:8080".to_owned())
}

/// Reads the address of a socket.
fn socket<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SocketAddr>, D::Error> {
    socket_address(&String::deserialize(from)?).map(Some).map_err(D::Error::custom)
}

/// Whether a line sets something. An error shows the line that it is in, so nothing is shown of another file, such as a key.
fn sets_something(text: &str) -> bool {
    let is_name = |name: &str| name.chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_whitespace());
    text.lines().filter_map(|line| line.split_once('=')).any(|(name, value)| is_name(name) && !value.is_empty())
}

/// Checks the text of a settings file, just as `plybook serve --config` reads it.
///
/// # Errors
/// What is wrong with it, and where.
pub fn check_settings(text: &str) -> Result<(), String> {
    let file: File = toml::from_str(text).map_err(|why| why.to_string())?;
    file.shares(None, Memory::USUAL);
    file.limits.apply(LoadLimits::default());
    Ok(())
}

/// How much memory may be taken: a number with a unit, such as `2GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemorySize(Memory);

from_text!(MemorySize);

impl MemorySize {
    /// Less is not enough for the caches.
    const LEAST: ByteSize = ByteSize::mib(128);

    /// A quarter of what the machine has; at most 2 GiB.
    fn usual() -> Self {
        Self(Memory::of((Self::of_machine() / 4).max(Self::LEAST.as_u64())).min(Memory::USUAL))
    }

    /// The bytes that the machine has, or a container's limit if that is less.
    pub(crate) fn of_machine() -> u64 {
        let read = |path, find: fn(&str) -> Option<u64>| find(&std::fs::read_to_string(path).ok()?);
        let machine = read("/proc/meminfo", |text| {
            let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
            total.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
        });
        let group = read("/sys/fs/cgroup/memory.max", |text| text.trim().parse().ok());
        [machine, group].into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

impl From<MemorySize> for Memory {
    fn from(size: MemorySize) -> Self {
        size.0
    }
}

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let size =
            text.parse::<ByteSize>().map_err(|_| format!("{text:?} is no size: write it like 512MiB or 2GiB"))?;
        if size < Self::LEAST {
            return Err(format!("{text} is too little: at least {} are needed", Self::LEAST));
        }
        Ok(Self(Memory::of(size.as_u64())))
    }
}

/// Where metrics are served.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MetricsListen {
    /// Nowhere.
    Off,
    /// At this address.
    At(SocketAddr),
}

from_text!(MetricsListen);

impl FromStr for MetricsListen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::At).map_err(|_| format!("{text:?} is neither an address with a port nor off")),
        }
    }
}

/// The share of a pool that one client may hold unless a setting says otherwise, and the share reserved for
/// administrators.
const CLIENT_PART: u64 = 4;
const KEPT_PART: u64 = 16;

/// The 64ths of the memory that requests may hold.
const REQUEST_PARTS: u64 = 8;

impl File {
    /// Whether closed segments of the journal are compressed.
    pub(crate) fn compresses(&self) -> bool {
        self.compress_journal.unwrap_or(true)
    }

    /// The sizes of the pools that clients share; `memory_mib` takes precedence over the file. Unless one of them says otherwise,
    /// requests may hold a part of all `memory`.
    pub(crate) fn shares(&self, memory_mib: Option<u64>, memory: Memory) -> Shares {
        let usual = Shares::default();
        let share = |all: Option<u64>, client: Option<u64>, usual: Share| Share {
            all: all.unwrap_or(usual.all),
            client: client.unwrap_or(usual.client.min(all.unwrap_or(u64::MAX))),
            kept: all.map_or(usual.kept, |all| all / KEPT_PART),
        };
        let memory_mib = memory_mib.or(self.request_memory_mib);
        let memory = memory_mib.map_or(memory.parts(REQUEST_PARTS), |mib| mib.saturating_mul(1 << 20));
        Shares {
            memory: share(Some(memory), Some(memory / CLIENT_PART), usual.memory),
            sockets: share(self.sockets, self.sockets_per_client, usual.sockets),
            subscriptions: share(self.subscriptions, self.subscriptions_per_client, usual.subscriptions),
            connections: Share { kept: 0, ..share(self.connections, self.connections_per_client, usual.connections) },
        }
    }
}

impl Data {
    /// Reads the settings file; all settings are empty if there is none.
    pub(crate) fn file(&self) -> Result<File, Failure> {
        let Some(path) = &self.config else { return Ok(File::default()) };
        let trouble = |why: &dyn std::fmt::Display| Failure::trouble(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|why| trouble(&why))?;
        let file: File = toml::from_str(&text).map_err(|why| {
            if sets_something(&text) {
                trouble(&why)
            } else {
                trouble(&"it holds no settings, such as listen = \"127.0.0.1:8080\"")
            }
        })?;
        let paths = [
            ("data", &file.data),
            ("vault-key-file", &file.vault_key_file),
            ("nats-credentials", &file.nats_credentials),
            ("nats-ca", &file.nats_ca),
        ];
        for (name, set) in paths {
            if set.as_ref().is_some_and(|path| path.as_os_str().is_empty()) {
                return Err(trouble(&format!("{name} is empty: write a path, or leave it out")));
            }
        }
        Ok(file)
    }

    /// How the data directory is opened.
    pub(crate) fn options(&self, file: &File) -> Result<Options, Failure> {
        let usual = Options::DEFAULT;
        Ok(Options {
            journal: self.journal(file),
            segment_bytes: file.segment_mib.map_or(usual.segment_bytes, |mib| mib << 20),
            memory: file.memory.unwrap_or_else(MemorySize::usual).into(),
            vault_key: self.vault_key(file)?,
            ..usual
        })
    }

    /// Where the journal is.
    pub(crate) fn journal(&self, file: &File) -> JournalPlace {
        let address = self.journal.as_ref().or(file.journal.as_ref());
        let Access { nats_credentials, nats_ca } = &self.access;
        let access = NatsAccess {
            credentials: nats_credentials.as_ref().or(file.nats_credentials.as_ref()).cloned(),
            authorities: nats_ca.as_ref().or(file.nats_ca.as_ref()).cloned(),
        };
        address.map_or(JournalPlace::Files, |address| JournalPlace::Stream(address.clone(), access))
    }

    /// The file with the key of the vault, if one is set.
    pub(crate) fn vault_key_file<'a>(&'a self, file: &'a File) -> Option<&'a Path> {
        self.vault_key_file.as_deref().or(file.vault_key_file.as_deref())
    }

    /// The files outside the data directory that only their owner should be able to read.
    pub(crate) fn secret_files<'a>(&'a self, file: &'a File) -> impl Iterator<Item = &'a Path> {
        let credentials = self.access.nats_credentials.as_deref().or(file.nats_credentials.as_deref());
        [self.vault_key_file(file), credentials].into_iter().flatten()
    }

    /// The key of the vault, if one is set.
    pub(crate) fn vault_key(&self, file: &File) -> Result<Option<VaultKey>, Failure> {
        self.vault_key_file(file).map(VaultKey::read).transpose().map_err(Failure::trouble)
    }

    /// Opens the data directory for reading: nothing in it changes, and a service may be using it.
    pub(crate) fn read(&self) -> Result<Arc<Service>, Failure> {
        let file = self.file()?;
        data::read(&self.dir_of_files(&file)?, self.vault_key(&file)?.as_ref())
    }

    /// Opens the data directory for reading, with the analyses in its index. No service may be using it.
    pub(crate) fn read_with_analyses(&self) -> Result<Arc<Service>, Failure> {
        let file = self.file()?;
        data::read_with_analyses(&self.dir(&file), &self.options(&file)?)
    }

    /// The data directory, for a command that knows journals in files alone.
    ///
    /// # Errors
    /// The journal is in a stream.
    pub(crate) fn dir_of_files(&self, file: &File) -> Result<PathBuf, Failure> {
        match self.journal(file) {
            JournalPlace::Files => Ok(self.dir(file)),
            JournalPlace::Stream(address, _) => Err(Failure::trouble(format!(
                "this command reads a journal in files, and --journal names {address}: copy that to a data directory \
                 with `plybook journal copy`, and name the directory alone"
            ))),
        }
    }

    /// The data directory, for a command that changes what nodes would share.
    ///
    /// # Errors
    /// The journal is in a stream.
    pub(crate) fn dir_to_change(&self, file: &File) -> Result<PathBuf, Failure> {
        match self.journal(file) {
            JournalPlace::Files => Ok(self.dir(file)),
            JournalPlace::Stream(address, _) => Err(Failure::trouble(format!(
                "this cannot be changed in {address}, which nodes share: stop them, copy all of it to a data directory with \
                 `plybook journal copy --vault-key-file …`, change it there, and go on with a new stream \
                 (docs/cluster.md#back-to-files)"
            ))),
        }
    }

    /// The data directory.
    pub(crate) fn dir(&self, file: &File) -> PathBuf {
        let data = self.data.clone().or_else(|| file.data.clone());
        data.unwrap_or_else(|| PathBuf::from("plybook-data"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_come_with_the_program_are_read() {
        for text in [include_str!("../../debian/plybook.toml"), include_str!("../../../docs/cluster/plybook.toml")] {
            let suggested =
                text.replace("# host", "host").replace("# public", "public").replace("# trusted", "trusted");
            assert_ne!(suggested, text);
            for text in [text, &suggested] {
                assert_eq!(check_settings(text), Ok(()), "{text}");
            }
        }
    }

    #[test]
    fn memory_is_a_size_with_a_unit() {
        let size = |text: &str| text.parse::<MemorySize>().map(Memory::from);
        assert_eq!(size("2GiB"), Ok(Memory::of(2 << 30)));
        assert_eq!(size("512 MiB"), Ok(Memory::of(512 << 20)));
        assert_eq!(size("2GB"), Ok(Memory::of(2_000_000_000)));
        for wrong in ["", "much", "2 parsecs", "-1GiB"] {
            assert!(size(wrong).unwrap_err().contains("write it like 512MiB"), "{wrong}");
        }
        for little in ["0", "512", "127MiB"] {
            assert!(size(little).unwrap_err().contains("at least 128.0 MiB"), "{little}: {:?}", size(little));
        }
    }

    #[test]
    fn without_a_setting_memory_is_bounded_by_the_machine_and_by_two_gib() {
        let usual = Memory::from(MemorySize::usual());
        assert!((Memory::of(128 << 20)..=Memory::USUAL).contains(&usual), "{usual:?}");
        assert_eq!(File::default().shares(None, Memory::USUAL), Shares::default());
        let little = File::default().shares(None, Memory::of(512 << 20));
        assert_eq!(little.memory, Share { all: 64 << 20, client: 16 << 20, kept: 4 << 20 });
    }
}

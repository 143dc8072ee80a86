//! Settings from flags, environment variables or a TOML file, in that order of precedence.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use plybook_store::{Options, Upkeep, VaultKey};
use serde::Deserialize;

use super::costs::Costs;
use super::queries::Queries;
use super::{Failure, data};
use crate::http::{Limits, Proxy, PublicUrl, Share, Shares};
use crate::load::LoadLimits;
use crate::service::Service;
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
}

/// The settings that a TOML file may contain.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[allow(clippy::struct_field_names, reason = "fields are named like the flags")]
pub(crate) struct File {
    data: Option<PathBuf>,
    vault_key_file: Option<PathBuf>,
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
    pub(crate) segment_mib: Option<u64>,
    compress_journal: Option<bool>,
    scrub_mib_s: Option<u64>,
    pub(crate) cache_mib: Option<u64>,
    /// The cost of requests.
    #[serde(default)]
    pub(crate) limits: Costs,
    /// The size of queries.
    #[serde(default)]
    pub(crate) queries: Queries,
}

/// Checks the text of a settings file, just as `plybook serve --config` reads it.
///
/// # Errors
/// What is wrong with it, and where.
pub fn check_settings(text: &str) -> Result<(), String> {
    let file: File = toml::from_str(text).map_err(|why| why.to_string())?;
    file.shares(None);
    file.queries.apply(&Limits { load: file.limits.apply(LoadLimits::default()), ..Limits::default() });
    Ok(())
}

/// How fast closed segments of the journal are read again, in MiB of text a second.
const SCRUB_MIB_S: u64 = 8;

/// How long they are left alone after they were read.
const SCRUB_EVERY: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Where metrics are served.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum MetricsListen {
    /// Nowhere.
    Off,
    /// At this address.
    At(SocketAddr),
}

impl FromStr for MetricsListen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            _ => text.parse().map(Self::At).map_err(|_| format!("{text:?} is neither an address with a port nor off")),
        }
    }
}

impl TryFrom<String> for MetricsListen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// The share of a pool that one client may hold unless a setting says otherwise, and the share reserved for
/// administrators.
const CLIENT_PART: u64 = 4;
const KEPT_PART: u64 = 16;

impl File {
    /// What is done for closed segments of the journal.
    pub(crate) fn upkeep(&self) -> Upkeep {
        let scrub_mib_s = self.scrub_mib_s.unwrap_or(SCRUB_MIB_S);
        Upkeep {
            compresses: self.compress_journal.unwrap_or(true),
            scrub_bytes_s: scrub_mib_s.saturating_mul(1 << 20),
            scrub_every: SCRUB_EVERY,
        }
    }

    /// The sizes of the pools that clients share; `memory_mib` takes precedence over the file.
    pub(crate) fn shares(&self, memory_mib: Option<u64>) -> Shares {
        let usual = Shares::default();
        let share = |all: Option<u64>, client: Option<u64>, usual: Share| Share {
            all: all.unwrap_or(usual.all),
            client: client.unwrap_or(usual.client),
            kept: all.map_or(usual.kept, |all| all / KEPT_PART),
        };
        let memory = memory_mib.or(self.request_memory_mib).map(|mib| mib.saturating_mul(1 << 20));
        Shares {
            memory: share(memory, memory.map(|bytes| bytes / CLIENT_PART), usual.memory),
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
        toml::from_str(&text).map_err(|why| trouble(&why))
    }

    /// How the data directory is opened.
    pub(crate) fn options(&self, file: &File) -> Result<Options, Failure> {
        let usual = Options::DEFAULT;
        Ok(Options {
            segment_bytes: file.segment_mib.map_or(usual.segment_bytes, |mib| mib << 20),
            cache_bytes: file.cache_mib.map_or(usual.cache_bytes, |mib| mib << 20),
            vault_key: self.vault_key(file)?,
            ..usual
        })
    }

    /// The file with the key of the vault, if one is set.
    pub(crate) fn vault_key_file<'a>(&'a self, file: &'a File) -> Option<&'a Path> {
        self.vault_key_file.as_deref().or(file.vault_key_file.as_deref())
    }

    /// The key of the vault, if one is set.
    pub(crate) fn vault_key(&self, file: &File) -> Result<Option<VaultKey>, Failure> {
        self.vault_key_file(file).map(VaultKey::read).transpose().map_err(Failure::trouble)
    }

    /// Opens the data directory for reading: nothing in it changes, and a service may be using it.
    pub(crate) fn read(&self) -> Result<Arc<Service>, Failure> {
        let file = self.file()?;
        data::read(&self.dir(&file), self.vault_key(&file)?.as_ref())
    }

    /// Opens the data directory for reading, with the analyses in its index. No service may be using it.
    pub(crate) fn read_with_analyses(&self) -> Result<Arc<Service>, Failure> {
        let file = self.file()?;
        data::read_with_analyses(&self.dir(&file), &self.options(&file)?)
    }

    /// The data directory.
    pub(crate) fn dir(&self, file: &File) -> PathBuf {
        let data = self.data.clone().or_else(|| file.data.clone());
        data.unwrap_or_else(|| PathBuf::from("plybook-data"))
    }
}

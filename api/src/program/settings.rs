//! Settings from flags, environment variables or a TOML file, in that order of precedence.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;

use super::Failure;
use super::costs::Costs;
use crate::http::Proxy;

/// Where the data is stored.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// The data directory [default: plybook-data]
    #[arg(long, value_name = "DIR", env = "PLYBOOK_DATA")]
    data: Option<PathBuf>,
    /// A TOML file with settings, named like the long flags
    #[arg(long, value_name = "FILE", env = "PLYBOOK_CONFIG")]
    config: Option<PathBuf>,
}

/// The settings that a TOML file may contain.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct File {
    data: Option<PathBuf>,
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) host: Option<Vec<String>>,
    pub(crate) origin: Option<Vec<String>>,
    pub(crate) trusted_proxy: Option<Vec<Proxy>>,
    pub(crate) segment_mib: Option<u64>,
    pub(crate) cache_mib: Option<u64>,
    /// What requests may cost.
    #[serde(default)]
    pub(crate) limits: Costs,
}

impl Data {
    /// Reads the settings file; all settings are empty if there is none.
    pub(crate) fn file(&self) -> Result<File, Failure> {
        let Some(path) = &self.config else { return Ok(File::default()) };
        let trouble = |why: &dyn std::fmt::Display| Failure::trouble(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|why| trouble(&why))?;
        toml::from_str(&text).map_err(|why| trouble(&why))
    }

    /// The data directory.
    pub(crate) fn dir(&self, file: &File) -> PathBuf {
        let data = self.data.clone().or_else(|| file.data.clone());
        data.unwrap_or_else(|| PathBuf::from("plybook-data"))
    }
}

//! Settings: by flag, by environment variable, or in a TOML file; a flag counts first.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;

use super::Failure;

/// Where the data is.
#[derive(Debug, Args)]
pub(crate) struct Data {
    /// The data directory [default: plybook-data]
    #[arg(long, value_name = "DIR", env = "PLYBOOK_DATA")]
    data: Option<PathBuf>,
    /// A TOML file with settings; its keys are the long flags
    #[arg(long, value_name = "FILE", env = "PLYBOOK_CONFIG")]
    config: Option<PathBuf>,
}

/// What a TOML file may set.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct File {
    data: Option<PathBuf>,
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) host: Option<Vec<String>>,
    pub(crate) origin: Option<Vec<String>>,
    pub(crate) segment_mib: Option<u64>,
    pub(crate) cache_mib: Option<u64>,
}

impl Data {
    /// The settings file, or an empty one.
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

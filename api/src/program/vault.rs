//! `vault`: the key of the vault.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use plybook_store::{VaultKey, convert_vault};

use super::settings::Data;
use super::{Failure, data};

/// Encrypt the vault of a data directory, decrypt it, or change its key.
///
/// The vault holds the seeds of running games and what is sealed in them. With --vault-key-file, the service encrypts
/// it with XChaCha20-Poly1305, at the first start all that is there. Who has the files but not the key reads nothing.
/// Keep a copy of the key apart from the copies of the data: without it, running games lose their secrets.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook vault key /etc/plybook/vault.key
  plybook vault encrypt --data /srv/plybook --vault-key-file /etc/plybook/vault.key
  plybook vault decrypt --data /srv/plybook --vault-key-file /etc/plybook/vault.key")]
pub(crate) struct Vault {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a key, and write it to a new file that only its owner can read
    Key {
        /// The file
        file: PathBuf,
    },
    /// Encrypt the vault of a data directory that no service is using, as its next start would do
    Encrypt {
        #[command(flatten)]
        data: Data,
    },
    /// Write the vault in plain text again; the service has to be started without the key then
    Decrypt {
        #[command(flatten)]
        data: Data,
    },
    /// Encrypt the vault with another key
    Rekey {
        #[command(flatten)]
        data: Data,
        /// The file with the new key
        #[arg(long, value_name = "FILE")]
        new_key_file: PathBuf,
    },
}

impl Vault {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Key { file } => {
                VaultKey::make(&file).map_err(Failure::trouble)?;
                say!("the key is in {}", file.display());
                Ok(())
            }
            Command::Encrypt { data } => {
                let key = needed(&data)?;
                convert(&data, Some(&key), Some(&key), "encrypted")
            }
            Command::Decrypt { data } => convert(&data, Some(&needed(&data)?), None, "in plain text now"),
            Command::Rekey { data, new_key_file } => {
                let new = VaultKey::read(&new_key_file).map_err(Failure::trouble)?;
                convert(&data, Some(&needed(&data)?), Some(&new), "encrypted with the new key")
            }
        }
    }
}

fn needed(data: &Data) -> Result<VaultKey, Failure> {
    let key = data.vault_key(&data.file()?)?;
    key.ok_or_else(|| Failure::trouble("name the file with the key of the vault: --vault-key-file"))
}

fn convert(data: &Data, from: Option<&VaultKey>, to: Option<&VaultKey>, done: &str) -> Result<(), Failure> {
    let dir = data.dir_to_change(&data.file()?)?;
    data::check_there(&dir)?;
    let secrets = convert_vault(&dir, from, to).map_err(Failure::trouble)?;
    say!("{secrets} secrets are {done}");
    Ok(())
}

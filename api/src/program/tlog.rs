//! `tlog`: the transparency log's keys and checkpoint.

use clap::{Args, Subcommand};
use plybook_store::Tlog as Kept;

use super::settings::Data;
use super::{Failure, data};

/// Show the public key and the last checkpoint of the transparency log, or replace its key.
///
/// `plybook serve` keeps the transparency log: a Merkle tree over everything that is recorded, with signed checkpoints.
/// docs/transparency.md describes it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook tlog key
  plybook tlog checkpoint --data /var/lib/plybook
  plybook tlog rotate-key")]
pub(crate) struct Tlog {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the public key that checkpoints are checked with
    Key {
        #[command(flatten)]
        data: Data,
        /// Print all keys, oldest first, each with the size of the tree from which it signs
        #[arg(long)]
        all: bool,
    },
    /// Print the last checkpoint
    Checkpoint {
        #[command(flatten)]
        data: Data,
    },
    /// Print the rotations of the key, oldest first: the place of each in the tree, and its event
    Rotations {
        #[command(flatten)]
        data: Data,
    },
    /// Replace the key while no service is running; print the new public key
    ///
    /// The rotation is an event of the journal, which the tree covers. What was interrupted is finished by the next run.
    ///
    /// Checkpoints are signed by the old key, too, until the next change, so that those who know only the old one can go
    /// on while you tell them the new one.
    RotateKey {
        #[command(flatten)]
        data: Data,
        /// Let the old key sign no more, because somebody else may have it
        #[arg(long)]
        drop_old: bool,
    },
}

impl Tlog {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let text = match self.command {
            Command::Key { data, all: false } => format!("{}\n", read(&data)?.key()),
            Command::Key { data, all: true } => read(&data)?.keys().map_err(Failure::trouble)?,
            Command::Checkpoint { data } => read(&data)?.published().note.to_string(),
            Command::Rotations { data } => {
                let file = data.file()?;
                let service = data::read_with_tlog(&data.dir_of_files(&file)?, data.vault_key(&file)?.as_ref())?;
                service.rotations().map_err(Failure::refused)?
            }
            Command::RotateKey { data, drop_old } => {
                let file = data.file()?;
                let dir = data.dir_to_change(&file)?;
                data::check_there(&dir)?;
                // Open, it belongs to this process.
                let store = data::open_to_write(&dir, &data.options(&file)?)?;
                format!("{}\n", Kept::rotate_key(&dir, store.log(), drop_old).map_err(Failure::trouble)?)
            }
        };
        super::print(text.as_bytes())
    }
}

/// The transparency log of a data directory, as it is at this moment.
fn read(data: &Data) -> Result<Kept, Failure> {
    let dir = data.dir_of_files(&data.file()?)?;
    data::check_there(&dir)?;
    let none = || format!("{} has no transparency log yet: the first start of the service makes it", dir.display());
    Kept::open_to_read(&dir).map_err(Failure::trouble)?.ok_or_else(|| Failure::trouble(none()))
}

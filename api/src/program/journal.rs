//! `journal`: copies and checks of the journal alone, in a data directory or a stream on NATS servers.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Subcommand};
use plybook_store::{
    Contents, CopyError, FileJournal, JetStreamJournal, Journal as Events, NatsAccess, NatsAddress, NatsAddressError,
    SharedCopy, VaultKey, check_journal, copy_journal, open_journal,
};

use super::settings::Access;
use super::{Failure, data};

/// Copy or check a journal, in a data directory or in a stream on NATS servers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook journal copy --from /var/lib/plybook --to nats://n1,n2,n3/games
  plybook journal check nats://n1,n2,n3/games")]
pub(crate) struct Journal {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Copy(Copy),
    Check(Check),
}

/// Copy all events from one journal to another, and check both.
///
/// A journal is in a data directory, or in a stream on NATS servers: `nats://HOST[,HOST…]/NAME`, or `tls://…` over TLS; both
/// are created if they do not exist. A service may be using the source. Only events are copied: no secrets, tokens, personal data or
/// keys, unless --vault-key-file lets what the nodes of a stream share be brought into a directory. A copy that is interrupted goes on with the next run. Exits with status 1 if the target holds anything else, or the
/// source is damaged, and with 2 if one of them cannot be read or written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook journal copy --from /var/lib/plybook --to nats://n1,n2,n3/games
  plybook journal copy --from tls://n1,n2,n3/games --to /tmp/games --nats-credentials plybook.creds
  plybook journal copy --from nats://n1,n2,n3/games --to /srv/games --vault-key-file /etc/plybook/key")]
struct Copy {
    /// The journal to read
    #[arg(long, value_name = "DIR|nats://…")]
    from: Place,
    /// The journal to append to
    #[arg(long, value_name = "DIR|nats://…")]
    to: Place,
    /// The key of the nodes of the stream that is copied: their secrets, tokens and personal data and the key of the transparency log
    /// are brought along into the directory
    #[arg(long, value_name = "FILE")]
    vault_key_file: Option<PathBuf>,
    #[command(flatten)]
    access: Access,
}

/// Read a whole journal, and check that every event follows the one before it in its log.
///
/// Tells the number of events and logs and a digest, which two journals share if they hold the same. Exits with status 1 if
/// the journal is damaged, and with 2 if it cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook journal check nats://n1,n2,n3/games
  plybook journal check /var/lib/plybook")]
struct Check {
    /// The journal
    #[arg(value_name = "DIR|nats://…")]
    journal: Place,
    #[command(flatten)]
    access: Access,
}

/// Where a journal is.
#[derive(Clone, Debug)]
enum Place {
    /// In a data directory.
    Dir(PathBuf),
    /// In a stream.
    Stream(NatsAddress),
}

impl Journal {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Copy(command) => command.run(),
            Command::Check(command) => command.run(),
        }
    }
}

impl Copy {
    fn run(self) -> Result<(), Failure> {
        let access = self.access.into();
        let key = self.vault_key_file.as_deref().map(VaultKey::read).transpose().map_err(Failure::trouble)?;
        let shared = match (&key, &self.from, &self.to) {
            (None, ..) => None,
            (Some(key), Place::Stream(from), Place::Dir(dir)) => {
                Some((SharedCopy::read(from, &access, key).map_err(Failure::trouble)?, key, dir))
            }
            _ => {
                return Err(Failure::trouble(
                    "--vault-key-file is for copies from a stream to a directory: to a stream, its first node brings the rest",
                ));
            }
        };
        let from = self.from.open(&access)?;
        let to = self.to.open_to_write(&access)?;
        let before = to.len();
        let contents = shown(|progress| copy_journal(&*from, &*to, progress), failure)?;
        tell(&contents);
        say!("{} of the events are new in {}", contents.events - before, self.to);
        if let Some((shared, key, dir)) = shared {
            shared.write(dir, key).map_err(Failure::trouble)?;
            say!("what the nodes of {} share is there, too", self.from);
        }
        Ok(())
    }
}

impl Check {
    fn run(self) -> Result<(), Failure> {
        let journal = self.journal.open(&self.access.into())?;
        let contents = shown(|progress| check_journal(&*journal, progress), failure)?;
        tell(&contents);
        Ok(())
    }
}

impl Place {
    /// Opens it to read; a service may be using it.
    fn open(&self, access: &NatsAccess) -> Result<Box<dyn Events>, Failure> {
        let opened: Result<Box<dyn Events>, _> = match self {
            Self::Dir(dir) => {
                data::check_journal(dir)?;
                FileJournal::open_to_read(&dir.join("journal")).map(|journal| Box::new(journal) as _)
            }
            Self::Stream(address) => JetStreamJournal::open(address, access).map(|journal| Box::new(journal) as _),
        };
        opened.map_err(|why| failure(&why.into()))
    }

    /// Opens it to append to, and creates it if it does not exist.
    fn open_to_write(&self, access: &NatsAccess) -> Result<Box<dyn Events>, Failure> {
        match self {
            Self::Dir(dir) => {
                data::check_no_backup(dir)?;
                match open_journal(dir) {
                    Ok(journal) => Ok(Box::new(journal)),
                    Err(why) => Err(Failure::trouble(why)),
                }
            }
            Self::Stream(address) => match JetStreamJournal::create(address, access) {
                Ok(journal) => Ok(Box::new(journal)),
                Err(why) => Err(failure(&why.into())),
            },
        }
    }
}

impl FromStr for Place {
    type Err = NatsAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains("://") { text.parse().map(Self::Stream) } else { Ok(Self::Dir(text.into())) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dir(dir) => write!(f, "{}", dir.display()),
            Self::Stream(address) => write!(f, "{address}"),
        }
    }
}

fn tell(contents: &Contents) {
    let Contents { events, logs, digest } = contents;
    say!("{events} events of {logs} logs, each of which follows the one before it; digest {digest}");
}

fn failure(why: &CopyError) -> Failure {
    if why.is_finding() { Failure::refused(why) } else { Failure::trouble(why) }
}

/// Shows a progress bar meanwhile.
fn shown<T, E>(
    work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<T, E>,
    failure: impl FnOnce(&E) -> Failure,
) -> Result<T, Failure> {
    let progress = data::bar("events", 0);
    let done = work(&mut |done, total| {
        progress.set_length(total);
        progress.set_position(done);
    });
    progress.finish_and_clear();
    done.map_err(|why| failure(&why))
}

//! `token`: access tokens.

use std::cmp::Reverse;
use std::collections::HashMap;

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use plybook_events::{Event, LogId, Timestamp, Who};
use plybook_service::access::{Role, TokenRequest, Tokens};
use plybook_store::{FileJournal, JetStreamJournal, Journal, JournalPlace, open_document};

use super::Failure;
use super::data::{check_no_backup, check_there};
use super::settings::Data;

/// How many events are read at once.
const READ_EVENTS: usize = 4_096;

/// Create, list and revoke access tokens; a running service picks up changes at once.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook token create --role recorder --label 'table 3' --days 2
  plybook token create --role player --player 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5
  plybook token create --role organiser --tournament 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5
  plybook token revoke 1f3a9c20
  plybook token written --data /var/lib/plybook
  plybook token list --journal nats://n1,n2,n3/games --vault-key-file vault.key

Roles: player (acts for its seats), recorder (creates games, records for any seat),
organiser (runs one tournament), arbiter (takes back, adjudicates, sees secrets), admin (everything).")]
pub(crate) struct Token {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a token and print it; it is never shown again
    Create {
        #[command(flatten)]
        data: Data,
        /// player, recorder, organiser, arbiter or admin
        #[arg(long)]
        role: Role,
        /// What the token is for
        #[arg(long, default_value = "")]
        label: String,
        /// The player who holds it (role player)
        #[arg(long, value_name = "ID")]
        player: Option<LogId>,
        /// The only game it is valid for
        #[arg(long, value_name = "ID")]
        game: Option<LogId>,
        /// The seat in that game (role player)
        #[arg(long, requires = "game")]
        seat: Option<u8>,
        /// The tournament that it runs (role organiser)
        #[arg(long, value_name = "ID")]
        tournament: Option<LogId>,
        /// How many days it is valid [default: forever]
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=36_500))]
        days: Option<u32>,
    },
    /// List the tokens, without their secrets
    List {
        #[command(flatten)]
        data: Data,
    },
    /// Show how much the holders of tokens have written, most first; events recorded without a token are not counted
    Written {
        #[command(flatten)]
        data: Data,
    },
    /// Revoke a token
    Revoke {
        #[command(flatten)]
        data: Data,
        /// The id that `list` shows
        id: String,
    },
}

impl Token {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Create { data, role, label, player, game, seat, tournament, days } => {
                let new = TokenRequest { role, label, days, player, game, seat, tournament };
                let new = new.checked(plybook_service::clock::now()).map_err(Failure::trouble)?;
                let token = open(&data)?.create(&new.caller, &new.label, new.expires).map_err(Failure::trouble)?;
                // A script that gets no token has to hear of it.
                super::print(format!("{token}\n").as_bytes())?;
            }
            Command::List { data } => {
                say!("{:8}  {:9}  {:24}  {:24}  LABEL", "ID", "ROLE", "CREATED", "EXPIRES");
                for token in open(&data)?.list() {
                    let expires = token.expires.map_or("never".to_owned(), |at| at.to_string());
                    let role = token.role.to_string();
                    say!("{:8}  {role:9}  {:24}  {expires:24}  {}", token.id, token.created, token.label);
                }
            }
            Command::Written { data } => print_written(&*journal(&data)?)?,
            Command::Revoke { data, id } => {
                if !open(&data)?.revoke(&id).map_err(Failure::trouble)? {
                    return Err(Failure::refused(format!("there is no token {id}; `plybook token list` names them")));
                }
            }
        }
        Ok(())
    }
}

/// What somebody has written.
struct Written {
    events: u64,
    bytes: u64,
    /// The logs that it began.
    logs: u64,
    last: Timestamp,
}

fn print_written(journal: &dyn Journal) -> Result<(), Failure> {
    let (mut position, mut all) = (0, HashMap::<Who, Written>::new());
    while position < journal.len() {
        let events = journal.read(position, READ_EVENTS).map_err(Failure::trouble)?;
        position += events.len() as u64;
        for bytes in events {
            let event = Event::parse(&bytes).map_err(Failure::refused)?;
            let Some(who) = event.who else { continue };
            let written = all.entry(who).or_insert(Written { events: 0, bytes: 0, logs: 0, last: event.at });
            written.events += 1;
            written.bytes += bytes.len() as u64;
            written.logs += u64::from(event.seq == 0);
            written.last = written.last.max(event.at);
        }
    }
    let mut all: Vec<_> = all.into_iter().collect();
    all.sort_by_key(|(who, written)| (Reverse(written.bytes), who.to_string()));
    say!("{:18}  {:>10}  {:>10}  {:>8}  LAST", "WHO", "EVENTS", "BYTES", "LOGS");
    for (who, Written { events, bytes, logs, last }) in all {
        say!("{:18}  {events:>10}  {:>10}  {logs:>8}  {last}", who.to_string(), ByteSize(bytes).to_string());
    }
    Ok(())
}

fn journal(data: &Data) -> Result<Box<dyn Journal>, Failure> {
    let file = data.file()?;
    if let JournalPlace::Stream(address, access) = data.journal(&file) {
        return Ok(Box::new(JetStreamJournal::open(&address, &access).map_err(Failure::trouble)?));
    }
    let dir = data.dir(&file);
    check_there(&dir)?;
    Ok(Box::new(FileJournal::open_to_read(&dir.join("journal")).map_err(Failure::trouble)?))
}

fn open(data: &Data) -> Result<Tokens, Failure> {
    let file = data.file()?;
    if let JournalPlace::Stream(address, access) = data.journal(&file) {
        let document = open_document(&address, &access, data.vault_key(&file)?.as_ref(), Tokens::DOCUMENT);
        return Tokens::open_shared(document.map_err(Failure::trouble)?).map_err(Failure::trouble);
    }
    let dir = data.dir(&file);
    check_no_backup(&dir)?;
    if !dir.is_dir() {
        // It is misspelt: no service would know a token that is made there.
        check_there(&dir)?;
    }
    let [file, lock] = ["tokens.jsonl", "tokens.lock"].map(|name| dir.join(name));
    if lock.exists() && !file.exists() {
        // The new file would have one token, and all others would end at once.
        let (file, lock) = (file.display(), lock.display());
        return Err(Failure::trouble(format!(
            "{file} is gone: restore it from a backup; to begin anew, remove {lock}"
        )));
    }
    Tokens::open(&dir).map_err(Failure::trouble)
}

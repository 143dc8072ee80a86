//! The commands of the `plybook` program.

/// Like `println!`, which panics if nobody reads on.
macro_rules! say {
    ($($line:tt)*) => { $crate::program::print_line(format_args!($($line)*)) };
}

mod analyse;
mod archive;
mod backup;
mod bench;
mod checks;
mod cluster;
mod costs;
mod data;
mod doctor;
mod draw;
mod import;
mod journal;
mod key;
mod monitor;
mod monitoring;
mod pair;
mod prove;
mod refold;
mod rules;
mod search;
mod serve;
mod settings;
mod tlog;
mod token;
mod trust;
mod vault;
mod witness;

use std::env;
use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use plybook_events::printable_lines;
use rustix::fs::Mode;
use rustix::process::umask;
use rustix::thread::disable_transparent_huge_pages;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

pub use self::settings::check_settings;

/// Records games as hash-chained events, replays them, and answers questions about them.
#[derive(Debug, Parser)]
#[command(name = "plybook", version, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(Box<serve::Serve>),
    Token(token::Token),
    Key(key::Key),
    Tlog(tlog::Tlog),
    Prove(prove::Prove),
    Check(prove::Check),
    Monitor(monitor::Monitor),
    Witness(witness::Witness),
    Import(import::Import),
    Export(archive::Export),
    Verify(archive::Verify),
    Doctor(doctor::Doctor),
    Backup(backup::Backup),
    Restore(backup::Restore),
    Journal(journal::Journal),
    Cluster(cluster::Cluster),
    Vault(vault::Vault),
    Rebuild(archive::Rebuild),
    Refold(refold::Refold),
    Rules(rules::Rules),
    Perft(rules::Perft),
    Random(rules::Random),
    Draw(draw::Draw),
    Pair(pair::Pair),
    Search(search::Search),
    Analyse(analyse::Analyse),
    Bench(bench::Bench),
    /// Print the schema of the GraphQL API.
    #[command(after_help = "Example:
  plybook schema > schema.graphql")]
    Schema,
    /// Print a completion script for a shell.
    #[command(after_help = "Example:
  plybook completions bash > /etc/bash_completion.d/plybook")]
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Why a command failed: the message for standard error, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    /// The input was understood but refused, or a check found something: exit status 1.
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self { status: 1, message: message.to_string() }
    }

    /// The command was used wrongly, or failed for reasons of the system: exit status 2.
    pub(crate) fn trouble(message: impl fmt::Display) -> Self {
        Self { status: 2, message: message.to_string() }
    }

    /// Standard output cannot be written. A closed pipe is not an error: the reader may have seen enough.
    #[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
    pub(crate) fn output(why: io::Error) -> Self {
        match why.kind() {
            io::ErrorKind::BrokenPipe => Self { status: 0, message: String::new() },
            _ => Self::trouble(format!("standard output: {why}")),
        }
    }

    /// Whether the input was refused, or a check found something.
    fn is_refusal(&self) -> bool {
        self.status == 1
    }
}

/// Runs the program with the arguments it was started with.
///
/// Exits with status 0 on success, 1 if the input was refused (an illegal action, a log that does not
/// verify), and 2 on wrong usage or a system error (an unknown flag, a file that cannot be read).
pub fn run() -> ExitCode {
    let command = Program::try_parse().unwrap_or_else(|why| refuse(&why)).command;
    // Only what is made to be passed on is for others to read: folders have mode 700, files 600.
    if !matches!(command, Command::Export(_) | Command::Prove(_)) {
        umask(Mode::RWXG | Mode::RWXO);
    }
    if let Err(failure) = start_tracing() {
        eprintln!("{}", printable_lines(&failure.message));
        return ExitCode::from(failure.status);
    }
    refuse_huge_pages();
    let done = match command {
        Command::Serve(command) => command.run(),
        Command::Token(command) => command.run(),
        Command::Key(command) => command.run(),
        Command::Tlog(command) => command.run(),
        Command::Prove(command) => command.run(),
        Command::Check(command) => command.run(),
        Command::Monitor(command) => command.run(),
        Command::Witness(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Export(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Doctor(command) => command.run(),
        Command::Backup(command) => command.run(),
        Command::Restore(command) => command.run(),
        Command::Journal(command) => command.run(),
        Command::Cluster(command) => command.run(),
        Command::Vault(command) => command.run(),
        Command::Rebuild(command) => command.run(),
        Command::Refold(command) => command.run(),
        Command::Rules(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Random(command) => command.run(),
        Command::Draw(command) => command.run(),
        Command::Pair(command) => command.run(),
        Command::Search(command) => command.run(),
        Command::Analyse(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Schema => print(plybook_schema::sdl().as_bytes()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Program::command(), "plybook", &mut script);
            print(&script)
        }
    };
    match done {
        Ok(()) if HAS_LOST.load(Ordering::Relaxed) => ExitCode::from(2),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.message.is_empty() {
                eprintln!("{}", printable_lines(&failure.message));
            }
            ExitCode::from(failure.status)
        }
    }
}

/// Replaces a file, or the one that a symbolic link leads to. A crash leaves the old one or the new one, and so does a full
/// disk. What is no file, such as `/dev/stdout`, is written to.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failure = |why| Failure::trouble(format!("{}: {why}", path.display()));
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fs::write(path, bytes).map_err(failure);
    }
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let written = fs::write(&fresh, bytes).and_then(|()| File::open(&fresh)?.sync_all());
    written.and_then(|()| fs::rename(&fresh, path)).map_err(|why| {
        // If that fails too, the file is only in the way of the next attempt, which overwrites it.
        let _ = fs::remove_file(&fresh);
        failure(why)
    })
}

/// Prints what is wrong with the arguments, and exits.
fn refuse(why: &clap::Error) -> ! {
    // clap says only that a flag lacks its value, though the flag was not written.
    let mut names = variables().into_iter().filter(|name| env::var_os(name).is_some_and(|value| value.is_empty()));
    if let Some(name) = names.next().filter(|_| why.use_stderr()) {
        eprintln!("the environment variable {name} is empty: give it a value, or unset it");
    }
    why.exit()
}

/// Takes memory in small pages: of a huge one, all is cleared and taken where a part is used.
fn refuse_huge_pages() {
    if let Err(why) = disable_transparent_huge_pages(true) {
        tracing::debug!(%why, "memory is taken in huge pages");
    }
}

/// Whether anything that was printed did not arrive.
static HAS_LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line to standard output. A reader that has stopped reading, as `head` does, is no error.
fn print_line(line: fmt::Arguments<'_>) {
    if let Err(why) = writeln!(io::stdout().lock(), "{line}")
        && why.kind() != io::ErrorKind::BrokenPipe
        && !HAS_LOST.swap(true, Ordering::Relaxed)
    {
        tracing::error!(%why, "standard output");
    }
}

/// Prints to standard output.
fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(Failure::output)
}

/// Sends logs to standard error, as text on a terminal and as JSON otherwise, filtered by `PLYBOOK_LOG`.
///
/// # Errors
/// `PLYBOOK_LOG` is no filter.
fn start_tracing() -> Result<(), Failure> {
    let set = env::var("PLYBOOK_LOG").ok().filter(|set| !set.is_empty());
    let set = set.unwrap_or_else(|| "info,actix_server=warn,async_nats=warn".to_owned());
    let refused = |why: &dyn Display| {
        Failure::trouble(format!("PLYBOOK_LOG: {set:?}: {why}: write it like debug, or like plybook_api=debug,info"))
    };
    // The name of a module alone is a filter, too: with a level misspelt, nothing else would be logged, errors neither.
    let is_misspelt = |part: &&str| {
        let name_only = !part.is_empty() && !part.contains(['=', '[', '_', ':']) && !part.starts_with("plybook");
        name_only && part.parse::<LevelFilter>().is_err()
    };
    if let Some(part) = set.split(',').map(str::trim).find(is_misspelt) {
        return Err(refused(&format!("{part:?} is no level")));
    }
    let mut filter = EnvFilter::builder().parse(&set).map_err(|why| refused(&why))?;
    if !set.contains("actix_http") {
        // It logs an error for each head that is too long: a client could fill the disk with them.
        filter = filter.add_directive("actix_http=off".parse().expect("it is a directive"));
    }
    // Where a line cannot be written, saying so panics: a full disk or a reader that has gone ends no request.
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).log_internal_errors(false);
    if io::stderr().is_terminal() {
        logs.compact().init();
    } else {
        logs.json().init();
    }
    Ok(())
}

/// The environment variables that set something.
fn variables() -> Vec<String> {
    let (mut found, mut commands) = (Vec::new(), vec![Program::command()]);
    while let Some(command) = commands.pop() {
        let names = command.get_arguments().filter_map(|argument| argument.get_env());
        found.extend(names.map(|name| name.to_string_lossy().into_owned()));
        commands.extend(command.get_subcommands().cloned());
    }
    found
}

//! The commands of the `plybook` program.

mod draw;
mod rules;

use std::fmt;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Records games as hash-chained events, replays them, and answers questions about them.
#[derive(Debug, Parser)]
#[command(name = "plybook", version, arg_required_else_help = true)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Rules(rules::Rules),
    Perft(rules::Perft),
    Random(rules::Random),
    Draw(draw::Draw),
}

/// Why a command failed: what is printed on standard error, and the exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    status: u8,
    message: String,
}

impl Failure {
    /// The input was understood and refused, or a check found something: exit status 1.
    pub(crate) fn refused(message: impl fmt::Display) -> Self {
        Self { status: 1, message: message.to_string() }
    }

    /// The command was used wrongly, or the machine did not play along: exit status 2.
    pub(crate) fn trouble(message: impl fmt::Display) -> Self {
        Self { status: 2, message: message.to_string() }
    }
}

/// Runs the program with the arguments it was started with.
///
/// Exit status: 0 done, 1 refused (an illegal action, a log that does not verify), 2 used wrongly
/// or hindered (an unknown flag, a file that cannot be read).
pub fn run() -> ExitCode {
    let done = match Program::parse().command {
        Command::Rules(command) => command.run(),
        Command::Perft(command) => command.run(),
        Command::Random(command) => command.run(),
        Command::Draw(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{}", failure.message);
            ExitCode::from(failure.status)
        }
    }
}

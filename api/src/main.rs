//! The `plybook` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    plybook_api::program::run()
}

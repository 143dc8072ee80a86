//! The `plybook` program with the games of `tests/example` in addition to its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    plybook_example::register();
    plybook_api::program::run()
}

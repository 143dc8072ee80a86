//! The `plybook` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    plybook_api::program::run()
}

/// Positions are built and thrown away by the million: much of the time goes into memory.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

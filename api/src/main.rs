//! The `plybook` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    plybook_api::program::run()
}

/// Positions are allocated and freed by the million, so much of the time goes into the allocator.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

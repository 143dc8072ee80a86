//! Answers requests from standard input, one a line, as the WebAssembly module does:
//! `cargo run -p plybook-wasm --example answer`. `tests/wasm` compares the two.

use std::io::{self, BufRead, Write};

use plybook_wasm::Module;

fn main() -> io::Result<()> {
    let mut module = Module::default();
    let mut out = io::stdout().lock();
    for request in io::stdin().lock().split(b'\n') {
        out.write_all(&module.answer(&request?))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

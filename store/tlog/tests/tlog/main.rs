//! The transparency log from outside: its tree, its notes and its witnesses.

mod note;
#[path = "../../../../tests/src/tiles.rs"]
mod tiles;
mod tree;
mod witness;

//! The transparency log from outside: its tree, its notes and its witnesses.

mod note;
mod tree;
mod witness;

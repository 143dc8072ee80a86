//! The `plybook` program as its users run it, but for the games of `tests/example` that it has beside
//! its own.

mod plybook;

mod archive;
mod bench;
mod help;
mod refold;
mod rules;
mod serve;
mod statistics;
mod token;

//! The `plybook` program as users run it, except that it also has the games of `tests/example`.

mod plybook;

mod archive;
mod bench;
mod doctor;
mod feeds;
mod help;
mod logs;
mod pair;
mod refold;
mod rules;
mod serve;
mod statistics;
mod token;

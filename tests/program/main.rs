//! The `plybook` program as users run it, except that it also has the games of `tests/example`.

mod operator;
mod plybook;

mod analyse;
mod archive;
mod attacks;
mod backup;
mod bench;
mod closed;
mod cluster;
mod doctor;
mod feeds;
mod hardening;
mod help;
mod history;
mod key;
mod logs;
mod monitoring;

mod pair;
mod refold;
mod rules;
mod search;
mod serve;
mod statistics;
mod tlog;
mod token;
mod vault;
mod witness;

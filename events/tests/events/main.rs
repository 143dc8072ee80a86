//! Events from outside: their bytes, and the dice drawn from them.

mod canonical;
mod fair;
mod spelling;

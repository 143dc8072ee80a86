//! Golden records: logs recorded once that have to load for ever, what damages them, and the text
//! of FORMAT.md. `UPDATE=1` writes the golden files.

mod recorder;

mod golden;

mod endings;
mod made;

mod changed;

mod damage;
mod format;
mod generated;
mod load;
mod python;
mod refold;

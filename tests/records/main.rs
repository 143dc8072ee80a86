//! Golden records: logs that were recorded once and must load forever, damaged copies of them, and the text
//! of FORMAT.md. `UPDATE=1` rewrites the golden files.

mod recorder;

mod golden;

mod endings;
mod made;
mod tournament;

mod changed;

mod cases;
mod damage;
mod format;
mod generated;
mod load;
mod members;
mod python;
mod refold;
mod sweep;

//! What a game's log means: commands in, events out; events in, positions out.

mod command;
mod line;
mod replay;
mod standing;

pub use command::{Command, Decided, NAME_CHARS_MAX, Refused, begun, decide, near};
pub use line::FORKS_MAX;
pub use replay::{DrawOffer, FoldError, Misfit, Ply, Replay, Secrets, revealed};
pub use standing::{End, Standing, Status};

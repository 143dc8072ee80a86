//! What a game's log means: commands in, events out; events in, positions out.

mod apply;
mod command;
mod draft;
mod line;
mod misfit;
mod replay;
mod secret;
mod standing;

pub use command::{Command, Decided, NAME_CHARS_MAX, Refused, begun, decide, near};
pub use draft::{Draft, DraftError, Drafted, NewLine, Source, rolled};
pub use line::FORKS_MAX;
pub use misfit::{FoldError, Misfit};
pub use replay::{DrawOffer, Ply, Replay, Secrets, revealed};
pub use secret::Secret;
pub use standing::{End, Standing, Status};

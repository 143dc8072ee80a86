//! What the engine says of positions and of whole games. Nothing here knows the service: games come in, analyses go
//! out, and the caller decides on which thread.

mod examiner;
mod ply;
mod search;

pub use self::examiner::{Examiner, Found, PLAYOUTS_DEFAULT, PLAYOUTS_MAX, PLIES_MAX};
pub use self::ply::{Glyph, PlyAnalysis, accuracy, turning_points};
pub(crate) use self::search::{Budget, rounded, search, share};

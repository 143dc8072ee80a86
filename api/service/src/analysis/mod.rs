//! What the engine says of positions and of whole games. Nothing here knows the service: games come in, analyses go
//! out, and the caller decides on which thread.

mod evaluation;
mod examiner;
mod figures;
mod ply;
mod record;
mod search;

pub use self::evaluation::Evaluation;
pub use self::evaluation::{by_seat, to_move};
pub use self::examiner::{Examiner, Found, PLAYOUTS_DEFAULT, PLAYOUTS_MAX, PLIES_MAX};
pub use self::figures::{AnalysisFigures, PHASES, PhaseFigures, SeatFigures};
pub use self::ply::{Glyph, PlyAnalysis, accuracy, turning_points};
pub use self::record::{annotate, to_record};
pub use self::search::{Budget, search, share};
pub use self::search::{SEED, rounded};

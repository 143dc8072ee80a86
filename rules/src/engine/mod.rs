//! Who stands better, and what to do: a Monte Carlo tree search over the rules of any game.
//!
//! Each playout walks down a tree of actions, adds one position to it, and takes the game's own estimate of that
//! position as the chances of the seats ([`Game::LEAD`]). What to try next follows PUCT (Rosin, 2011): actions that
//! went well, were tried little, or lead to a good position at once. Each seat maximises its own chance, so any
//! number of seats may play. Rolls are sampled. Seats that act at the same time choose without knowing of each
//! other. What the viewer does not know is drawn anew for each playout ([`Position::guess`]), so nothing hidden
//! has any influence. Wins that cannot be avoided are proved on the way (Winands and others, 2008); now and then, all that
//! leads to a win within a few turns is tried.
//!
//! What a search states is raised to a power that was fitted for the kind, so that chances come true as often as they
//! say ([`Game::CALIBRATION`]).
//!
//! All numbers are integers, so equal seeds and playouts give equal answers everywhere.

mod calibration;
mod chances;
mod findings;
mod forced;
mod tree;

pub use calibration::NEUTRAL;
pub use chances::{Chances, WHOLE};
pub use findings::{Finding, Findings, Proof};

use crate::{Actor, Draw, Game, Viewer};

/// The version of the engine. It changes whenever equal seeds and playouts may give other answers.
pub const VERSION: &str = "5";

/// A search from one position, which can go on as long as somebody wants a better answer.
pub trait Engine: Send {
    /// Runs more playouts, fewer if the answer is proved. `draw` decides everything random.
    fn run(&mut self, playouts: u32, draw: &mut Draw<'_>);

    /// What was found so far for an actor that is to act: its actions, best first. `None` if it is not to act, or if
    /// nothing was tried yet.
    fn findings(&self, actor: Actor) -> Option<Findings>;

    /// The chances of the seats, no matter who is to act: the mean of all playouts, or what is proved. `None` before the first
    /// playout.
    fn chances(&self) -> Option<Chances>;
}

/// Starts to search a position, with what a viewer knows.
pub(crate) fn search<G: Game>(position: &G::Position, viewer: Viewer) -> Box<dyn Engine> {
    Box::new(tree::Tree::<G>::new(position.clone(), viewer))
}

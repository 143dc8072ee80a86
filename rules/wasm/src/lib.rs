//! The rules as a WebAssembly module: requests go in and answers come out, both as JSON.
//!
//! With it, a browser checks a whole record under the rules, draws any position and plays lines with no service.
//! [`Module::answer`] is everything that the module does; [`abi`] is how JavaScript reaches it, and
//! `web-viewer/rules/` is the package made of it. No kind of game is named here: all come from the registry.

pub mod abi;
mod answer;
mod games;
mod module;
mod positions;
mod request;

pub use answer::{Code, Refusal};
pub use games::{GAMES_MAX, TEXT_BYTES_MAX};
pub use module::Module;
pub use positions::{ACTION_BYTES_MAX, ACTIONS_MAX, POSITIONS_MAX};
pub use request::{Look, Part, Request};

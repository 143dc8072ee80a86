//! A game that no part of the product knows, and two toys: what every suite is tried on.
//!
//! The folder `heaps/` is written as a game of the product is: copied to `rules/src/games/`, it
//! compiles as it stands (docs/adding-a-game.md).

mod heaps;
mod toys;

use std::sync::Once;

use plybook_rules::{Rules, register_kinds};

/// The game of the template.
pub static HEAPS: &dyn Rules = &heaps::Heaps;

/// The same with other defaults: one is over within 6 actions, one goes on after 300.
pub static TOYS: [&dyn Rules; 2] = [&toys::Short, &toys::Long];

/// Adds the games of this package to those of the product; again does nothing.
pub fn register() {
    register_with(&[]);
}

/// The same, with more games of a test's own, if nothing was registered before.
pub fn register_with(more: &[&'static dyn Rules]) {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let all = [&[HEAPS], &TOYS[..], more].concat();
        register_kinds(&all).expect("only this package registers games, each once");
    });
}

/// The product's games and those of this package.
pub fn kinds() -> &'static [&'static dyn Rules] {
    register();
    plybook_rules::kinds()
}

/// The one of them with this id.
pub fn kind(kind: &str) -> Option<&'static dyn Rules> {
    register();
    plybook_rules::kind(kind)
}

//! A game that the product does not know, and two toys based on it, for trying out every suite.
//!
//! The folder `heaps/` is written like the product's own games: copied to `rules/src/games/`, it compiles
//! unchanged (docs/adding-a-game.md).

mod heaps;
mod toys;

use std::sync::Once;

use plybook_rules::{Rules, register_kinds};

/// The game of the template.
pub static HEAPS: &dyn Rules = &heaps::Heaps;

/// The same game with other defaults: one ends within 6 actions, one continues beyond 300.
pub static TOYS: [&dyn Rules; 2] = [&toys::Short, &toys::Long];

/// Adds the games of this package to those of the product; repeated calls do nothing.
pub fn register() {
    register_with(&[]);
}

/// The same, with more games from a test, if nothing was registered before.
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

/// The game with this id, if it is one of them.
pub fn kind(kind: &str) -> Option<&'static dyn Rules> {
    register();
    plybook_rules::kind(kind)
}

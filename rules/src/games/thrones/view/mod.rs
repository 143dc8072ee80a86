//! What people and programs see of a position: JSON, a scene, words.

mod emblems;
pub(super) mod json;
mod pictures;
pub(super) mod scene;
pub(super) mod words;

//! Views of a position: as JSON, in words, and as a picture.

mod emblems;
pub(super) mod form;
pub(super) mod json;
mod pictures;
pub(super) mod scene;
pub(super) mod words;

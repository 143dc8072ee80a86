//! Views of a position: as JSON, in words, and as a picture.

pub(super) mod json;
pub(super) mod scene;
pub(super) mod words;

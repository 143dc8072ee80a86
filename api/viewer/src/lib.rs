//! The viewer's files, and what is made of them without a browser: bundles, pictures, and games as one file.

pub mod bundle;
pub mod draw;
pub mod files;
pub mod language;
pub mod picture;
pub mod standalone;

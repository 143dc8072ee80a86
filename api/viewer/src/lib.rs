//! The viewer's files, and what is made of them without a browser: pages with their bundles, previews of links,
//! pictures, and games as one file.

pub mod bundle;
pub mod draw;
pub mod files;
pub mod language;
pub mod page;
pub mod picture;
pub mod preview;
pub mod standalone;

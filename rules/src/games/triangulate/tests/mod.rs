//! Tests of Triangulate.

mod measures;
mod positions;
mod setup;

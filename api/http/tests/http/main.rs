//! The HTTP layer over a toy schema: every status, limit and close code.

mod around;
mod over_http;
mod over_socket;
mod server;
mod toy;

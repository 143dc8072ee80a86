//! GraphQL over HTTP and WebSocket: from the bytes of a request to the execution of an operation.

mod endpoint;
mod fault;
mod gate;
mod guard;
mod limits;
mod media;
mod operation;
mod position;
mod rejection;
mod request;
mod socket;

pub(super) use self::endpoint::{RATE_LIMIT, answer};
pub(super) use self::fault::code_of;
pub use self::gate::Gate;
pub use self::guard::Guard;
pub use self::limits::{Limits, SocketLimits};
pub(super) use self::position::POSITION;
pub(super) use self::socket::is_upgrade;

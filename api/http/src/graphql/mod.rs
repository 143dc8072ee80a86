//! GraphQL over HTTP and WebSocket: from the bytes of a request to the execution of an operation.

mod complete;
mod documents;
mod endpoint;
mod fault;
mod gate;
mod kept;
mod limits;
mod measure;
mod media;
mod position;
mod rejection;
mod request;
mod scan;
mod sending;
mod socket;

pub use self::documents::{Document, Documents};
pub(super) use self::endpoint::answer;
pub(super) use self::fault::code_of;
pub use self::fault::not_admitted;
pub use self::gate::Gate;
pub(super) use self::gate::Stamp;
pub use self::kept::Basis;
pub use self::limits::{Limits, SocketLimits};
pub(super) use self::position::POSITION;
pub(super) use self::socket::is_upgrade;

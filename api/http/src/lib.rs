//! HTTP and WebSocket: GraphQL, and what is served around it.
//!
//! Nothing here knows the schema or the service. They come in through a [`Gate`] (the schema, and whose a token is),
//! a readiness function, and further routes:
//!
//! ```no_run
//! use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
//! use plybook_service::access::{Caller, Refusal};
//! use plybook_http::{Doors, Gate, Limits, Metrics, Readiness, Signals, Site, serve};
//!
//! struct Query;
//!
//! #[Object]
//! impl Query {
//!     async fn answer(&self) -> u32 {
//!         42
//!     }
//! }
//!
//! # async fn run() -> std::io::Result<()> {
//! let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
//! let identify = |token: Option<&str>| match token {
//!     None => Ok(Caller::SPECTATOR),
//!     Some(_) => Err(Refusal::Unknown),
//! };
//! let listen = ([127, 0, 0, 1], 0).into();
//! let gate = Gate::new(schema, identify, Limits::default(), Metrics::new());
//! let site = Site::new(gate, Doors::at([127, 0, 0, 1].into()), || Readiness::Ready);
//! let server = serve(listen, &site, |_routes| {})?;
//! println!("http://{}", server.addr());
//! server.until_signal(Signals::listen()?).await
//! # }
//! ```

mod access_log;
mod app;
mod bearer;
mod client;
mod conditional;
mod doors;
mod graphql;
mod metrics;
mod observe;
mod pages;
mod pool;
mod pools;
mod public_url;
mod server;
mod short;
mod site;

pub use self::access_log::AccessLog;
pub use self::app::{app, backstage};
pub use self::client::{Client, Proxies, Proxy, ProxyError};
pub use self::conditional::has_version;
pub use self::doors::{Doors, network_url};
pub use self::graphql::{Gate, Guard, Limits, SocketLimits};
pub use self::metrics::Metrics;
pub use self::observe::EMBEDDED_POLICY;
pub use self::pool::{PoolShare, Share};
pub use self::pools::Shares;
pub use self::public_url::{PublicUrl, PublicUrlError};
pub use self::server::{Server, Signals, serve, serve_backstage, serve_routes};
pub use self::short::AS_IT_IS;
pub use self::site::{Closing, Positions, Readiness, Site};

//! The service over HTTP on a thread of its own, and its clients.

#![allow(dead_code, reason = "each bench uses a part of it")]

use std::net::SocketAddr;
use std::sync::mpsc;

use actix_web::web::ServiceConfig;
use async_graphql::{Request, Response};
use plybook_api::access::{Caller, Refusal};
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Signals, Site, serve};
use plybook_api::schema::Schema;
use tokio::runtime::{Builder, Runtime};

/// The program's allocator.
#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Serves the schema over a service, with further routes, until the bench ends; any token is the administrator's.
pub fn start(schema: Schema, routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> SocketAddr {
    let (told, addr) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let identify = |token: Option<&str>| Ok::<_, Refusal>(token.map_or(Caller::SPECTATOR, |_| Caller::ADMIN));
            let gate = Gate::new(schema, identify, Limits::default(), Metrics::new());
            let site = Site::new(gate, Doors::at([127, 0, 0, 1].into()), || Readiness::Ready);
            let running = serve(([127, 0, 0, 1], 0).into(), &site, routes).expect("a port is free");
            told.send(running.addr()).expect("the bench waits");
            running.until_signal(Signals::listen()?).await
        })
    });
    addr.recv().expect("the server starts")
}

/// Serves nothing but these routes: a bare actix server.
pub fn start_bare(routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static) -> SocketAddr {
    let (told, addr) = mpsc::channel();
    std::thread::spawn(move || {
        actix_web::rt::System::new().block_on(async move {
            let server = actix_web::HttpServer::new(move || actix_web::App::new().configure(routes.clone()));
            let server = server.bind(("127.0.0.1", 0)).expect("a port is free");
            told.send(server.addrs()[0]).expect("the bench waits");
            server.run().await
        })
    });
    addr.recv().expect("the server starts")
}

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().build().expect("a runtime starts");
}

/// The answer of a schema to a caller without a token, as its bytes over HTTP.
pub fn answer(schema: &Schema, query: &str) -> (Vec<u8>, Response) {
    let response = RUNTIME.with(|runtime| runtime.block_on(schema.execute(Request::new(query))));
    (serde_json::to_vec(&response).expect("an answer is JSON"), response)
}

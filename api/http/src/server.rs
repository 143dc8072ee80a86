//! The server, from binding its address to graceful shutdown.

use std::any::Any;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::{Duration, Instant};

use actix_web::dev::{self, Extensions, ServerHandle};
use actix_web::rt::net::TcpStream;
use actix_web::web::ServiceConfig;
use actix_web::{App, HttpServer};
use plybook_service::load::Client;
use rustix::net::{Shutdown, shutdown, sockopt};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::task::JoinHandle;

use super::app::{app, backstage};
use super::doors::Doors;
use super::site::{Closing, Site};

/// How long requests may take to finish after the service begins to shut down, in seconds.
const DRAIN_S: u64 = 5;

/// How long a connection may be silent between requests.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// How long the head of a request may take to arrive.
const HEAD: Duration = Duration::from_secs(5);

/// The number of connections where no operations are served.
const FEW_CONNECTIONS: usize = 1_024;

/// A running server.
#[derive(Debug)]
pub struct Server {
    addr: SocketAddr,
    handle: ServerHandle,
    closing: Closing,
    task: JoinHandle<io::Result<()>>,
    /// For how long it says that it is not ready before it stops on a signal: a balancer sends nobody any more, and no request
    /// is lost.
    pub drain: Duration,
}

/// Serves `site` and further `routes` at `listen` (port 0: any free port).
///
/// # Errors
/// The address cannot be bound: it is in use, or does not belong to this machine.
pub fn serve<F>(listen: SocketAddr, site: &Site, routes: F) -> io::Result<Server>
where
    F: Fn(&mut ServiceConfig) + Clone + Send + 'static,
{
    let listener = TcpListener::bind(listen)?;
    drop_unread(&listener, site.gate.limits.unread_ms)?;
    let addr = listener.local_addr()?;
    let (site, connected) = (site.clone(), site.clone());
    let closing = site.closing.clone();
    let server = HttpServer::new(move || app(site.clone(), routes.clone()))
        .on_connect(move |stream, data| admit(stream, data, &connected))
        // Otherwise the last part of a large answer waits for the client to acknowledge the part before it, which
        // clients put off for 40 ms.
        .tcp_nodelay(true)
        // Who closes the connection wants no answer: a query for it is stopped.
        .h1_allow_half_closed(false)
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD)
        .shutdown_timeout(DRAIN_S)
        .disable_signals()
        .listen(listener)?;
    Ok(Server::start(server.run(), addr, closing))
}

/// Serves the metrics and the readiness of `site`, with its reasons, at `listen`: an address that only
/// operators can reach.
///
/// # Errors
/// The address cannot be bound.
pub fn serve_backstage(listen: SocketAddr, site: &Site) -> io::Result<Server> {
    let listener = TcpListener::bind(listen)?;
    let addr = listener.local_addr()?;
    let site = Site { doors: Doors::at(addr.ip()), ..site.clone() };
    let closing = site.closing.clone();
    let server = HttpServer::new(move || backstage(site.clone()))
        .workers(1)
        .max_connections(FEW_CONNECTIONS)
        .disable_signals()
        .listen(listener)?;
    Ok(Server::start(server.run(), addr, closing))
}

/// Serves nothing but `routes` at `listen`.
///
/// # Errors
/// The address cannot be bound.
pub fn serve_routes<F>(listen: SocketAddr, routes: F) -> io::Result<Server>
where
    F: Fn(&mut ServiceConfig) + Clone + Send + 'static,
{
    let listener = TcpListener::bind(listen)?;
    let addr = listener.local_addr()?;
    let server = HttpServer::new(move || App::new().configure(&routes))
        .workers(1)
        .max_connections(FEW_CONNECTIONS)
        .keep_alive(KEEP_ALIVE)
        .client_request_timeout(HEAD)
        .shutdown_timeout(DRAIN_S)
        .disable_signals()
        .listen(listener)?;
    Ok(Server::start(server.run(), addr, Closing::default()))
}

/// Counts a connection for as long as it is open; one too many from its address is closed at once.
fn admit(stream: &dyn Any, data: &mut Extensions, site: &Site) {
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    let Ok(peer) = stream.peer_addr() else { return };
    if site.doors.proxies.is_trusted(peer.ip()) {
        return;
    }
    match site.gate.pools.connections.take(Client::at(peer.ip()), 1) {
        Ok(place) => {
            data.insert(place);
        }
        Err(why) => {
            tracing::debug!(%why, "a connection is refused");
            // If that fails, it is closed already.
            let _ = shutdown(stream, Shutdown::Both);
        }
    }
}

/// Makes the system drop connections whose client reads nothing of an answer for this long. Otherwise an
/// answer would stay in memory for as long as the client likes.
///
/// # Source
/// tcp(7), `TCP_USER_TIMEOUT`; accepted connections inherit it.
#[cfg(target_os = "linux")]
fn drop_unread(listener: &TcpListener, unread_ms: u32) -> io::Result<()> {
    Ok(sockopt::set_tcp_user_timeout(listener, unread_ms)?)
}

#[cfg(not(target_os = "linux"))]
fn drop_unread(_listener: &TcpListener, _unread_ms: u32) -> io::Result<()> {
    Ok(())
}

impl Server {
    fn start(running: dev::Server, addr: SocketAddr, closing: Closing) -> Self {
        Self { addr, handle: running.handle(), closing, task: tokio::spawn(running), drain: Duration::ZERO }
    }

    /// The address that it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops the server: it accepts no new connections, closes sockets (1001), and gives running requests five
    /// seconds to finish.
    ///
    /// # Errors
    /// The server has failed before.
    pub async fn stop(self) -> io::Result<()> {
        self.closing.now.cancel();
        self.handle.stop(true).await;
        self.task.await.map_err(io::Error::other)?
    }

    /// Runs until SIGINT, SIGTERM or a failure of the server, then stops like [`stop`](Self::stop).
    ///
    /// A second signal ends the process at once, unless it comes together with the first.
    ///
    /// # Errors
    /// The server fails.
    pub async fn until_signal(mut self, mut signals: Signals) -> io::Result<()> {
        tokio::select! {
            ended = &mut self.task => ended.map_err(io::Error::other)?,
            heard = signals.next() => {
                tracing::info!(signal = heard, "shutting down");
                self.closing.soon.cancel();
                let heard_at = Instant::now();
                let hurried = async {
                    loop {
                        let again = signals.next().await;
                        if heard_at.elapsed() > TOGETHER {
                            return again;
                        }
                    }
                };
                let stopping = async {
                    tokio::time::sleep(self.drain).await;
                    self.stop().await
                };
                tokio::select! {
                    stopped = stopping => stopped,
                    again = hurried => Err(io::Error::other(format!("ended by a second {again}"))),
                }
            }
        }
    }
}

/// Signals within this time are one: some programs, such as `timeout`, signal a process and then its group.
const TOGETHER: Duration = Duration::from_millis(500);

/// The signals that end the program. They are heard from the moment it listens.
pub struct Signals {
    interrupt: Signal,
    terminate: Signal,
}

impl Signals {
    /// Listens. Call this before the address is published: a script that reads it may end the service at once.
    ///
    /// # Errors
    /// Signals cannot be listened for.
    pub fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Waits for the next one, and returns its name.
    pub async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

//! The server: from binding its address to its graceful end.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use actix_web::HttpServer;
use actix_web::dev::ServerHandle;
use actix_web::web::ServiceConfig;
use tokio::task::JoinHandle;

use super::app::app;
use super::closing::Closing;
use super::site::Site;

/// How long requests may take to finish once the service shuts down, in seconds.
const DRAIN_S: u64 = 10;

/// How long a connection may be silent between requests.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// A server that runs.
#[derive(Debug)]
pub struct Running {
    addr: SocketAddr,
    handle: ServerHandle,
    closing: Closing,
    task: JoinHandle<io::Result<()>>,
}

/// Starts to serve `site`, with further `routes`, at `listen` (port 0: any that is free).
///
/// # Errors
/// If the address cannot be bound: it is in use, or not of this machine.
pub fn serve<F>(listen: SocketAddr, site: &Site, routes: F) -> io::Result<Running>
where
    F: Fn(&mut ServiceConfig) + Clone + Send + 'static,
{
    let listener = TcpListener::bind(listen)?;
    let addr = listener.local_addr()?;
    let factory = {
        let site = site.clone();
        move || app(site.clone(), routes.clone())
    };
    let server = HttpServer::new(factory)
        .keep_alive(KEEP_ALIVE)
        .shutdown_timeout(DRAIN_S)
        .disable_signals()
        .listen(listener)?
        .run();
    let handle = server.handle();
    Ok(Running { addr, handle, closing: site.closing.clone(), task: tokio::spawn(server) })
}

impl Running {
    /// The address it listens at.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops: no new connections, sockets are closed (1001), requests finish within ten seconds.
    ///
    /// # Errors
    /// If the server has failed before.
    pub async fn stop(self) -> io::Result<()> {
        self.closing.close();
        self.handle.stop(true).await;
        self.task.await.map_err(io::Error::other)?
    }

    /// Runs until SIGINT or SIGTERM (or the server's failure), then stops as [`stop`](Self::stop).
    ///
    /// A second signal ends the process at once.
    ///
    /// # Errors
    /// If the server fails, or signals cannot be listened to.
    pub async fn until_signal(mut self) -> io::Result<()> {
        tokio::select! {
            ended = &mut self.task => ended.map_err(io::Error::other)?,
            heard = signal() => {
                tracing::info!(signal = heard?, "shutting down");
                tokio::select! {
                    stopped = self.stop() => stopped,
                    again = signal() => Err(io::Error::other(format!("ended by a second {}", again?))),
                }
            }
        }
    }
}

#[cfg(unix)]
async fn signal() -> io::Result<&'static str> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(tokio::select! {
        _ = interrupt.recv() => "SIGINT",
        _ = terminate.recv() => "SIGTERM",
    })
}

#[cfg(not(unix))]
async fn signal() -> io::Result<&'static str> {
    tokio::signal::ctrl_c().await.map(|()| "Ctrl-C")
}

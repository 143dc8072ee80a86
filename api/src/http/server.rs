//! The server, from binding its address to its graceful shutdown.

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

/// How long requests may take to finish after the service begins to shut down, in seconds.
const DRAIN_S: u64 = 10;

/// How long a connection may be silent between requests.
const KEEP_ALIVE: Duration = Duration::from_secs(75);

/// A running server.
#[derive(Debug)]
pub struct Server {
    addr: SocketAddr,
    handle: ServerHandle,
    closing: Closing,
    task: JoinHandle<io::Result<()>>,
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
    Ok(Server { addr, handle, closing: site.closing.clone(), task: tokio::spawn(server) })
}

impl Server {
    /// The address that it listens at.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Stops the server: it accepts no new connections, closes sockets (1001), and gives running requests
    /// ten seconds to finish.
    ///
    /// # Errors
    /// The server has failed before.
    pub async fn stop(self) -> io::Result<()> {
        self.closing.close();
        self.handle.stop(true).await;
        self.task.await.map_err(io::Error::other)?
    }

    /// Runs until SIGINT, SIGTERM or a failure of the server, then stops like [`stop`](Self::stop).
    ///
    /// A second signal ends the process at once.
    ///
    /// # Errors
    /// The server fails, or signals cannot be listened for.
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

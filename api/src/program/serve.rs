//! `serve`: the service and the viewer.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use actix_web::web::ServiceConfig;
use clap::Args;
use plybook_http::{
    AccessLog, Doors, Gate, Limits, Metrics, Positions, Proxy, PublicUrl, Readiness, Signals, Site, network_url, serve,
    serve_backstage,
};
use plybook_service::access::{Caller, Tokens};
use plybook_service::load::LoadLimits;
use plybook_service::{ENDING_INTERVAL, Service};
use plybook_store::{Memory, Options, UpkeepProgress};
use plybook_tlog::Quorum;
use prometheus_client::metrics::gauge::Gauge;
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::signal::unix::{SignalKind, signal};

use super::costs::Costs;
use super::settings::{Data, MemorySize, MetricsListen, socket_address};
use super::{Failure, checks, data, monitoring};
use crate::witnesses::{WitnessAddress, ask};
use crate::{demo, export, schema};

/// The default address.
const LISTEN: &str = "127.0.0.1:8080";

/// The most workers that analyse games.
const ANALYSIS_WORKERS_MAX: u16 = 64;

/// The largest segment of a journal in files, in MiB.
const SEGMENT_MIB_MAX: u64 = 1 << 20;

/// The longest time to go on after a signal.
const DRAIN_SECONDS_MAX: u64 = 300;

/// The default address of metrics: the usual port of metrics exporters.
const METRICS_LISTEN: &str = "127.0.0.1:9464";

/// Serve the viewer, the GraphQL API and the exports.
///
/// Listens on loopback only, by default. The first start makes an administrator's token: it is shown once on a
/// terminal, and otherwise written to the file `admin-token` in the data directory.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook serve --demo
  plybook serve --data /srv/plybook --listen 0.0.0.0:8080 --host games.example.org
  plybook serve --data /srv/node --journal nats://n1,n2,n3/games --vault-key-file /etc/plybook/key

Environment: PLYBOOK_DATA, PLYBOOK_CONFIG, PLYBOOK_VAULT_KEY_FILE, PLYBOOK_LISTEN, PLYBOOK_METRICS_LISTEN,
PLYBOOK_PUBLIC_URL, PLYBOOK_TRUSTED_PROXY, PLYBOOK_MEMORY, PLYBOOK_REQUEST_MEMORY_MIB, PLYBOOK_TLOG_ORIGIN,
PLYBOOK_ANALYSIS_WORKERS, PLYBOOK_ACCESS_LINES, PLYBOOK_JOURNAL, PLYBOOK_NATS_CREDENTIALS, PLYBOOK_NATS_CA, PLYBOOK_LOG (what is logged, e.g. debug).")]
pub(crate) struct Serve {
    #[command(flatten)]
    data: Data,
    /// The address to listen on; port 0 picks a free port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", env = "PLYBOOK_LISTEN", value_parser = socket_address)]
    listen: Option<SocketAddr>,
    /// A host name to answer to [default: on loopback its own names; elsewhere that of the machine, localhost and addresses, or
    /// any with --public-url]
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// An additional origin whose pages may send requests and open web sockets, besides the viewer's own
    #[arg(long, value_name = "URL")]
    origin: Vec<String>,
    /// Where the public finds the service, for links that lead here from elsewhere, such as those on the slips of tables
    /// [default: the host that a request names; for requests from this machine, its address in the network]
    #[arg(long, value_name = "URL", env = "PLYBOOK_PUBLIC_URL")]
    public_url: Option<PublicUrl>,
    /// A proxy, or a network of them, that is believed when it says whom it forwards a request for
    #[arg(long, value_name = "ADDR", env = "PLYBOOK_TRUSTED_PROXY", value_delimiter = ',')]
    trusted_proxy: Vec<Proxy>,
    /// The address at which metrics and the reasons of readiness are served, or `off` [default: 127.0.0.1:9464,
    /// if that is free]
    #[arg(long, value_name = "ADDR", env = "PLYBOOK_METRICS_LISTEN")]
    metrics_listen: Option<MetricsListen>,
    /// How much memory to take, such as 512MiB: for caches, and for what clients have in progress [default: a quarter of the
    /// machine's, at most 2GiB]
    #[arg(long, value_name = "SIZE", env = "PLYBOOK_MEMORY")]
    memory: Option<MemorySize>,
    /// The memory that requests, sockets and subscriptions may hold, in MiB [default: an eighth of --memory]
    #[arg(long, value_name = "MIB", env = "PLYBOOK_REQUEST_MEMORY_MIB")]
    request_memory_mib: Option<u64>,
    /// The name of the transparency log, usually the host name and path of the service; it cannot be changed after the
    /// first start [default: a name of its own]
    #[arg(long, value_name = "NAME", env = "PLYBOOK_TLOG_ORIGIN")]
    tlog_origin: Option<String>,
    /// A witness that should cosign the checkpoints of the transparency log: its public key and its address
    #[arg(long, value_name = "KEY=URL")]
    witness: Vec<WitnessAddress>,
    /// How many of the witnesses have to cosign a checkpoint before it is public [default: more than half]
    #[arg(long, value_name = "N")]
    witness_quorum: Option<usize>,
    /// How many games are analysed at the same time; 0 turns analysis off [default: 1]
    #[arg(long, value_name = "N", env = "PLYBOOK_ANALYSIS_WORKERS", value_parser = clap::value_parser!(u16).range(0..=i64::from(ANALYSIS_WORKERS_MAX)))]
    analysis_workers: Option<u16>,
    /// How many requests a second get a line in the log; 0: none [default: 10]
    #[arg(long, value_name = "N", env = "PLYBOOK_ACCESS_LINES")]
    access_lines: Option<u32>,
    /// How many seconds to answer 503 at /readyz and go on before stopping, so that a balancer sends nobody here any more
    /// [default: 0]
    #[arg(long, value_name = "N", env = "PLYBOOK_DRAIN_SECONDS")]
    drain_seconds: Option<u64>,
    /// Fill an empty data directory with a small tournament of played games
    #[arg(long)]
    demo: bool,
    /// Go on with a journal that was changed since it was recorded, and record that this was accepted
    #[arg(long)]
    accept: bool,
    #[command(flatten)]
    costs: Costs,
}

impl Serve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let begun = Instant::now();
        let system = actix_web::rt::System::new();
        system.block_on(async { ignore_signals() }).map_err(Failure::trouble)?;
        raise_file_limit();
        let file = self.data.file()?;
        let dir = self.data.dir(&file);
        if self.accept {
            // Other nodes would not know of it.
            self.data.dir_to_change(&file)?;
        }
        let listen = self.listen.or(file.listen).unwrap_or_else(|| LISTEN.parse().expect("it is an address"));
        let usual = self.data.options(&file)?;
        let memory = self.memory.map_or(usual.memory, Memory::from);
        checks::check_memory(memory.parts(64), MemorySize::of_machine())?;
        let analysis_workers = self.analysis_workers.or(file.analysis_workers);
        checks::check_range("segment-mib", file.segment_mib, 1..=SEGMENT_MIB_MAX)?;
        let drain = self.drain_seconds.or(file.drain_seconds).unwrap_or(0);
        checks::check_range("drain-seconds", Some(drain), 0..=DRAIN_SECONDS_MAX)?;
        checks::check_range("analysis-workers", analysis_workers.map(u64::from), 0..=u64::from(ANALYSIS_WORKERS_MAX))?;
        let options = Options { accepts_change: self.accept, memory, ..usual };
        let origin = self.tlog_origin.as_ref().or(file.tlog_origin.as_ref());
        let witnesses = [self.witness, file.witness.clone().unwrap_or_default()].concat();
        let keys = witnesses.iter().map(|witness| witness.key.clone()).collect();
        let quorum = Quorum::new(keys, self.witness_quorum.or(file.witness_quorum));
        let quorum = quorum.map_err(|why| Failure::trouble(format!("--witness: {why}")))?;
        let mut doors = Doors::at(listen.ip());
        doors.public_url = self.public_url.or(file.public_url.clone());
        doors.network_url = network_url(listen);
        doors.origins = [self.origin, file.origin.clone().unwrap_or_default()].concat();
        let hosts = [self.host, file.host.clone().unwrap_or_default()].concat();
        let proxies = [self.trusted_proxy, file.trusted_proxy.clone().unwrap_or_default()].concat();
        checks::check_doors(&hosts, &doors.origins, &proxies)?;
        checks::answer_to(&mut doors, hosts);
        doors.proxies = proxies.into_iter().collect();
        let load = self.costs.apply(file.limits.apply(LoadLimits::default()));
        checks::check_costs(&load)?;
        let shares = file.shares(self.request_memory_mib, memory);
        checks::check_shares(&shares, memory.parts(64))?;
        checks::warn_of_modes(&dir, self.data.secret_files(&file));
        checks::warn_of_variables(&super::variables());
        let metrics = Metrics::new();
        let damages = Damages::default();
        let report = count_segments(&metrics, &damages);
        let service = data::service(&dir, &options, origin.map(String::as_str), quorum, file.compresses(), report)?;
        if let Some(why) = service.refusal() {
            tracing::error!("nothing can be recorded: {why}");
        }
        monitoring::register(&metrics, &service, &dir, memory.parts(64), begun.elapsed());
        service.quotas().set(file.quotas);
        if let Some(workers) = analysis_workers {
            service.set_analysis_workers(workers.into());
        }
        let tokens = match service.shared() {
            Some(shared) => {
                let tokens = Tokens::open_shared(shared.document(Tokens::DOCUMENT));
                tokens.and_then(|tokens| tokens.take_from(&dir).map(|()| tokens))
            }
            None => Tokens::open(&dir),
        };
        let tokens = Arc::new(tokens.map_err(Failure::trouble)?);
        if tokens.list().is_empty() && !service.is_read_only() {
            first_token(&tokens, &dir, !service.log().is_empty())?;
        }
        if self.demo && !service.is_read_only() {
            fill(&service, &dir)?;
        }
        let limits = Limits { shares, load, ..Limits::default() };
        let metrics_listen = self.metrics_listen.or(file.metrics_listen);
        system.block_on(async {
            ask(witnesses, &service, &metrics).map_err(Failure::trouble)?;
            actix_web::rt::spawn(give_up(Signals::listen().map_err(Failure::trouble)?, Arc::clone(&service)));
            let lines = self.access_lines.or(file.access_lines).unwrap_or(AccessLog::PER_SECOND);
            let holders = Arc::clone(&tokens);
            let holder = move |token: &str| Some(holders.identify(Some(token)).ok()?.who?.to_string());
            let (mut site, routes) = site(&service, tokens, limits, doors, metrics, damages);
            site.access_log = Arc::new(AccessLog::new(lines, holder));
            run(listen, metrics_listen, &site, routes, Duration::from_secs(drain)).await
        })?;
        service.close();
        Ok(())
    }
}

/// Raises the limit on open files to the highest that the system permits: every connection is one, and with
/// 1,024, a common default, the journal might be unable to begin its next file.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(why) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%why, "the limit on open files stays as it is");
    }
}

/// Creates the first administrator's token. It is shown on a terminal only: elsewhere, output ends up in
/// logs, so it is written to a file.
fn first_token(tokens: &Tokens, dir: &Path, is_used: bool) -> Result<(), Failure> {
    if is_used {
        tracing::warn!(dir = %dir.display(), "games are recorded here, but there are no tokens: an administrator's is made");
    }
    let Some(token) = tokens.create_first(&Caller::ADMIN, "first start").map_err(Failure::trouble)? else {
        say!("Another node has made the admin token at this moment: that node has shown it");
        return Ok(());
    };
    if io::stdout().is_terminal() {
        say!("Admin token (shown once, keep it): {token}");
        return Ok(());
    }
    let path = dir.join("admin-token");
    let written = write_private(&path, &format!("{token}\n"));
    written.map_err(|why| {
        let lost = "the admin token is lost: make another with `plybook token create --role admin`";
        Failure::trouble(format!("{}: {why}: {lost}", path.display()))
    })?;
    say!("The admin token is in {}: read it, then delete the file", path.display());
    Ok(())
}

/// Writes a new file that only its owner can read.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn fill(service: &Service, dir: &Path) -> Result<(), Failure> {
    if !service.log().is_empty() {
        say!("{} is not empty: the demo stays out of it", dir.display());
        return Ok(());
    }
    let progress = data::bar("demo games", 0);
    let filled = demo::fill(service, &mut |done, total| {
        progress.set_length(total as u64);
        progress.set_position(done as u64);
    });
    progress.finish_and_clear();
    filled.map_err(Failure::trouble)
}

/// The site, and the routes of the exports.
fn site(
    service: &Arc<Service>,
    tokens: Arc<Tokens>,
    limits: Limits,
    doors: Doors,
    metrics: Metrics,
    damages: Damages,
) -> (Site, impl Fn(&mut ServiceConfig) + Clone + Send + 'static) {
    let schema = schema::build_with(Arc::clone(service), Arc::clone(&tokens));
    let identify = move |token: Option<&str>| tokens.identify(token);
    let gate = Gate::new(schema, identify, limits, metrics);
    let ready = {
        let service = Arc::clone(service);
        move || {
            let mut impaired = service.impairments();
            impaired.extend(damages.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned());
            // Other nodes may have what was recorded.
            let changed = || service.history_changed().filter(|_| service.log().is_shared());
            match service.refusal().or_else(changed) {
                Some(why) => Readiness::NotReady(why),
                None if impaired.is_empty() => Readiness::Ready,
                None => Readiness::Impaired(impaired.join("; ")),
            }
        }
    };
    let exported = Arc::clone(service);
    let routes = move |config: &mut ServiceConfig| export::configure(config, &exported);
    let mut site = Site::new(gate, doors, ready);
    site.positions = Some(positions(service));
    (export::with_previews(site, service), routes)
}

/// How far the service has come in the journal.
fn positions(service: &Arc<Service>) -> Positions {
    let (recorded, applied) = (Arc::clone(service), Arc::clone(service));
    Positions {
        recorded: Arc::new(move || recorded.log().len()),
        applied: Arc::new(move || applied.models().known().position()),
    }
}

async fn run(
    listen: SocketAddr,
    metrics_listen: Option<MetricsListen>,
    site: &Site,
    routes: impl Fn(&mut ServiceConfig) + Clone + Send + 'static,
    drain: Duration,
) -> Result<(), Failure> {
    let in_vain = |at: SocketAddr| move |why| Failure::trouble(format!("{at}: {why}"));
    let mut server = serve(listen, site, routes).map_err(in_vain(listen))?;
    server.drain = drain;
    let backstage = match metrics_listen {
        Some(MetricsListen::Off) => None,
        Some(MetricsListen::At(at)) => Some(serve_backstage(at, site).map_err(in_vain(at))?),
        None => {
            let at = METRICS_LISTEN.parse().expect("it is an address");
            // The default address was not requested, so another service on that port is no reason not to
            // start.
            let served = serve_backstage(at, site);
            served.inspect_err(|why| tracing::warn!(%at, %why, "metrics are not served")).ok()
        }
    };
    if let Some(backstage) = &backstage {
        say!("Metrics are at http://{}/metrics", backstage.addr());
    }
    let signals = Signals::listen().map_err(Failure::trouble)?;
    if let Some(url) = site.doors.public_url.as_ref().or(network_url(server.addr()).as_ref()) {
        tell_phones(url);
    }
    say!("Plybook is at http://{}/", server.addr());
    let ended = server.until_signal(signals).await.map_err(Failure::trouble);
    if let Some(backstage) = backstage {
        backstage.stop().await.map_err(Failure::trouble)?;
    }
    ended
}

/// Ignores, from now on, signals that would end the program although they ask for something else, and says so.
fn ignore_signals() -> io::Result<()> {
    let kinds = [
        ("SIGHUP", SignalKind::hangup()),
        ("SIGUSR1", SignalKind::user_defined1()),
        ("SIGUSR2", SignalKind::user_defined2()),
    ];
    for (name, kind) in kinds {
        let mut received = signal(kind)?;
        actix_web::rt::spawn(async move {
            while received.recv().await.is_some() {
                tracing::warn!(
                    "{name} is ignored: tokens are read again whenever they change, and settings and certificates at a restart"
                );
            }
        });
    }
    Ok(())
}

/// Prints the address for other devices; on a terminal, also as a QR code, which phones read.
fn tell_phones(url: &PublicUrl) {
    say!("Phones and other devices find it at {url}/");
    let code = QrCode::new(format!("{url}/")).ok().filter(|_| io::stdout().is_terminal());
    if let Some(code) = code {
        // Terminals are usually dark, and readers want dark modules.
        say!("{}", code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build());
    }
}

/// Once a signal ends the program, lets requests wait no longer for servers of the journal than it takes to notice that they are
/// away.
async fn give_up(mut signals: Signals, service: Arc<Service>) {
    signals.next().await;
    while !service.give_up_if_away() {
        actix_web::rt::time::sleep(ENDING_INTERVAL).await;
    }
}

/// What was found to be damaged while the service runs.
type Damages = Arc<Mutex<Vec<String>>>;

/// Adds the journal's closed segments to the metrics; what is returned has to be told of them.
fn count_segments(metrics: &Metrics, found: &Damages) -> impl Fn(&UpkeepProgress) + Send + use<> {
    let found = Arc::clone(found);
    let (segments, compressed, damages) = (Gauge::<i64>::default(), Gauge::<i64>::default(), Gauge::<i64>::default());
    let told = [segments.clone(), compressed.clone(), damages.clone()];
    metrics.register(|registry| {
        registry.register("journal_closed_segments", "Closed segments of the journal", segments);
        registry.register("journal_compressed_segments", "Those of them that are compressed", compressed);
        registry.register("journal_damages", "Damaged segments found while the service runs", damages);
    });
    move |progress| {
        let UpkeepProgress { segments, compressed, damages } = progress;
        for (gauge, value) in told.iter().zip([*segments, *compressed, damages.len() as u64]) {
            gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        found.lock().unwrap_or_else(PoisonError::into_inner).clone_from(damages);
    }
}

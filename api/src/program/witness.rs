//! `witness`: cosigns the checkpoints of other services.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::ServiceConfig;
use actix_web::{HttpResponse, web};
use clap::Args;
use plybook_http::{Signals, serve_routes};
use plybook_store::{Witness as Kept, WitnessError};
use plybook_tlog::{AddCheckpoint, REQUEST_BYTES_MAX, Refusal, VerifierKey};

use super::{Failure, checks};

/// How long the body of a request may take to arrive.
const BODY: Duration = Duration::from_secs(10);

/// Plain text, and the size of a tree.
const TEXT: &str = "text/plain; charset=utf-8";
const SIZE: &str = "text/x.tlog.size";

/// Cosign the checkpoints of other services, so that none of them can show two histories.
///
/// A witness cosigns a checkpoint only if it is proven to go on from the last one that it has cosigned. Run it on another
/// machine than the services, by somebody else than who runs them. It speaks the witness protocol of c2sp.org/tlog-witness
/// over plain HTTP; put a proxy with TLS before it.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook witness --state /var/lib/witness --name witness.example.net --log 'games.example.org+3f1c9a20+AY…'

It prints its public key. The owner of the service names it, with the address: `plybook serve --witness 'KEY=URL'`. If the state folder is deleted or restored from an old copy, begin anew with another key. Environment: PLYBOOK_LOG (what is logged).")]
pub(crate) struct Witness {
    /// The folder with the key and what was cosigned last
    #[arg(long, value_name = "DIR")]
    state: PathBuf,
    /// The name of the witness, usually its host name and path; it cannot be changed after the first start
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The public key of a log that is followed; after a rotation, the new one too
    #[arg(long, value_name = "KEY", required = true)]
    log: Vec<VerifierKey>,
    /// The address to listen on; port 0 picks a free port
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8081")]
    listen: SocketAddr,
}

impl Witness {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let key = self.state.join("key");
        checks::warn_of_modes(&self.state, [key.as_path()]);
        let kept = Kept::open(&self.state, self.name.as_deref(), &self.log).map_err(Failure::trouble)?;
        super::print(format!("The public key is {}\n", kept.key()).as_bytes())?;
        let kept = Arc::new(kept);
        actix_web::rt::System::new().block_on(async {
            let server = serve_routes(self.listen, move |routes| configure(routes, &kept));
            let server = server.map_err(|why| Failure::trouble(format!("{}: {why}", self.listen)))?;
            let signals = Signals::listen().map_err(Failure::trouble)?;
            super::print(format!("The witness is at http://{}/\n", server.addr()).as_bytes())?;
            server.until_signal(signals).await.map_err(Failure::trouble)
        })
    }
}

fn configure(routes: &mut ServiceConfig, kept: &Arc<Kept>) {
    routes.app_data(web::Data::from(Arc::clone(kept)));
    routes.service(web::resource("/add-checkpoint").post(add_checkpoint));
    routes.service(web::resource("/{origin}/checkpoint").get(last));
}

/// `POST /add-checkpoint`: a checkpoint to cosign, with the proof that it goes on from the last one.
async fn add_checkpoint(body: web::Payload, kept: web::Data<Kept>) -> HttpResponse {
    let body = match tokio::time::timeout(BODY, body.to_bytes_limited(REQUEST_BYTES_MAX)).await {
        Ok(Ok(Ok(body))) => body,
        Ok(Ok(Err(_))) => return refused(StatusCode::BAD_REQUEST, "the body does not arrive"),
        Ok(Err(_)) => return refused(StatusCode::PAYLOAD_TOO_LARGE, &format!("at most {REQUEST_BYTES_MAX} bytes")),
        Err(_) => return refused(StatusCode::REQUEST_TIMEOUT, "the body takes too long"),
    };
    let judged = web::block(move || {
        let request: AddCheckpoint = std::str::from_utf8(&body).map_err(|_| Refusal::Shape)?.parse()?;
        kept.add_checkpoint(&request)
    });
    let why = match judged.await {
        Ok(Ok(line)) => return HttpResponse::Ok().insert_header((CONTENT_TYPE, TEXT)).body(line),
        Ok(Err(why)) => why,
        Err(why) => {
            tracing::error!(%why, "a request was not answered");
            return refused(StatusCode::INTERNAL_SERVER_ERROR, "it failed");
        }
    };
    let WitnessError::Refused(refusal) = why else {
        tracing::error!(%why, "nothing can be cosigned");
        return refused(StatusCode::INTERNAL_SERVER_ERROR, "the state cannot be written");
    };
    let status = match refusal {
        Refusal::Shape | Refusal::Backwards => StatusCode::BAD_REQUEST,
        Refusal::UnknownLog => StatusCode::NOT_FOUND,
        Refusal::Unsigned(_) => StatusCode::FORBIDDEN,
        Refusal::Conflict { size } => {
            return HttpResponse::Conflict().insert_header((CONTENT_TYPE, SIZE)).body(format!("{size}\n"));
        }
        Refusal::Inconsistent => StatusCode::UNPROCESSABLE_ENTITY,
    };
    refused(status, &refusal.to_string())
}

/// `GET /{origin}/checkpoint`: the last checkpoint that was cosigned of a log, by the SHA-256 of its origin in hex.
async fn last(origin: web::Path<String>, kept: web::Data<Kept>) -> HttpResponse {
    match kept.last(&origin) {
        Some(note) => HttpResponse::Ok().insert_header((CONTENT_TYPE, TEXT)).body(note),
        None => refused(StatusCode::NOT_FOUND, "nothing was cosigned of a log with an origin of that hash"),
    }
}

fn refused(status: StatusCode, why: &str) -> HttpResponse {
    HttpResponse::build(status).insert_header((CONTENT_TYPE, TEXT)).body(format!("{why}\n"))
}

//! The whole of what is served: which address is answered by what.

use std::sync::Arc;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::header::ALLOW;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, Error, FromRequest, Handler, HttpResponse, Resource};

use super::closing::Closing;
use super::doors::Doors;
use super::gate::Gate;
use super::observe::observe;
use super::probes::Readiness;
use super::{assets, graphql, probes};

type Ready = Arc<dyn Fn() -> Readiness + Send + Sync>;

/// What the addresses are answered from. Clones are the same site.
#[derive(Clone)]
pub struct Site {
    pub(crate) gate: Gate,
    pub(crate) doors: Doors,
    pub(crate) ready: Ready,
    pub(crate) closing: Closing,
}

impl Site {
    /// A site over `gate`; `ready` is asked at every `/readyz` and should answer at once.
    pub fn new(gate: Gate, doors: Doors, ready: impl Fn() -> Readiness + Send + Sync + 'static) -> Self {
        Self { gate, doors, ready: Arc::new(ready), closing: Closing::new() }
    }

    /// Routes of this layer. More of them are to be registered before: the first match counts.
    pub fn configure(&self, config: &mut ServiceConfig) {
        config
            .app_data(web::Data::new(self.clone()))
            .service(web::resource("/graphql").to(graphql::answer))
            .service(page("/graphiql", assets::graphiql))
            .service(page("/healthz", probes::health))
            .service(page("/readyz", probes::readiness))
            .service(page("/metrics", probes::metrics))
            .service(page("/static/{path:.*}", assets::fixed))
            .service(page("/games/{id}", assets::game))
            .service(page("/players/{id}", assets::player))
            .service(page("/statistics", assets::statistics))
            .service(page("/", assets::index))
            .default_service(web::to(assets::not_found));
    }
}

/// The application: `routes` of the caller's, those of the site, and what is around all of them.
pub fn app(
    site: Site,
    routes: impl FnOnce(&mut ServiceConfig),
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new()
        .configure(routes)
        .configure(move |config| site.configure(config))
        .wrap(Compress::default())
        .wrap(from_fn(observe))
}

/// Something to look at, by GET or HEAD.
fn page<F, A>(path: &str, handler: F) -> Resource
where
    F: Handler<A, Output = HttpResponse> + Clone,
    A: FromRequest + 'static,
{
    web::resource(path).route(web::get().to(handler.clone())).route(web::head().to(handler)).default_service(web::to(
        async || HttpResponse::MethodNotAllowed().insert_header((ALLOW, "GET, HEAD")).finish(),
    ))
}

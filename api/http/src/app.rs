//! The application: which handler answers which path, and the middleware around them.

use actix_cors::Cors;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{ALLOW, ETAG, RETRY_AFTER};
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, ServiceConfig};
use actix_web::{App, Error, FromRequest, Handler, HttpRequest, HttpResponse, Resource};

use super::graphql::{POSITION, RATE_LIMIT, answer};
use super::observe::{REQUEST_ID, observe};
use super::pages::{assets, probes};
use super::short::spare_short;
use super::site::Site;

/// For how long browsers need not ask again which pages of other sites are allowed, in seconds.
const CORS_S: usize = 600;

/// The application over `site`: the given `routes`, those of this layer, and the middleware.
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
    let cors = cors(&site);
    App::new()
        .configure(routes)
        .configure(move |config| configure(&site, config))
        .wrap(from_fn(spare_short))
        .wrap(Compress::default())
        .wrap(cors)
        .wrap(from_fn(observe))
}

/// Which pages of other sites may read answers, and send what no form can send: those that may open sockets. Tokens
/// are sent as a header, so no cookies are involved.
fn cors(site: &Site) -> Cors {
    let doors = site.doors.clone();
    Cors::default()
        .allowed_origin_fn(move |origin, _| origin.to_str().is_ok_and(|origin| doors.is_origin_listed(origin)))
        .allowed_methods([Method::GET, Method::POST])
        .allow_any_header()
        .expose_headers([ETAG, RETRY_AFTER, REQUEST_ID, POSITION, RATE_LIMIT])
        .max_age(CORS_S)
}

/// What operators ask for, at a separate address: metrics, and why the service is not ready.
pub fn backstage(
    site: Site,
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
        .app_data(web::Data::new(site))
        .service(page("/metrics", probes::metrics))
        .service(page("/readyz", probes::readiness_explained))
        .service(page("/healthz", probes::health))
        .default_service(web::to(HttpResponse::NotFound))
        .wrap(from_fn(observe))
}

/// The routes of this layer. Others are registered before them: the first match wins.
fn configure(site: &Site, config: &mut ServiceConfig) {
    config
        .app_data(web::Data::new(site.clone()))
        .service(web::resource("/graphql").to(answer))
        .service(page("/graphiql", assets::graphiql))
        .service(page("/healthz", probes::health))
        .service(page("/readyz", probes::readiness))
        .service(page("/openapi.json", assets::openapi))
        .service(page("/static/bundles/{hash}/{file}", assets::bundle))
        .service(page("/static/{path:.*}", assets::fixed))
        .service(page("/service-worker.js", assets::service_worker))
        .default_service(web::to(assets::not_found));
    for (path, name) in assets::PAGES {
        config.service(page(path, move |request: HttpRequest| async move { assets::shown(&request, name) }));
    }
}

/// A read-only resource, by GET or HEAD.
fn page<F, A>(path: &str, handler: F) -> Resource
where
    F: Handler<A, Output = HttpResponse> + Clone,
    A: FromRequest + 'static,
{
    web::resource(path).route(web::get().to(handler.clone())).route(web::head().to(handler)).default_service(web::to(
        async || HttpResponse::MethodNotAllowed().insert_header((ALLOW, "GET, HEAD")).finish(),
    ))
}

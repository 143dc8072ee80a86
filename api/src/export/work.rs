//! The work of an export: how it is admitted and executed, and how it is refused.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::RETRY_AFTER;
use actix_web::{HttpRequest, HttpResponse, web};
use plybook_http::{PublicUrl, Site};
use plybook_service::error::Problem;
use plybook_service::load::LoadError;
use serde_json::json;

/// The memory that a file takes while it is written.
const FILE_BYTES: u64 = 1 << 20;

/// The address of the service in links.
pub(super) fn public_url(request: &HttpRequest) -> PublicUrl {
    let site = request.app_data::<web::Data<Site>>().expect("the app is made with its site");
    site.doors.public_url(request)
}

/// Executes `work` on the workers, once the client's budget and the memory cover it.
pub(super) async fn work<T: Send + 'static>(
    request: &HttpRequest,
    units: u64,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, HttpResponse> {
    let site = request.app_data::<web::Data<Site>>().expect("the app is made with its site");
    let (execution, mut held) = site.admit(request);
    held.grow_to(FILE_BYTES).await.map_err(|why| refused(&why.into()))?;
    let admitted = Arc::clone(&execution);
    let task = async move {
        admitted.admit(units.min(admitted.limit())).await?;
        work()
    };
    let task = execution.execute(task).map_err(|why| refused(&why.into()))?;
    task.await.unwrap_or(Err(Problem::Internal)).map_err(|why| refused(&why))
}

/// The answer to a refused request.
pub(super) fn refused(problem: &Problem) -> HttpResponse {
    let status = match problem {
        Problem::NotFound(_) => StatusCode::NOT_FOUND,
        Problem::BadInput(_) => StatusCode::BAD_REQUEST,
        Problem::Load(LoadError::PoolEmpty { .. }) => StatusCode::SERVICE_UNAVAILABLE,
        Problem::Load(_) => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut answer = HttpResponse::build(status);
    if let Problem::Load(why) = problem
        && let Some(ms) = why.retry_after_ms()
    {
        answer.insert_header((RETRY_AFTER, ms.div_ceil(1_000)));
    }
    answer.json(json!({ "error": problem.to_string(), "code": problem.code() }))
}

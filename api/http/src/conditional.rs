//! Requests for what the client may have already.

use actix_web::http::header::{EntityTag, IF_NONE_MATCH, IfNoneMatch};
use actix_web::{HttpMessage, HttpRequest};

/// Whether the client has this version.
pub fn has_version(request: &HttpRequest, tag: &EntityTag) -> bool {
    if !request.headers().contains_key(IF_NONE_MATCH) {
        return false;
    }
    match request.get_header::<IfNoneMatch>() {
        Some(IfNoneMatch::Any) => true,
        Some(IfNoneMatch::Items(tags)) => tags.iter().any(|theirs| theirs.weak_eq(tag)),
        None => false,
    }
}

//! Media types of requests and answers.

use actix_web::http::header::{Accept, CONTENT_ENCODING, Quality};
use actix_web::{HttpMessage, HttpRequest};

/// The media type of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// `application/graphql-response+json`: the status says whether the request was executed.
    GraphqlResponse,
    /// `application/json`: 200 for every well-formed request, for older clients.
    Json,
}

impl Media {
    /// The media type that the request prefers; `None` if it accepts neither. The default, also for a wildcard, is
    /// `application/json`.
    ///
    /// # Source
    /// RFC 9110, 12.5.1; GraphQL over HTTP, "Legacy Watershed".
    pub fn accepted(request: &HttpRequest) -> Option<Self> {
        let Some(mut accept) = request.get_header::<Accept>().filter(|accept| !accept.is_empty()) else {
            return Some(Self::Json);
        };
        accept.0.retain(|range| range.quality > Quality::ZERO);
        accept.ranked().iter().find_map(|range| match range.essence_str() {
            "application/graphql-response+json" => Some(Self::GraphqlResponse),
            "application/json" | "application/*" | "*/*" => Some(Self::Json),
            _ => None,
        })
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        }
    }
}

/// Whether the body is declared as uncompressed JSON in UTF-8.
///
/// Nothing else is accepted: any web page can post a form or `text/plain` without a preflight request.
pub fn is_json(request: &HttpRequest) -> bool {
    let is_encoded = request.headers().get(CONTENT_ENCODING).is_some_and(|encoding| encoding != "identity");
    let is_json = request.mime_type().ok().flatten().is_some_and(|mime| {
        mime.essence_str() == "application/json" && mime.get_param("charset").is_none_or(|charset| charset == "utf-8")
    });
    is_json && !is_encoded
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{ACCEPT, CONTENT_TYPE};
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_better_medium_is_chosen() {
        let cases = [
            ("application/graphql-response+json", Some(Media::GraphqlResponse)),
            ("application/json", Some(Media::Json)),
            ("application/graphql-response+json; charset=utf-8, application/json", Some(Media::GraphqlResponse)),
            ("application/graphql-response+json;q=0.5, application/json;q=0.9", Some(Media::Json)),
            ("application/graphql-response+json;q=0, */*;q=0.1", Some(Media::Json)),
            ("*/*, application/graphql-response+json", Some(Media::GraphqlResponse)),
            ("text/html, */*;q=0.1", Some(Media::Json)),
            ("application/*", Some(Media::Json)),
            ("", Some(Media::Json)),
            ("text/html", None),
            ("application/json;q=0", None),
        ];
        for (value, media) in cases {
            let request = TestRequest::get().insert_header((ACCEPT, value)).to_http_request();
            assert_eq!(Media::accepted(&request), media, "{value}");
        }
        assert_eq!(Media::accepted(&TestRequest::get().to_http_request()), Some(Media::Json));
    }

    #[test]
    fn only_json_in_utf8_is_json() {
        let says = |value: &str| is_json(&TestRequest::post().insert_header((CONTENT_TYPE, value)).to_http_request());
        assert!(says("application/json") && says("Application/JSON; Charset=\"UTF-8\""));
        assert!(!says("text/plain") && !says("application/json; charset=latin1") && !says("application/jsonp"));
        assert!(!is_json(&TestRequest::post().to_http_request()));
    }
}

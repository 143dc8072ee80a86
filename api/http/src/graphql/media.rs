//! Media types of requests and answers.

use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HeaderMap};

/// The media type of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Media {
    /// `application/graphql-response+json`: the status says whether the request was executed.
    GraphqlResponse,
    /// `application/json`: 200 for every well-formed request, for older clients.
    Json,
}

impl Media {
    /// The media type that the `Accept` headers ask for; `None` if they accept neither.
    ///
    /// The higher quality wins, then the more specific range. The default, also for a wildcard, is
    /// `application/json`.
    ///
    /// # Source
    /// RFC 9110, 12.5.1; GraphQL over HTTP, "Legacy Watershed".
    pub fn accepted(headers: &HeaderMap) -> Option<Self> {
        let mut named = false;
        let mut best: Option<(u16, u8, Self)> = None;
        for value in headers.get_all(ACCEPT) {
            for range in value.to_str().unwrap_or_default().split(',').filter(|range| !range.trim().is_empty()) {
                named = true;
                let Some(found) = read_range(range) else { continue };
                if found.0 > 0 && best.is_none_or(|best| (found.0, found.1) > (best.0, best.1)) {
                    best = Some(found);
                }
            }
        }
        if named { best.map(|(_, _, media)| media) } else { Some(Self::Json) }
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::GraphqlResponse => "application/graphql-response+json; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
        }
    }
}

/// Quality in thousandths, specificity (graphql-response comes first, since it says more), media type.
fn read_range(range: &str) -> Option<(u16, u8, Media)> {
    let mut parts = range.split(';').map(str::trim);
    let (specific, media) = match parts.next()?.to_ascii_lowercase().as_str() {
        "application/graphql-response+json" => (3, Media::GraphqlResponse),
        "application/json" => (2, Media::Json),
        "application/*" => (1, Media::Json),
        "*/*" => (0, Media::Json),
        _ => return None,
    };
    let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
    let quality = quality.map_or(1.0, |text| text.parse::<f32>().unwrap_or(0.0)).clamp(0.0, 1.0);
    Some(((quality * 1_000.0) as u16, specific, media))
}

/// Whether the body is declared as uncompressed JSON in UTF-8.
///
/// Nothing else is accepted: any web page can post a form or `text/plain` without a preflight request.
pub fn is_json(headers: &HeaderMap) -> bool {
    let encoded = headers.get("content-encoding").is_some_and(|encoding| encoding != "identity");
    let Some(Ok(content_type)) = headers.get(CONTENT_TYPE).map(|value| value.to_str()) else { return false };
    let mut parts = content_type.split(';').map(str::trim);
    let json = parts.next().is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    let utf8 = parts.all(|parameter| match parameter.split_once('=') {
        Some((name, value)) if name.eq_ignore_ascii_case("charset") => {
            matches!(value.trim_matches('"').to_ascii_lowercase().as_str(), "utf-8" | "utf8")
        }
        _ => true,
    });
    json && utf8 && !encoded
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn accepted(value: &'static str) -> Option<Media> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(value));
        Media::accepted(&headers)
    }

    #[test]
    fn the_better_medium_is_chosen() {
        let cases = [
            ("application/graphql-response+json", Some(Media::GraphqlResponse)),
            ("application/json", Some(Media::Json)),
            ("application/graphql-response+json; charset=utf-8, application/json", Some(Media::GraphqlResponse)),
            ("application/json, application/graphql-response+json", Some(Media::GraphqlResponse)),
            ("application/graphql-response+json;q=0.5, application/json;q=0.9", Some(Media::Json)),
            ("application/graphql-response+json;q=0, */*;q=0.1", Some(Media::Json)),
            ("text/html, */*;q=0.1", Some(Media::Json)),
            ("*/*", Some(Media::Json)),
            ("application/*", Some(Media::Json)),
            ("", Some(Media::Json)),
            ("text/html", None),
            ("application/json;q=0", None),
        ];
        for (value, media) in cases {
            assert_eq!(accepted(value), media, "{value}");
        }
        assert_eq!(Media::accepted(&HeaderMap::new()), Some(Media::Json));
    }

    #[test]
    fn only_json_in_utf8_is_json() {
        let says = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(value));
            is_json(&headers)
        };
        assert!(says("application/json") && says("Application/JSON; Charset=\"UTF-8\""));
        assert!(!says("text/plain") && !says("application/json; charset=latin1") && !says("application/jsonp"));
        assert!(!is_json(&HeaderMap::new()));
    }
}

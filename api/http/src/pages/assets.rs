//! The viewer's files, as pages and by themselves.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    AcceptEncoding, AcceptLanguage, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, ETAG,
    Encoding, EntityTag, HeaderValue, LINK, LOCATION, Preference, Quality, TryIntoHeaderValue, VARY,
};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, web};
use plybook_events::{Hash, LogId};
use plybook_viewer::files::Files;
use plybook_viewer::language::Language;
use plybook_viewer::page::{EMBED, Page};
use plybook_viewer::preview::{Preview, previewed};

use crate::conditional::has_version;
use crate::observe::EMBEDDED_POLICY;
use crate::short::AS_IT_IS;
use crate::site::Site;

const OPENAPI: &str = include_str!("../../../openapi.json");

/// For what has its hash in its address.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

const GZIP: &str = "application/gzip";

const SVG: &str = "image/svg+xml";

const HTML: &str = "text/html; charset=utf-8";

/// `GraphiQL` and its editor put styles into the page; all scripts are still our own files.
const GRAPHIQL_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; script-src 'self'; \
     img-src 'self' data:; font-src 'self' data:; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// The pages of the viewer. What a page shows it requests itself; tokens are behind `#`, which browsers do not send.
pub const PAGES: [(&str, &str); 18] = [
    ("/", "index"),
    ("/games/new", "new-game"),
    ("/games/{log}", "game"),
    // Two boards side by side, of one game or of two.
    ("/games/{log}/beside", "beside"),
    // For a frame in a page of another site.
    ("/embed/{log}", EMBED),
    ("/record/{log}", "record"),
    ("/players", "players"),
    ("/players/{id}", "player"),
    ("/ratings", "ratings"),
    ("/about", "about"),
    ("/rules/{kind}", "rules"),
    ("/search", "search"),
    ("/statistics", "statistics"),
    ("/tournaments", "tournaments"),
    ("/tournaments/new", "new-tournament"),
    ("/tournaments/{id}", "tournament"),
    ("/tournaments/{id}/organise", "organise"),
    // The target of the link on a table's slip.
    ("/table", "table"),
];

/// A page of [`PAGES`]. Not found if it is that of a log and its address has no id of one.
pub fn shown(request: &HttpRequest, name: &str) -> HttpResponse {
    let log = request.match_info().get("log");
    if log.is_some_and(|id| id.parse::<LogId>().is_err()) {
        return missing(request);
    }
    let mut page = page(request, name);
    if let (Some(id), "game") = (log, name) {
        let link = format!("</oembed?url=/games/{id}>; rel=\"alternate\"; type=\"application/json+oembed\"");
        page.headers_mut().insert(LINK, HeaderValue::try_from(link).expect("ids are plain text"));
    }
    if name == EMBED {
        page.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(EMBEDDED_POLICY));
    }
    page
}

/// `/graphiql`: the query editor.
pub async fn graphiql(request: HttpRequest) -> HttpResponse {
    let Some(html) = Files::text("pages/graphiql.html") else { return missing(&request) };
    let mut page = text(&request, html);
    let policy = GRAPHIQL_POLICY.try_into_value().expect("the policy is plain text");
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    page
}

/// `/static/bundles/{hash}/{file}`: what a page loads first, and the modules that it imports later. An address is never
/// that of another version.
pub async fn bundle(request: HttpRequest, path: web::Path<(String, String)>) -> HttpResponse {
    let (hash, file) = path.into_inner();
    let Some((content_type, file)) = content_type(&file).zip(Page::file(&hash, &file)) else {
        return missing(&request);
    };
    let mut builder = HttpResponse::Ok();
    builder
        .content_type(content_type)
        .insert_header((CACHE_CONTROL, FOR_EVER))
        .insert_header((VARY, "accept-encoding"));
    let known = [Encoding::zstd(), Encoding::gzip(), Encoding::identity()];
    let accepted = request.get_header::<AcceptEncoding>().and_then(|accepted| accepted.negotiate(known.iter()));
    let (encoding, bytes) = match accepted {
        Some(encoding) if encoding == Encoding::zstd() => (HeaderValue::from_static("zstd"), file.zstd),
        Some(encoding) if encoding == Encoding::gzip() => (HeaderValue::from_static("gzip"), file.gzip),
        _ => (AS_IT_IS, file.plain),
    };
    builder.insert_header((CONTENT_ENCODING, encoding)).body(bytes)
}

/// `/static/{path}`: any file of the viewer except its pages, which are incomplete without their head.
pub async fn fixed(request: HttpRequest, path: web::Path<String>) -> HttpResponse {
    let Some((content_type, file)) = content_type(&path).zip(Files::get(&path)) else { return missing(&request) };
    // The names of the rules have their hash. Vendored files and pictures rarely change; others are revalidated each time.
    let cache = match path.as_str() {
        path if path.starts_with("rules/") && content_type == GZIP => FOR_EVER,
        path if path.starts_with("vendor/") || content_type == SVG => "public, max-age=86400",
        _ => "no-cache",
    };
    answer(&request, content_type, cache, number_of(&file), file)
}

/// `/service-worker.js`: keeps pages for when there is no connection. It is served from the root, since a worker
/// serves only what is below its own address, and it differs with every version of any file.
pub async fn service_worker(request: HttpRequest) -> HttpResponse {
    let Some(file) = Files::get("base/service-worker.js") else { return missing(&request) };
    let version = Files::paths()
        .filter_map(|path| Some(number_of(&Files::get(&path)?)))
        .fold(0_u128, |version, number| version.rotate_left(1) ^ number);
    let text = String::from_utf8_lossy(&file).replace("VERSION", &format!("{version:032x}"));
    answer(&request, "text/javascript; charset=utf-8", "no-cache", version, text.into_bytes().into())
}

/// `/openapi.json`: what the routes besides GraphQL serve.
pub async fn openapi(request: HttpRequest) -> HttpResponse {
    let number = number_of(OPENAPI.as_bytes());
    answer(&request, "application/json", "no-cache", number, OPENAPI.as_bytes().into())
}

/// Everything else. An address that ends with a slash is redirected to the one without it, unless it begins with two slashes or a
/// backslash: browsers would take that for another site.
pub async fn not_found(request: HttpRequest) -> HttpResponse {
    let path = request.path().strip_suffix('/').and_then(|path| path.strip_prefix('/'));
    match path.filter(|path| path.starts_with(|first: char| first.is_ascii_alphanumeric())) {
        Some(path) => {
            let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
            HttpResponse::PermanentRedirect().insert_header((LOCATION, format!("/{path}{query}"))).finish()
        }
        None => missing(&request),
    }
}

/// A page in the reader's language, its header marking the address of the request as the current one.
fn page(request: &HttpRequest, name: &str) -> HttpResponse {
    let language = language(request);
    let Some(page) = Page::of(name, language) else { return missing(request) };
    let link = format!("class=\"crumb\" href=\"{}\"", request.path());
    let html = page.html.replace(&link, &format!("{link} aria-current=\"page\""));
    let site = request.app_data::<web::Data<Site>>().expect("the app is made with its site");
    let preview = (site.previews)(request.path(), request.query_string(), language);
    let preview = preview.unwrap_or_else(|| Preview::of(request.path(), &html));
    spoken(text(request, previewed(&html, &preview, &site.doors.public_url(request).to_string())), language)
}

/// Says which language an answer has, and that others may get another one.
fn spoken(mut answer: HttpResponse, language: Language) -> HttpResponse {
    answer.headers_mut().insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
    answer.headers_mut().append(VARY, HeaderValue::from_static("accept-language"));
    answer
}

/// What the address asks for with `lang=`, or what the browser prefers, as far as there is a page in it. Headers that are not in
/// form are passed over.
fn language(request: &HttpRequest) -> Language {
    let asked = request.query_string().split('&').find_map(|part| Language::parse(part.strip_prefix("lang=")?));
    asked.or_else(|| preferred(request)).unwrap_or_default()
}

fn preferred(request: &HttpRequest) -> Option<Language> {
    let mut ranges = request.get_header::<AcceptLanguage>()?;
    ranges.0.retain(|range| range.quality > Quality::ZERO);
    ranges.ranked().into_iter().find_map(|range| match range {
        Preference::Any => Some(Language::default()),
        // The code of Hebrew until 1989, which some systems still send.
        Preference::Specific(tag) if tag.primary_language() == "iw" => Some(Language::Hebrew),
        Preference::Specific(tag) => Language::parse(&tag.primary_language().to_ascii_lowercase()),
    })
}

fn text(request: &HttpRequest, html: String) -> HttpResponse {
    let number = number_of(html.as_bytes());
    answer(request, HTML, "no-cache", number, html.into_bytes().into())
}

/// The bytes, or 304 if the client has this version.
fn answer(
    request: &HttpRequest,
    content_type: &'static str,
    cache: &'static str,
    number: u128,
    bytes: Cow<'static, [u8]>,
) -> HttpResponse {
    // Weak, since the bytes on the wire may be compressed.
    let tag = EntityTag::new_weak(format!("{number:032x}"));
    let mut builder = HttpResponse::Ok();
    builder.insert_header((ETAG, tag.clone())).insert_header((CACHE_CONTROL, cache));
    if has_version(request, &tag) {
        return builder.status(StatusCode::NOT_MODIFIED).finish();
    }
    builder.content_type(content_type);
    match bytes {
        Cow::Borrowed(bytes) => builder.body(web::Bytes::from_static(bytes)),
        Cow::Owned(bytes) => builder.body(bytes),
    }
}

/// A page for people, a line of text for programs.
fn missing(request: &HttpRequest) -> HttpResponse {
    let wants_page = request
        .headers()
        .get("accept")
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")));
    let mut builder = HttpResponse::NotFound();
    builder.insert_header((CACHE_CONTROL, "no-store"));
    let language = language(request);
    match Page::of("404", language) {
        Some(page) if wants_page => spoken(builder.content_type(HTML).body(page.html.clone()), language),
        _ => builder.content_type("text/plain; charset=utf-8").body("not found\n"),
    }
}

/// The content type by the file's extension; other kinds of files are not served.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => SVG,
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" => "application/json",
        "gz" => GZIP,
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}

/// Half of the hash of a file, which is enough to tell its versions apart.
fn number_of(file: &[u8]) -> u128 {
    let hash = Hash::of_parts(&[file]);
    let (half, _) = hash.0.split_first_chunk::<16>().expect("32 bytes have a first half");
    u128::from_be_bytes(*half)
}

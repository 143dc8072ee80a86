//! Reading a GraphQL request.

use std::collections::HashMap;
use std::fmt::Display;

use actix_web::web;
use async_graphql::Request;
use serde_json::{Map, Value};

use super::fault::{code, fault};
use super::rejection::Rejection;

fn unreadable(why: impl Display) -> Rejection {
    Rejection::bad_request(format!("the request cannot be read: {why}"))
}

/// Reads the body of a POST.
pub fn from_body(body: &[u8]) -> Result<Request, Rejection> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(Rejection::bad_request("the request is an array; send one operation at a time"));
    }
    with_query(serde_json::from_slice(body).map_err(unreadable)?)
}

/// Reads the query string of a GET; `variables` and `extensions` are JSON in it. (`parse_query_string` of async-graphql
/// 7.2.1 knows no `operationName`.)
pub fn from_query_string(text: &[u8]) -> Result<Request, Rejection> {
    let given = web::Query::<HashMap<String, String>>::from_query(&String::from_utf8_lossy(text));
    let given = given.map_err(unreadable)?;
    let mut members = Map::new();
    for (name, text) in given.into_inner() {
        let value = match name.as_str() {
            "variables" | "extensions" | "operationName" if text.is_empty() => Value::Null,
            "variables" | "extensions" => serde_json::from_str(&text).map_err(unreadable)?,
            _ => text.into(),
        };
        members.insert(name, value);
    }
    with_query(serde_json::from_value(members.into()).map_err(unreadable)?)
}

/// A request has a query.
pub fn with_query(request: Request) -> Result<Request, Rejection> {
    match request.query.as_str() {
        // The text is what clients look for: they send the whole query then.
        "" if request.extensions.contains_key("persistedQuery") => {
            Err(fault(code::NOT_PERSISTED, "PersistedQueryNotSupported").into())
        }
        "" => Err(Rejection::bad_request("`query` is missing")),
        _ => Ok(request),
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::Variables;

    use super::*;

    #[test]
    fn a_query_string_is_decoded() {
        let request = from_query_string(b"query={a}&operationName=&variables=").unwrap();
        assert_eq!((request.operation_name, request.variables), (None, Variables::default()));
        let request = from_query_string(
            b"query=query%20A($n:Int){a}&operationName=A&variables=%7B%22n%22:1%7D&extensions=&other=1",
        );
        let request = request.unwrap();
        assert_eq!(request.query, "query A($n:Int){a}");
        assert_eq!(request.operation_name.as_deref(), Some("A"));
        assert_eq!(request.variables, Variables::from_json(serde_json::json!({ "n": 1 })));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let says = |text: &str| from_query_string(text.as_bytes()).unwrap_err().message().to_owned();
        let told = |body: &[u8]| from_body(body).unwrap_err().message().to_owned();
        assert_eq!(says(""), "`query` is missing");
        assert_eq!(
            says("query={a}&variables=[]"),
            "the request cannot be read: invalid type: sequence, expected a map"
        );
        assert!(says("query={a}&variables={").starts_with("the request cannot be read: EOF"));
        let hash = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#;
        assert_eq!(told(hash.as_bytes()), "PersistedQueryNotSupported");
        assert_eq!(told(b"{\"extensions\":null}"), "`query` is missing");
        assert_eq!(told(b" [\"{ me }\"]"), "the request is an array; send one operation at a time");
        for body in [&b"1"[..], b"\xff", b"{\"query\":1}", b"{\"query\":\"{ a }\",\"query\":\"{ b }\"}"] {
            assert!(told(body).starts_with("the request cannot be read: "), "{body:?}");
        }
    }
}

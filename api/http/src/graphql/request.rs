//! Reading a GraphQL request.

use std::collections::HashMap;

use actix_web::web;
use async_graphql::Request;
use serde_json::{Map, Value};

/// Why a request cannot be read. The client should correct it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("the request cannot be read: {0}")]
    Unreadable(String),
    #[error("the request is an array; send one operation at a time")]
    Batch,
    /// The text is what clients look for: they send the whole query then.
    #[error("PersistedQueryNotSupported")]
    PersistedQuery,
    #[error("`query` is missing")]
    NoQuery,
}

impl From<serde_json::Error> for Malformed {
    fn from(why: serde_json::Error) -> Self {
        Self::Unreadable(why.to_string())
    }
}

/// Reads the body of a POST.
pub fn from_body(body: &[u8]) -> Result<Request, Malformed> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(Malformed::Batch);
    }
    with_query(serde_json::from_slice(body)?)
}

/// Reads the query string of a GET; `variables` and `extensions` are JSON in it. (`parse_query_string` of async-graphql
/// 7.2.1 knows no `operationName`.)
pub fn from_query_string(text: &str) -> Result<Request, Malformed> {
    let given = web::Query::<HashMap<String, String>>::from_query(text);
    let given = given.map_err(|why| Malformed::Unreadable(why.to_string()))?;
    let mut members = Map::new();
    for (name, text) in given.into_inner() {
        let value = match name.as_str() {
            "variables" | "extensions" if text.is_empty() => Value::Null,
            "variables" | "extensions" => serde_json::from_str(&text)?,
            _ => text.into(),
        };
        members.insert(name, value);
    }
    with_query(serde_json::from_value(members.into())?)
}

/// A request has a query.
pub fn with_query(request: Request) -> Result<Request, Malformed> {
    match request.query.as_str() {
        "" if request.extensions.contains_key("persistedQuery") => Err(Malformed::PersistedQuery),
        "" => Err(Malformed::NoQuery),
        _ => Ok(request),
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::Variables;

    use super::*;

    #[test]
    fn a_query_string_is_decoded() {
        let request = from_query_string(
            "query=query%20A($n:Int){a}&operationName=A&variables=%7B%22n%22:1%7D&extensions=&other=1",
        );
        let request = request.unwrap();
        assert_eq!(request.query, "query A($n:Int){a}");
        assert_eq!(request.operation_name.as_deref(), Some("A"));
        assert_eq!(request.variables, Variables::from_json(serde_json::json!({ "n": 1 })));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let says = |text: &str| from_query_string(text).unwrap_err().to_string();
        assert_eq!(says(""), "`query` is missing");
        assert_eq!(
            says("query={a}&variables=[]"),
            "the request cannot be read: invalid type: sequence, expected a map"
        );
        assert!(says("query={a}&variables={").starts_with("the request cannot be read: EOF"));
        let hash = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#;
        assert_eq!(from_body(hash.as_bytes()).unwrap_err(), Malformed::PersistedQuery);
        assert_eq!(from_body(b"{\"extensions\":null}").unwrap_err(), Malformed::NoQuery);
        assert_eq!(from_body(b" [\"{ me }\"]").unwrap_err(), Malformed::Batch);
        for body in [&b"1"[..], b"\xff", b"{\"query\":1}", b"{\"query\":\"{ a }\",\"query\":\"{ b }\"}"] {
            assert!(matches!(from_body(body).unwrap_err(), Malformed::Unreadable(_)), "{body:?}");
        }
    }
}

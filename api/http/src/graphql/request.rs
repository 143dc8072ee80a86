//! Reading a GraphQL request: its members and their types.

use actix_web::web;
use async_graphql::{Request, Variables};
use serde_json::{Map, Value};

/// Why a request cannot be read. The client should correct it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    #[error("the request is not JSON: {why}")]
    NotJson { why: String },
    #[error("the request is an array; send one operation at a time")]
    Batch,
    #[error("the request is not an object")]
    NotAnObject,
    #[error("the query string cannot be read")]
    QueryString,
    #[error("`{member}` is given twice")]
    Twice { member: String },
    /// The text is what clients look for: they send the whole query then.
    #[error("PersistedQueryNotSupported")]
    PersistedQuery,
    #[error("`query` is missing")]
    NoQuery,
    #[error("`{member}` must be {expected}")]
    Type { member: &'static str, expected: &'static str },
}

/// Reads the body of a POST.
pub fn from_body(body: &[u8]) -> Result<Request, Malformed> {
    let value = serde_json::from_slice(body).map_err(|why| Malformed::NotJson { why: why.to_string() })?;
    from_value(value)
}

/// Reads the query string of a GET; `variables` and `extensions` are JSON in it.
pub fn from_query_string(text: &str) -> Result<Request, Malformed> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(text).map_err(|_| Malformed::QueryString)?;
    let mut members = Map::new();
    for (name, text) in pairs.into_inner() {
        let value = match name.as_str() {
            "query" | "operationName" => Value::String(text),
            "variables" | "extensions" if text.is_empty() => Value::Null,
            "variables" | "extensions" => {
                serde_json::from_str(&text).map_err(|why| Malformed::NotJson { why: format!("{name}: {why}") })?
            }
            _ => continue,
        };
        if members.insert(name.clone(), value).is_some() {
            return Err(Malformed::Twice { member: name });
        }
    }
    from_value(Value::Object(members))
}

/// Checks the members; unknown ones are ignored.
///
/// # Source
/// GraphQL over HTTP, "Request Parameters".
pub fn from_value(value: Value) -> Result<Request, Malformed> {
    let mut members = match value {
        Value::Object(members) => members,
        Value::Array(_) => return Err(Malformed::Batch),
        _ => return Err(Malformed::NotAnObject),
    };
    let mut request = match members.remove("query") {
        None | Some(Value::Null) if is_hash_only(&members) => {
            return Err(Malformed::PersistedQuery);
        }
        None | Some(Value::Null) => return Err(Malformed::NoQuery),
        Some(Value::String(query)) => Request::new(query),
        Some(_) => return Err(Malformed::Type { member: "query", expected: "a string" }),
    };
    request.operation_name = match members.remove("operationName") {
        None | Some(Value::Null) => None,
        Some(Value::String(name)) => Some(name),
        Some(_) => return Err(Malformed::Type { member: "operationName", expected: "a string or null" }),
    };
    if let Some(variables) = object(&mut members, "variables")? {
        request.variables = Variables::from_json(Value::Object(variables));
    }
    for (name, value) in object(&mut members, "extensions")?.unwrap_or_default() {
        let value =
            async_graphql::Value::from_json(value).map_err(|why| Malformed::NotJson { why: why.to_string() })?;
        request.extensions.insert(name, value);
    }
    Ok(request)
}

/// Whether the request names its query by a hash, as clients do that try automatic persisted queries.
fn is_hash_only(members: &Map<String, Value>) -> bool {
    members.get("extensions").and_then(|extensions| extensions.get("persistedQuery")).is_some_and(Value::is_object)
}

fn object(members: &mut Map<String, Value>, member: &'static str) -> Result<Option<Map<String, Value>>, Malformed> {
    match members.remove(member) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(_) => Err(Malformed::Type { member, expected: "an object or null" }),
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(says("query={a}&query={b}"), "`query` is given twice");
        assert_eq!(says("query={a}&variables=[]"), "`variables` must be an object or null");
        assert!(says("query={a}&variables={").starts_with("the request is not JSON: variables: "));
        let hash = r#"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"00"}}}"#;
        assert_eq!(from_body(hash.as_bytes()).unwrap_err(), Malformed::PersistedQuery);
        assert_eq!(from_body(b"{\"extensions\":{}}").unwrap_err(), Malformed::NoQuery);
        assert_eq!(from_body(b"[]").unwrap_err(), Malformed::Batch);
        assert_eq!(from_body(b"1").unwrap_err(), Malformed::NotAnObject);
        assert!(matches!(from_body(b"\xff").unwrap_err(), Malformed::NotJson { .. }));
    }
}

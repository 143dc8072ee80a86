//! How mutations answer, and those with a key: each is carried out once, however often it is sent.

use async_graphql::{Context, InputValueError, InputValueResult, Scalar, ScalarType, Value};
use plybook_events::{Hash, RequestId, canonical};
use plybook_service::access::Desk;
use plybook_service::error::Problem;
use plybook_service::{Service, Written};
use serde_json::{Map, Value as Json};

use super::{caller, desk, service};

/// The answer of a mutation: null if it was refused, so that the rest of the answer still shows what the mutations
/// before it have done.
pub(super) type Answered<T> = Result<Option<T>, Problem>;

/// How many characters a key has.
const CHARS: std::ops::RangeInclusive<usize> = 16..=128;

/// What makes a mutation safe to send again if its answer was lost: 16 to 128 printable ASCII characters, such as a
/// UUID, new for every request. A mutation whose key was carried out before writes nothing, and answers with what the
/// first one changed, in its present state. Keys belong to the access token, are kept with what was written, and stay
/// valid forever. A refused mutation can be sent again with the same key.
#[derive(Clone, Debug)]
pub struct IdempotencyKey(String);

/// What makes a mutation safe to send again if its answer was lost: 16 to 128 printable ASCII characters, such as a
/// UUID, new for every request. A mutation whose key was carried out before writes nothing, and answers with what the
/// first one changed, in its present state. Keys belong to the access token, are kept with what was written, and stay
/// valid forever. A refused mutation can be sent again with the same key.
#[Scalar(
    specified_by_url = "https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header#section-2.1"
)]
impl ScalarType for IdempotencyKey {
    fn parse(value: Value) -> InputValueResult<Self> {
        match value {
            Value::String(key) if CHARS.contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Ok(Self(key))
            }
            Value::String(_) => {
                let (least, most) = CHARS.into_inner();
                let why = format!("a key has {least} to {most} printable ASCII characters without spaces: send a UUID");
                Err(InputValueError::custom(why))
            }
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.clone())
    }
}

impl IdempotencyKey {
    /// The key itself.
    pub(super) fn into_text(self) -> String {
        self.0
    }
}

/// Carries out `change` at the caller's desk, once if there is a key. If that was done before, `again` answers.
pub(super) fn once<T>(
    ctx: &Context<'_>,
    key: Option<IdempotencyKey>,
    change: impl FnOnce(&Desk) -> Result<T, Problem>,
    again: impl FnOnce(&Service, Written) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let (desk, service) = (desk(ctx), service(ctx));
    let Some(IdempotencyKey(key)) = key else { return change(&desk) };
    let client = caller(ctx).token.unwrap_or(Hash::ZERO);
    let request = RequestId::new(&client, &key, &content(ctx)?);
    if let Some(written) = service.written(&request)? {
        return again(service, written);
    }
    change(&desk.carrying_out(request)).or_else(|why| match service.written(&request)? {
        // The same request was being carried out at the same time.
        Some(written) => again(service, written),
        None => Err(why),
    })
}

/// What a mutation asks for: its name and its arguments, without the key. An argument that is null counts as left out,
/// so that a new version of a client may name one that its old version did not.
fn content(ctx: &Context<'_>) -> Result<Vec<u8>, Problem> {
    let field = ctx.field();
    let mut content = Map::new();
    for (name, value) in field.arguments().map_err(|why| Problem::BadInput(why.message))? {
        if name != "idempotencyKey" && value != Value::Null {
            content.insert(name.to_string(), value.into_json().map_err(Problem::internal)?);
        }
    }
    let content = Json::from(vec![Json::from(field.name()), Json::from(content)]);
    // Contents without a canonical form count as different if they are spelt differently.
    Ok(canonical::to_bytes(&content).unwrap_or_else(|_| content.to_string().into_bytes()))
}

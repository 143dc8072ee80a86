//! The extension of a schema: admission, mutations one after another, codes of errors, and null for what has failed. One
//! extension does all of it, because each costs every field time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web::Bytes;
use async_graphql::extensions::{
    Extension, ExtensionContext, ExtensionFactory, NextExecute, NextResolve, NextSubscribe, NextValidation, ResolveInfo,
};
use async_graphql::{
    Error, PathSegment, QueryPathSegment, Response, ServerError, ServerResult, ValidationResult, Value,
};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use plybook_service::error::Problem;
use plybook_service::load::{Execution, LoadError, LoadLimits};

use super::fault::{code, fault, not_admitted};

/// The most fields of the schema that an operation reads: lists of types within the lists of types have no end.
const SCHEMA_FIELDS_MAX: usize = 200_000;

/// Makes the extension of each request.
pub struct Guard;

impl ExtensionFactory for Guard {
    fn create(&self) -> Arc<dyn Extension> {
        Arc::new(Guarded::default())
    }
}

/// Stops a request at its first mutation that fails. What follows it was meant for a state that does not exist: after
/// an action that was refused, the next one would be recorded in its place.
///
/// Puts null in the place of what has failed: since 7.1, async-graphql omits a failed field from its object. According to
/// the specification, the field is null or, if it is not nullable, the nearest nullable value around it is.
///
/// # Source
/// GraphQL specification (October 2021), 6.4.4 Handling Field Errors; async-graphql pull request 1746.
#[derive(Default)]
struct Guarded {
    has_mutated: AtomicBool,
    has_refused: AtomicBool,
    has_failed: AtomicBool,
    schema_fields: AtomicUsize,
    errors: Mutex<Vec<ServerError>>,
}

impl Guarded {
    fn errors(&self) -> MutexGuard<'_, Vec<ServerError>> {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait::async_trait]
impl Extension for Guarded {
    async fn validation(
        &self,
        ctx: &ExtensionContext<'_>,
        next: NextValidation<'_>,
    ) -> Result<ValidationResult, Vec<ServerError>> {
        let found = next.run(ctx).await?;
        admit(ctx, found.complexity as u64).await.map_err(|why| vec![not_admitted(&why)])?;
        Ok(found)
    }

    async fn resolve(
        &self,
        ctx: &ExtensionContext<'_>,
        info: ResolveInfo<'_>,
        next: NextResolve<'_>,
    ) -> ServerResult<Option<Value>> {
        if info.is_for_introspection && self.schema_fields.fetch_add(1, Ordering::Relaxed) >= SCHEMA_FIELDS_MAX {
            let says = format!("no more than {SCHEMA_FIELDS_MAX} fields of the schema are read at a time");
            return Err(fault(code::TOO_COMPLEX, says));
        }
        let node = info.path_node;
        if let QueryPathSegment::Index(_) = node.segment {
            // What type it has is known where its list is resolved.
            return next.run(ctx, info).await;
        }
        let declared = info.return_type;
        let is_mutation = node.parent.is_none() && info.parent_type == "Mutation";
        let resolved = if is_mutation && self.has_refused.load(Ordering::Relaxed) {
            let mut error = Error::from(Problem::NotReached).into_server_error(info.field.name.pos);
            error.path = vec![PathSegment::Field(info.alias.unwrap_or(info.name).to_owned())];
            Err(error)
        } else {
            next.run(ctx, info).await
        };
        if is_mutation {
            self.has_mutated.store(true, Ordering::Relaxed);
            self.has_refused.fetch_or(resolved.is_err(), Ordering::Relaxed);
        }
        match resolved {
            Err(error) => {
                self.errors().push(error);
                self.has_failed.store(true, Ordering::Relaxed);
                Ok(Some(failed(declared)))
            }
            Ok(Some(mut value)) if self.has_failed.load(Ordering::Relaxed) => {
                put_nulls(&mut value, declared);
                Ok(Some(value))
            }
            resolved => resolved,
        }
    }

    async fn execute(&self, ctx: &ExtensionContext<'_>, operation: Option<&str>, next: NextExecute<'_>) -> Response {
        let mut response = next.run(ctx, operation).await;
        response.errors.append(&mut self.errors());
        put_nulls(&mut response.data, "Root");
        add_codes(&mut response.errors);
        if self.has_mutated.load(Ordering::Relaxed) {
            tell_recorded(&mut response.errors);
        }
        response
    }

    /// A subscription that cannot start is answered without being executed.
    fn subscribe<'s>(
        &self,
        ctx: &ExtensionContext<'_>,
        stream: BoxStream<'s, Response>,
        next: NextSubscribe<'_>,
    ) -> BoxStream<'s, Response> {
        let coded = next.run(ctx, stream).map(|mut response| {
            add_codes(&mut response.errors);
            response
        });
        coded.boxed()
    }
}

/// What stands for a value of this type that has failed: null or, if it cannot be null, a mark for what is around it. No
/// resolver returns binary data.
fn failed(declared: &str) -> Value {
    if declared.ends_with('!') { Value::Binary(Bytes::new()) } else { Value::Null }
}

fn is_failed(value: &Value) -> bool {
    matches!(value, Value::Binary(_))
}

/// Lets a value of this type fail if something in it has that cannot be null.
fn put_nulls(value: &mut Value, declared: &str) {
    let has_failed = match value {
        Value::Object(members) => members.values().any(is_failed),
        Value::List(items) => {
            let of = declared.trim_end_matches('!').strip_prefix('[').and_then(|of| of.strip_suffix(']'));
            if let Some(item) = of {
                for value in items.iter_mut() {
                    put_nulls(value, item);
                }
            }
            items.iter().any(is_failed)
        }
        _ => false,
    };
    if has_failed {
        *value = failed(declared);
    }
}

/// Makes an operation that is valid wait for its turn, now that its price is known, if its request has an
/// [`Execution`]. Without one, it is executed at once, within the default limit for one operation.
///
/// # Errors
/// As for [`Execution::admit`].
async fn admit(ctx: &ExtensionContext<'_>, price: u64) -> Result<(), LoadError> {
    let limit = u64::from(LoadLimits::default().operation_units);
    match ctx.data_opt::<Arc<Execution>>() {
        Some(execution) => execution.admit(price).await,
        None if price > limit => Err(LoadError::TooDear { cost: price, limit }),
        None => Ok(()),
    }
}

/// Gives each error the code and the details of the [`Problem`] that its resolver returned.
fn add_codes(errors: &mut [ServerError]) {
    for error in errors {
        if let Some(problem) = error.source::<Problem>().cloned() {
            let extensions = error.extensions.get_or_insert_default();
            for (name, value) in problem.details() {
                extensions.set(name, Value::from_json(value).expect("details are plain data"));
            }
        }
    }
}

/// Says of each error within the answer of a mutation that the mutation itself was carried out.
fn tell_recorded(errors: &mut [ServerError]) {
    for error in errors.iter_mut().filter(|error| error.path.len() > 1) {
        error.extensions.get_or_insert_default().set("recorded", true);
        if let Some(Problem::Load(_)) = error.source::<Problem>() {
            error.message.insert_str(0, "the change is recorded; ask for this part of the answer with a query: ");
        }
    }
}

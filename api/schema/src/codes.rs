//! Codes and details of errors: what a [`Problem`] says beside its text, as `extensions` of GraphQL.

use async_graphql::{ServerError, Value};
use plybook_service::error::Problem;

/// Gives each error of a response the code of the [`Problem`] that its resolver returned. The transport codes
/// all other errors.
pub(super) fn add_codes(errors: &mut [ServerError]) {
    for error in errors {
        if let Some(problem) = error.source::<Problem>().cloned() {
            let extensions = error.extensions.get_or_insert_default();
            for (name, value) in problem.details() {
                extensions.set(name, Value::from_json(value).expect("details are plain data"));
            }
        }
    }
}

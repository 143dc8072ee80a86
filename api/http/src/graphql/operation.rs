//! An operation that a client asks for: its request, parsed and checked against limits that async-graphql does not have.

use std::collections::HashSet;

use async_graphql::parser::parse_query;
use async_graphql::parser::types::{
    DocumentOperations, ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet,
};
use async_graphql::{Name, Positioned, Request, ServerError, Value};

use super::fault::{code, coded, fault, judged};
use crate::pool::PoolShare;

/// The most bytes of a document: what is parsed takes many times the memory of its text.
const DOCUMENT_BYTES_MAX: usize = 64 << 10;

/// The most brackets that a document opens, those in its strings included: the parser, and what comes after it, recurse with
/// each that is open.
const BRACKETS_MAX: usize = 2_000;

/// The most fields, fragments, arguments and directives of a document, those of a fragment counted as often as it is
/// spread: validation follows a fragment as often.
const SIZE_MAX: usize = 2_000;

/// The alias of the fields that are added where nothing may be selected.
const FILLER: &str = "__filler";

/// The price of asking for the schema, in units: what `GraphiQL` asks for takes this long.
const INTROSPECTION_UNITS: u64 = 4_000;

/// The price of a mutation beside that of its fields, in units: judging and writing it.
const MUTATION_UNITS: u64 = 50;

/// The length of a document, in bytes, beyond which it is validated among expensive operations: a name that is not known is
/// compared with all that are.
const LONG: usize = 8 << 10;

/// The memory taken by the execution of an operation, by each byte of its text, and by each of its values, in
/// bytes.
const OPERATION_BYTES: u64 = 16 << 10;
const PARSED_BYTES: u64 = 4;
const VALUE_BYTES: u64 = 64;

/// The bytes of a request that are read for a unit. Parsing takes less for each byte of a query as people write it, of numbers and
/// of names; what is made to take longer is paid for by the time it takes.
const BYTES_A_UNIT: u64 = 64;

/// The price of reading the text of a request, and of parsing the document in it, in units.
pub fn price_of_text(text: &[u8]) -> u64 {
    text.len() as u64 / BYTES_A_UNIT
}

/// The memory of an operation in bytes, estimated from its text, as JSON or in an address. A list of numbers takes much more
/// memory once it is parsed than as text.
pub fn memory_of_operation(text: &[u8]) -> u64 {
    let values = text.iter().filter(|byte| b", +\\[{%".contains(byte)).count();
    OPERATION_BYTES + PARSED_BYTES * text.len() as u64 + VALUE_BYTES * values as u64
}

/// An operation that may be executed.
pub struct Operation {
    pub request: Request,
    pub kind: OperationType,
    /// The memory that the operation holds while it runs.
    pub held: Vec<PoolShare>,
    /// The price of what the schema has no prices for, in units.
    pub price: u64,
    /// Whether fields were added to it, which [`without_fillers`] takes out of its answer.
    pub is_filled: bool,
}

impl Operation {
    /// Whether validating it may take long.
    pub fn is_long(&self) -> bool {
        self.request.query.len() > LONG
    }
}

/// Parses a request and checks it against the limits.
///
/// # Errors
/// `BAD_INPUT` if there is nothing to execute, `TOO_COMPLEX` if it exceeds a limit.
pub fn examine(mut request: Request) -> Result<Operation, ServerError> {
    if request.query.len() > DOCUMENT_BYTES_MAX {
        let says = format!("the document has more than {DOCUMENT_BYTES_MAX} bytes: long values go into variables");
        return Err(fault(code::TOO_COMPLEX, says));
    }
    if request.query.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count() > BRACKETS_MAX {
        return Err(fault(
            code::TOO_COMPLEX,
            format!("the document opens more than {BRACKETS_MAX} brackets: long values go into variables"),
        ));
    }
    let (name, variables) = (request.operation_name.clone(), std::mem::take(&mut request.variables));
    let mut document = parse_query(&request.query).map_err(|why| judged(why.into()))?;
    let mut price = if measure(&document)? { INTROSPECTION_UNITS } else { 0 };
    let operation = selected(&document, name.as_deref()).ok_or_else(|| {
        fault(code::BAD_INPUT, "`operationName` has to name one of the document's operations, unless there is only one")
    })?;
    // async-graphql notices only when a resolver reads the variable.
    let missing = operation.variable_definitions.iter().find(|definition| {
        let definition = &definition.node;
        let is_missing = match variables.get(&definition.name.node) {
            Some(value) => *value == Value::Null,
            None => definition.default_value.is_none(),
        };
        is_missing && !definition.var_type.node.nullable
    });
    if let Some(definition) = missing {
        let says = format!("the variable ${} is required, and is null or not given", definition.node.name.node);
        return Err(coded(ServerError::new(says, Some(definition.pos)), code::BAD_INPUT));
    }
    let kind = operation.ty;
    let set = &operation.selection_set.node;
    let mut fields = Vec::new();
    collect(&document, set, &mut fields);
    match kind {
        OperationType::Query => {}
        OperationType::Mutation => {
            let mut names = HashSet::new();
            if let Some(again) = fields.iter().find(|field| !names.insert(&field.response_key().node)) {
                let name = &again.response_key().node;
                let says = format!(
                    "`{name}` is in the mutation twice, and would be carried out twice: give one of them an alias"
                );
                return Err(fault(code::BAD_INPUT, says));
            }
            price += MUTATION_UNITS * fields.len() as u64;
        }
        // async-graphql subscribes to each, and to none of those in fragments.
        OperationType::Subscription => {
            if !matches!(&set.items[..], [only] if matches!(only.node, Selection::Field(_))) {
                return Err(fault(code::BAD_INPUT, "a subscription asks for one field, outside of fragments"));
            }
        }
    }
    let is_filled = fill_document(&mut document);
    request.set_parsed_query(document);
    request.variables = variables;
    Ok(Operation { request, kind, price, held: Vec::new(), is_filled })
}

/// Adds a field wherever nothing may be selected: async-graphql takes an object without members for null. Returns whether it
/// added any.
fn fill_document(document: &mut ExecutableDocument) -> bool {
    let operations: Vec<_> = match &mut document.operations {
        DocumentOperations::Single(operation) => vec![operation],
        DocumentOperations::Multiple(all) => all.values_mut().collect(),
    };
    let mut is_filled = false;
    for operation in operations {
        let set = &mut operation.node.selection_set;
        is_filled |= if operation.node.ty == OperationType::Query { fill(set) } else { fill_below(&mut set.node) };
    }
    for fragment in document.fragments.values_mut() {
        is_filled |= fill_below(&mut fragment.node.selection_set.node);
    }
    is_filled
}

/// The same in the selection set of an object and below.
fn fill(set: &mut Positioned<SelectionSet>) -> bool {
    let is_filled = fill_below(&mut set.node);
    let is_certain = |selection: &Positioned<Selection>| matches!(&selection.node, Selection::Field(field) if field.node.directives.is_empty());
    if set.node.items.is_empty() || set.node.items.iter().any(is_certain) {
        return is_filled;
    }
    let at = |name| Positioned::new(Name::new(name), set.pos);
    let filler = Field {
        alias: Some(at(FILLER)),
        name: at("__typename"),
        arguments: Vec::new(),
        directives: Vec::new(),
        selection_set: Positioned::new(SelectionSet::default(), set.pos),
    };
    set.node.items.push(Positioned::new(Selection::Field(Positioned::new(filler, set.pos)), set.pos));
    true
}

fn fill_below(set: &mut SelectionSet) -> bool {
    let mut is_filled = false;
    for selection in &mut set.items {
        is_filled |= match &mut selection.node {
            Selection::Field(field) => fill(&mut field.node.selection_set),
            Selection::InlineFragment(fragment) => fill_below(&mut fragment.node.selection_set.node),
            Selection::FragmentSpread(_) => false,
        };
    }
    is_filled
}

/// Takes what was added to an operation out of its answer.
pub fn without_fillers(answer: &mut Value) {
    match answer {
        Value::Object(members) => {
            members.shift_remove(FILLER);
            members.values_mut().for_each(without_fillers);
        }
        Value::List(items) => items.iter_mut().for_each(without_fillers),
        _ => {}
    }
}

/// The operation that would be executed.
fn selected<'a>(document: &'a ExecutableDocument, name: Option<&str>) -> Option<&'a OperationDefinition> {
    let operation = match (&document.operations, name) {
        (DocumentOperations::Single(operation), None) => Some(operation),
        (DocumentOperations::Single(_), Some(_)) => None,
        (DocumentOperations::Multiple(all), Some(name)) => all.get(name),
        (DocumentOperations::Multiple(all), None) => all.values().next().filter(|_| all.len() == 1),
    };
    operation.map(|operation| &operation.node)
}

/// Collects the fields of a selection set, those of its fragments included.
fn collect<'a>(document: &'a ExecutableDocument, set: &'a SelectionSet, fields: &mut Vec<&'a Field>) {
    for selection in &set.items {
        match &selection.node {
            Selection::Field(field) => fields.push(&field.node),
            Selection::InlineFragment(fragment) => collect(document, &fragment.node.selection_set.node, fields),
            Selection::FragmentSpread(spread) => {
                if let Some(fragment) = document.fragments.get(&spread.node.fragment_name.node) {
                    collect(document, &fragment.node.selection_set.node, fields);
                }
            }
        }
    }
}

/// Counts the selections of a document, with its fragments spread; returns whether it asks for the schema.
///
/// # Errors
/// There are too many.
fn measure(document: &ExecutableDocument) -> Result<bool, ServerError> {
    let mut counting = Counting { document, left: SIZE_MAX, introspects: false };
    let is_small = document.operations.iter().all(|(_, operation)| {
        let variables = operation.node.variable_definitions.iter();
        let directives: usize = variables.map(|variable| variable.node.directives.len()).sum();
        counting.take(directives + operation.node.directives.len()).is_some()
            && counting.count(&operation.node.selection_set.node).is_some()
    });
    if is_small {
        return Ok(counting.introspects);
    }
    let says = format!(
        "the document has more than {SIZE_MAX} fields, arguments and directives, fragments counted as often as they are spread"
    );
    Err(fault(code::TOO_COMPLEX, says))
}

struct Counting<'a> {
    document: &'a ExecutableDocument,
    left: usize,
    introspects: bool,
}

impl Counting<'_> {
    /// `None` if there are too many.
    fn take(&mut self, amount: usize) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }

    /// Also ends where fragments spread each other for ever, before that takes much of a stack. Validation reports the
    /// unknown ones.
    fn count(&mut self, set: &SelectionSet) -> Option<()> {
        for selection in &set.items {
            self.take(1 + selection.node.directives().len())?;
            match &selection.node {
                Selection::Field(field) => {
                    self.introspects |= matches!(field.node.name.node.as_str(), "__schema" | "__type");
                    self.take(field.node.arguments.len())?;
                    self.count(&field.node.selection_set.node)?;
                }
                Selection::InlineFragment(fragment) => self.count(&fragment.node.selection_set.node)?,
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node) {
                        self.take(fragment.node.directives.len())?;
                        self.count(&fragment.node.selection_set.node)?;
                    }
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_in_fragments_have_their_price() {
        let price = |text: &str| examine(Request::new(text)).unwrap().price;
        assert_eq!(price("mutation { a b }"), 2 * MUTATION_UNITS);
        assert_eq!(price("mutation { ...F ... { b } } fragment F on M { a }"), 2 * MUTATION_UNITS);
    }

    #[test]
    fn selections_count_as_often_as_their_fragments_are_spread() {
        let measured = |document: &str| measure(&parse_query(document).unwrap()).map_err(drop);
        let fields = |count: usize| "a ".repeat(count);
        let spread = |document: &str, count| measured(&format!("{document} fragment F on Q {{ {} }}", fields(count)));
        assert_eq!(measured(&format!("{{ {} }}", fields(SIZE_MAX))), Ok(false));
        assert_eq!(measured(&format!("{{ {} a(b: 1) @skip(if: true) }}", fields(SIZE_MAX - 2))), Err(()));
        assert_eq!(spread("{ ...F ...F }", SIZE_MAX / 2 - 1), Ok(false));
        assert_eq!(spread("query A { ...F } query B { ...F }", SIZE_MAX / 2), Err(()));
        assert_eq!(measured("{ ...F } fragment F on Q { a ...G } fragment G on Q { ...F }"), Err(()));
        let links = |link| format!("fragment F{link} on Q {{ ...F{next} ...F{next} }}", next = link + 1);
        let doubling = (0..60).map(links).collect::<Vec<_>>().concat();
        assert_eq!(spread(&format!("{{ ...F0 }} {doubling} fragment F60 on Q {{ ...F }}"), 1), Err(()));
        assert_eq!(measured("{ ...F } fragment F on Q { a { __type(name: \"Q\") { name } } }"), Ok(true));
        assert_eq!(measured("{ __typename }"), Ok(false));
    }
}

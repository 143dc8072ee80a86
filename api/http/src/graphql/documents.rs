//! Documents that are kept parsed, for clients that send the same text again and again with other variables.
//!
//! Kept is what follows from the text alone: what it was parsed into, and whether it has been proven valid. A document
//! is proven once a request has passed all rules with it. The only rule whose outcome depends on variables is that
//! values have the types of their arguments, so a proven document is valid with any variables that have the types they
//! are declared with. What is not certain counts as unproven and is validated again, so the rules have the last word,
//! and the words.
//!
//! How long an answer takes tells whether its text is known. What may be private in a text is in its strings, so a text
//! with a string in it is known to nobody but the client that sent it. Only what has been sent before is kept, so that
//! texts which nobody repeats take no room.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use async_graphql::parser::types::{Directive, ExecutableDocument, OperationDefinition, Selection, SelectionSet};
use async_graphql::registry::{MetaInputValue, MetaType, MetaTypeName, Registry};
use async_graphql::{Name, Positioned, ValidationResult, Value as Given, Variables};
use async_graphql_value::Value;
use plybook_events::Hash;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::limits::Limits;
use super::scan::scan;
use crate::client::Client;

/// The most bytes of a text that is kept.
const TEXT_MAX: usize = 64 << 10;

/// The most bytes that a document may take to be kept.
const DOCUMENT_MAX: u64 = 256 << 10;

/// The most bytes that all documents take.
const BYTES_MAX: u64 = 8 << 20;

/// The memory that a document takes besides its tokens, or a note of one, estimated.
const OVERHEAD: u64 = 256;

/// The memory that a token of a document takes at most: a field without anything around it.
const TOKEN_BYTES: u64 = 256;

/// The documents that are kept. Those not sent recently make room for others. Clones share them.
#[derive(Clone)]
pub struct Documents(Arc<Cache<Key, Option<Arc<Document>>, Weight>>);

/// A text, and the client that alone knows it if there are strings in it.
type Key = (Option<Client>, Hash);

/// A document that is kept.
pub struct Document {
    parsed: ExecutableDocument,
    bytes: u64,
    /// The variables of its operation; `None` if it cannot be told by their types alone whether they are valid.
    variables: Option<Vec<Variable>>,
    is_proven: AtomicBool,
    /// What validation found if there are no variables: then it always finds the same.
    found: OnceLock<ValidationResult>,
}

/// A variable that an operation declares.
struct Variable {
    name: Name,
    ty: String,
    has_default: bool,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Key, Option<Arc<Document>>> for Weight {
    fn weight(&self, _: &Key, kept: &Option<Arc<Document>>) -> u64 {
        OVERHEAD + kept.as_ref().map_or(0, |document| document.bytes)
    }
}

impl Default for Documents {
    fn default() -> Self {
        Self(Arc::new(Cache::with_weighter((BYTES_MAX / DOCUMENT_MAX) as usize, BYTES_MAX, Weight)))
    }
}

impl Documents {
    /// The document of a text, if it is known to the client.
    pub fn find(&self, client: Option<Client>, text: &str) -> Option<Arc<Document>> {
        self.0.get(&key_of(client, text)?)?
    }

    /// Keeps what a text was parsed into, if it has been sent before. Returns what is kept of it.
    pub fn keep(&self, client: Option<Client>, text: &str, parsed: &ExecutableDocument) -> Option<Arc<Document>> {
        let key = key_of(client, text)?;
        if self.0.get(&key).is_none() {
            self.0.insert(key, None);
            return None;
        }
        let tokens = scan(text, &Limits::default()).ok()?;
        let bytes = text.len() as u64 + tokens as u64 * TOKEN_BYTES;
        if bytes > DOCUMENT_MAX {
            return None;
        }
        let document = Arc::new(Document {
            parsed: parsed.clone(),
            bytes,
            variables: variables_of(parsed),
            is_proven: AtomicBool::new(false),
            found: OnceLock::new(),
        });
        self.0.insert(key, Some(Arc::clone(&document)));
        Some(document)
    }
}

impl Document {
    /// What its text was parsed into.
    pub fn parsed(&self) -> &ExecutableDocument {
        &self.parsed
    }

    /// Whether a request with it has passed all rules.
    pub fn is_proven(&self) -> bool {
        self.is_proven.load(Ordering::Relaxed)
    }

    /// Whether all rules would be passed with these variables, for certain.
    pub fn is_proven_with(&self, registry: &Registry, given: &Variables) -> bool {
        let fits = |variable: &Variable| match given.get(&variable.name) {
            // A variable with a default may stand where null may not.
            Some(Given::Null) if variable.has_default => false,
            Some(value) => has_type(registry, &variable.ty, value),
            None => true,
        };
        self.is_proven() && self.variables.as_ref().is_some_and(|variables| variables.iter().all(fits))
    }

    /// What its validation always finds, if that is known.
    pub fn found(&self) -> Option<ValidationResult> {
        self.found.get().copied()
    }

    /// Notes that a request with it has passed all rules, and what was found.
    pub fn prove(&self, found: ValidationResult) {
        self.is_proven.store(true, Ordering::Relaxed);
        if self.variables.as_ref().is_some_and(Vec::is_empty) {
            let _ = self.found.set(found);
        }
    }
}

fn key_of(client: Option<Client>, text: &str) -> Option<Key> {
    let knower = client.filter(|_| text.contains('"'));
    (text.len() <= TEXT_MAX).then(|| (knower, Hash::of_parts(&[text.as_bytes()])))
}

/// The variables of a document with a single operation, if each of them is the whole value wherever it is used: the
/// rules look at a variable within a list or an object only together with what is around it.
fn variables_of(document: &ExecutableDocument) -> Option<Vec<Variable>> {
    let mut operations = document.operations.iter();
    let (Some((_, operation)), None) = (operations.next(), operations.next()) else { return None };
    let OperationDefinition { variable_definitions, directives, selection_set, .. } = &operation.node;
    let mut fragments = document.fragments.values().map(|fragment| &fragment.node);
    let are_whole = are_whole_in_directives(directives)
        && are_whole(&selection_set.node)
        && fragments.all(|it| are_whole_in_directives(&it.directives) && are_whole(&it.selection_set.node));
    let variables = variable_definitions.iter().map(|definition| Variable {
        name: definition.node.name.node.clone(),
        ty: definition.node.var_type.node.to_string(),
        has_default: definition.node.default_value.is_some(),
    });
    are_whole.then(|| variables.collect())
}

fn are_whole(set: &SelectionSet) -> bool {
    set.items.iter().all(|item| {
        let (arguments, below) = match &item.node {
            Selection::Field(field) => (&field.node.arguments[..], Some(&field.node.selection_set)),
            Selection::InlineFragment(fragment) => (&[][..], Some(&fragment.node.selection_set)),
            Selection::FragmentSpread(_) => (&[][..], None),
        };
        are_whole_among(arguments)
            && are_whole_in_directives(item.node.directives())
            && below.is_none_or(|below| are_whole(&below.node))
    })
}

fn are_whole_in_directives(directives: &[Positioned<Directive>]) -> bool {
    directives.iter().all(|directive| are_whole_among(&directive.node.arguments))
}

fn are_whole_among(arguments: &[(Positioned<Name>, Positioned<Value>)]) -> bool {
    arguments.iter().all(|(_, value)| match &value.node {
        Value::Variable(_) => true,
        value => value.clone().into_const().is_some(),
    })
}

/// Whether a value certainly has a type, by the rules that async-graphql has for arguments.
fn has_type(registry: &Registry, ty: &str, value: &Given) -> bool {
    match (MetaTypeName::create(ty), value) {
        (MetaTypeName::NonNull(_), Given::Null) => false,
        (MetaTypeName::NonNull(ty), value) => has_type(registry, ty, value),
        (_, Given::Null) => true,
        (MetaTypeName::List(ty), Given::List(values)) => values.iter().all(|value| has_type(registry, ty, value)),
        (MetaTypeName::List(ty), value) => has_type(registry, ty, value),
        (MetaTypeName::Named(ty), value) => registry.types.get(ty).is_some_and(|ty| is_of(registry, ty, value)),
    }
}

fn is_of(registry: &Registry, ty: &MetaType, value: &Given) -> bool {
    match (ty, value) {
        (MetaType::Scalar { is_valid, .. }, value) => is_valid.as_ref().is_none_or(|is_valid| is_valid(value)),
        (MetaType::Enum { enum_values, .. }, Given::String(name)) => enum_values.contains_key(name),
        (MetaType::Enum { enum_values, .. }, Given::Enum(name)) => enum_values.contains_key(name.as_str()),
        (MetaType::InputObject { input_fields, oneof: false, .. }, Given::Object(members)) => {
            let is_right = |field: &MetaInputValue| match members.get(field.name.as_str()) {
                Some(value) => has_type(registry, &field.ty, value),
                None => field.default_value.is_some() || !MetaTypeName::create(&field.ty).is_non_null(),
            };
            members.keys().all(|name| input_fields.contains_key(name.as_str())) && input_fields.values().all(is_right)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use async_graphql::parser::parse_query;

    use super::*;

    fn keep(documents: &Documents, client: Option<Client>, text: &str) -> bool {
        let parsed = parse_query(text).unwrap();
        documents.keep(client, text, &parsed).is_some()
    }

    fn client(n: u32) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::from_bits(n)))
    }

    #[test]
    fn a_text_is_kept_once_it_has_been_sent_before() {
        let documents = Documents::default();
        let text = "query($n: Int) { games(first: $n) { id } }";
        assert!(!keep(&documents, Some(client(1)), text) && documents.find(Some(client(1)), text).is_none());
        assert!(keep(&documents, Some(client(2)), text));
        assert!(documents.find(Some(client(3)), text).is_some() && documents.find(None, text).is_some());
        assert!(documents.find(Some(client(1)), &format!("{text} ")).is_none());
    }

    #[test]
    fn what_is_in_strings_is_known_to_its_sender_alone() {
        let documents = Documents::default();
        for text in
            ["{ player(name: \"Ada\") { id } }", "query($n: String = \"\"\"Ada\"\"\") { player(name: $n) { id } }"]
        {
            keep(&documents, Some(client(1)), text);
            assert!(keep(&documents, Some(client(1)), text));
            assert!(documents.find(Some(client(1)), text).is_some());
            assert!(documents.find(Some(client(2)), text).is_none() && documents.find(None, text).is_none(), "{text}");
            assert!(!keep(&documents, Some(client(2)), text), "nor is there a note of it");
        }
    }

    #[test]
    fn documents_take_no_more_than_their_share() {
        let documents = Documents::default();
        let large = |n: usize| format!("{{ {} # {n} }}\n}}", "a ".repeat(950));
        for n in 0..200 {
            (0..2).for_each(|_| _ = keep(&documents, None, &large(n)));
        }
        assert!(documents.find(None, &large(199)).is_some());
        assert!((BYTES_MAX / 2..=BYTES_MAX).contains(&documents.0.weight()), "{}", documents.0.weight());
        for too_large in [format!("{{ {} }}", "a ".repeat(1_050)), format!("{{ a }} #{}", " ".repeat(TEXT_MAX))] {
            (0..3).for_each(|_| assert!(!keep(&documents, None, &too_large)));
        }
    }

    #[test]
    fn variables_within_lists_and_objects_are_left_to_the_rules() {
        for (text, is_told_by_types) in [
            ("query($n: Int) { games(first: $n) { id } }", true),
            ("{ games(first: 1, filter: { tags: [1, 2] }) { id } }", true),
            ("query($n: Int) { games(filter: { n: $n }) { id } }", false),
            ("query($n: Int) { games(filter: [[$n]]) { id } }", false),
            ("query($n: Int) { ... { a @include(if: [$n]) } }", false),
            ("query($n: Int) { ...F } fragment F on G { a { b(n: [$n]) } }", false),
            ("query($n: Int) @a(n: [$n]) { ...F @a(n: $n) }", false),
            ("query A { a } query B { b }", false),
            ("query A { a }", true),
        ] {
            assert_eq!(variables_of(&parse_query(text).unwrap()).is_some(), is_told_by_types, "{text}");
        }
    }
}

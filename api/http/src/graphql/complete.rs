//! Completes the data of a response in which fields have failed.
//!
//! Since 7.1, async-graphql omits a failed field from its object, whatever its type. According to the
//! specification, the field is null or, if it is not nullable, the nearest nullable value around it is. The
//! types are read from the SDL of the schema, so this works for any schema.
//!
//! # Source
//! GraphQL specification (October 2021), 6.4.4 Handling Field Errors; async-graphql pull request 1746.

use std::collections::HashMap;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::parse_schema;
use async_graphql::parser::types::{
    BaseType, ExecutableDocument, Field, OperationDefinition, OperationType, Selection, SelectionSet, Type, TypeKind,
    TypeSystemDefinition,
};
use async_graphql::{Name, PathSegment, Response, Value};

/// The types of the schema's fields, by type and field.
#[derive(Debug)]
pub struct Types {
    fields: HashMap<(String, String), Type>,
    roots: [Option<String>; 3],
}

/// What happens to a value that contains a failure.
enum Verdict {
    Stays,
    /// It has to become null itself.
    Fails,
}

/// Selection sets that apply to one object, each with the type it is written for.
type Sets<'a> = Vec<(&'a str, &'a SelectionSet)>;

impl Types {
    /// Reads the SDL that async-graphql writes.
    pub fn of(sdl: &str) -> Self {
        let document = parse_schema(sdl).expect("async-graphql reads what it has written");
        let mut types = Self { fields: HashMap::new(), roots: [None, None, None] };
        for definition in document.definitions {
            match definition {
                TypeSystemDefinition::Schema(schema) => {
                    let roots = [schema.node.query, schema.node.mutation, schema.node.subscription];
                    types.roots = roots.map(|name| name.map(|name| name.node.to_string()));
                }
                TypeSystemDefinition::Type(definition) => {
                    let name = definition.node.name.node.to_string();
                    let fields = match definition.node.kind {
                        TypeKind::Object(object) => object.fields,
                        TypeKind::Interface(interface) => interface.fields,
                        _ => continue,
                    };
                    for field in fields {
                        types.fields.insert((name.clone(), field.node.name.node.to_string()), field.node.ty.node);
                    }
                }
                TypeSystemDefinition::Directive(_) => {}
            }
        }
        types
    }

    /// Sets the values at the paths of the response's errors to null.
    pub fn complete(&self, response: &mut Response, document: &ExecutableDocument, op: &OperationDefinition) {
        let [query, mutation, subscription] = &self.roots;
        let root = match op.ty {
            OperationType::Query => query,
            OperationType::Mutation => mutation,
            OperationType::Subscription => subscription,
        };
        let Some(root) = root else { return };
        let mut walk = Walk { types: self, document, nulled: Vec::new() };
        for error in response.errors.iter().filter(|error| !error.path.is_empty()) {
            if walk.nulled.iter().any(|nulled| error.path.starts_with(nulled)) {
                continue;
            }
            let sets = vec![(root.as_str(), &op.selection_set.node)];
            if matches!(walk.object(&mut response.data, &sets, &error.path, 0), Verdict::Fails) {
                response.data = Value::Null;
                return;
            }
        }
    }

    fn field(&self, on: &str, field: &Field) -> Option<&Type> {
        self.fields.get(&(on.to_owned(), field.name.node.to_string()))
    }
}

struct Walk<'a> {
    types: &'a Types,
    document: &'a ExecutableDocument,
    /// Paths that have been set to null; errors below them need nothing more.
    nulled: Vec<Vec<PathSegment>>,
}

impl<'a> Walk<'a> {
    /// Follows `path` into the object at `path[..depth]`, which is null if all its fields failed.
    fn object(&mut self, value: &mut Value, sets: &Sets<'a>, path: &[PathSegment], depth: usize) -> Verdict {
        let Some(PathSegment::Field(key)) = path.get(depth) else { return Verdict::Stays };
        let mut found = Vec::new();
        for (on, set) in sets {
            self.find(key, on, set, &mut found);
        }
        let Some(ty) = found.iter().find_map(|(on, field)| self.types.field(on, field)) else { return Verdict::Stays };
        if *value == Value::Null {
            *value = Value::Object(IndexMap::new());
        }
        let Value::Object(object) = value else { return Verdict::Stays };
        let inner = object.entry(Name::new(key)).or_insert(Value::Null);
        let below = found.iter().map(|(_, field)| (innermost(&ty.base), &field.selection_set.node)).collect();
        self.value(inner, ty, &below, path, depth + 1)
    }

    /// Follows `path` into the value at `path[..depth]`, which has the type `ty`.
    fn value(
        &mut self,
        value: &mut Value,
        ty: &'a Type,
        sets: &Sets<'a>,
        path: &[PathSegment],
        depth: usize,
    ) -> Verdict {
        let verdict = match (&ty.base, path.get(depth)) {
            (_, None) if *value == Value::Null => Verdict::Fails,
            (BaseType::List(item), Some(PathSegment::Index(index))) => match value {
                Value::List(items) if *index < items.len() => {
                    self.value(&mut items[*index], item, sets, path, depth + 1)
                }
                _ => Verdict::Fails,
            },
            (BaseType::Named(_), Some(_)) => self.object(value, sets, path, depth),
            (_, None) | (BaseType::List(_), Some(PathSegment::Field(_))) => Verdict::Stays,
        };
        if matches!(verdict, Verdict::Fails) && ty.nullable {
            *value = Value::Null;
            self.nulled.push(path[..depth].to_vec());
            return Verdict::Stays;
        }
        verdict
    }

    /// The fields that answer under `key`, with the type each is selected on.
    fn find(&self, key: &str, on: &'a str, set: &'a SelectionSet, found: &mut Vec<(&'a str, &'a Field)>) {
        for selection in &set.items {
            match &selection.node {
                Selection::Field(field) => {
                    if field.node.response_key().node == key {
                        found.push((on, &field.node));
                    }
                }
                Selection::InlineFragment(fragment) => {
                    let on = fragment.node.type_condition.as_ref().map_or(on, |condition| &condition.node.on.node);
                    self.find(key, on, &fragment.node.selection_set.node, found);
                }
                Selection::FragmentSpread(spread) => {
                    if let Some(fragment) = self.document.fragments.get(&spread.node.fragment_name.node) {
                        let on = &fragment.node.type_condition.node.on.node;
                        self.find(key, on, &fragment.node.selection_set.node, found);
                    }
                }
            }
        }
    }
}

fn innermost(base: &BaseType) -> &str {
    match base {
        BaseType::Named(name) => name,
        BaseType::List(item) => innermost(&item.base),
    }
}

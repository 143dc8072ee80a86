//! The size of a parsed document.

use std::collections::HashMap;

use async_graphql::parser::types::{Directive, ExecutableDocument, Selection, SelectionSet};

use async_graphql::{Name, Positioned};

use super::limits::Limits;

/// A document that exceeds a limit. The caller should ask for less, or split the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    #[error("the document has more than {limit} tokens")]
    Tokens { limit: usize },
    #[error("the document's brackets nest deeper than {limit}")]
    Nesting { limit: usize },
    #[error("the operation's fields nest deeper than {limit}")]
    Depth { limit: usize },
    #[error("the operation selects more than {limit} fields, fragments counted as often as they are spread")]
    Selections { limit: usize },
    #[error("the operation has more than {limit} aliases")]
    Aliases { limit: usize },
    #[error("the operation has more than {limit} fields at its root")]
    RootFields { limit: usize },
    #[error("fields, interfaces, possible types and input fields of the schema are nested in each other")]
    Introspection,
    #[error("the operation has more than {limit} directives")]
    Directives { limit: usize },
    #[error("the operation's fields have more than {limit} arguments")]
    Arguments { limit: usize },
    /// A directive that operations cannot have.
    #[error("there is no directive @{name}; operations may have @skip and @include")]
    UnknownDirective { name: String },
    /// A document of infinite size.
    #[error("the fragment {name} spreads itself")]
    Cycle { name: String },
}

/// How deeply the lists of the schema may be nested in an introspection query. The fields of the types of
/// fields would be many thousands.
///
/// # Source
/// `MaxIntrospectionDepthRule` of graphql-js, which permits one more.
const SCHEMA_LISTS_MAX: usize = 1;

/// The directives that an operation may have.
///
/// # Source
/// GraphQL specification (October 2021), 3.13; our own schema adds none.
const DIRECTIVES: [&str; 2] = ["skip", "include"];

/// Checks every operation of the document against the limits.
///
/// Each fragment is measured once, so a chain of fragments that doubles at every link (2^32 fields in
/// forty lines) is cheap to measure; async-graphql would walk all of it.
///
/// # Errors
/// The first [`Excess`].
pub fn measure(document: &ExecutableDocument, limits: &Limits) -> Result<Size, Excess> {
    let mut fragments = Fragments { document, known: HashMap::new() };
    let mut most = Size::default();
    for (_, operation) in document.operations.iter() {
        let mut size = fragments.size(&operation.node.selection_set.node)?;
        size.directives += count(&operation.node.directives)?;
        for variable in &operation.node.variable_definitions {
            size.directives += count(&variable.node.directives)?;
        }
        let checks = [
            (size.selections, limits.selections, Excess::Selections { limit: limits.selections }),
            (size.depth, limits.depth, Excess::Depth { limit: limits.depth }),
            (size.aliases, limits.aliases, Excess::Aliases { limit: limits.aliases }),
            (size.directives, limits.directives, Excess::Directives { limit: limits.directives }),
            (size.arguments, limits.arguments, Excess::Arguments { limit: limits.arguments }),
            (size.top_fields, limits.root_fields, Excess::RootFields { limit: limits.root_fields }),
            (size.schema_lists, SCHEMA_LISTS_MAX, Excess::Introspection),
        ];
        if let Some((_, _, excess)) = checks.into_iter().find(|(found, limit, _)| found > limit) {
            return Err(excess);
        }
        most.introspection = most.introspection.max(size.introspection);
    }
    Ok(most)
}

/// The size of a selection set with its fragments spread. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    depth: usize,
    selections: usize,
    aliases: usize,
    top_fields: usize,
    directives: usize,
    arguments: usize,
    /// The depth of nested fields named like lists of the schema, outside and within the schema.
    lists: usize,
    schema_lists: usize,
    /// Selections within the introspection of the schema.
    pub introspection: u64,
}

impl Size {
    /// The same with these directives.
    fn with(self, directives: &[Positioned<Directive>]) -> Result<Self, Excess> {
        Ok(Self { directives: self.directives.saturating_add(count(directives)?), ..self })
    }
}

/// The number of directives.
///
/// # Errors
/// One of them is unknown.
fn count(directives: &[Positioned<Directive>]) -> Result<usize, Excess> {
    let is_unknown = |name: &str| !DIRECTIVES.contains(&name);
    match directives.iter().map(|directive| &directive.node.name.node).find(|name| is_unknown(name)) {
        Some(name) => Err(Excess::UnknownDirective { name: name.chars().take(40).collect() }),
        None => Ok(directives.len()),
    }
}

struct Fragments<'a> {
    document: &'a ExecutableDocument,
    /// `None` while the fragment is being measured.
    known: HashMap<&'a Name, Option<Size>>,
}

impl<'a> Fragments<'a> {
    /// The recursion is bounded: the scan has limited the nesting of sets, and each fragment is entered once.
    fn size(&mut self, set: &'a SelectionSet) -> Result<Size, Excess> {
        let mut sum = Size::default();
        for selection in &set.items {
            let inner = match &selection.node {
                Selection::Field(field) => {
                    let below = self.size(&field.node.selection_set.node)?;
                    let alias = usize::from(field.node.alias.is_some());
                    let name = field.node.name.node.as_str();
                    let is_list = matches!(name, "fields" | "interfaces" | "possibleTypes" | "inputFields");
                    let is_schema = matches!(name, "__schema" | "__type");
                    Size {
                        depth: below.depth + 1,
                        aliases: below.aliases.saturating_add(alias),
                        directives: below.directives.saturating_add(count(&field.node.directives)?),
                        arguments: below.arguments.saturating_add(field.node.arguments.len()),
                        top_fields: 1,
                        lists: below.lists + usize::from(is_list),
                        schema_lists: if is_schema { below.lists } else { below.schema_lists },
                        introspection: if is_schema { below.selections as u64 } else { below.introspection },
                        ..below
                    }
                }
                Selection::InlineFragment(fragment) => {
                    self.size(&fragment.node.selection_set.node)?.with(&fragment.node.directives)?
                }
                Selection::FragmentSpread(spread) => {
                    self.fragment(&spread.node.fragment_name.node)?.with(&spread.node.directives)?
                }
            };
            sum.depth = sum.depth.max(inner.depth);
            sum.selections = sum.selections.saturating_add(inner.selections).saturating_add(1);
            sum.aliases = sum.aliases.saturating_add(inner.aliases);
            sum.directives = sum.directives.saturating_add(inner.directives);
            sum.arguments = sum.arguments.saturating_add(inner.arguments);
            sum.top_fields = sum.top_fields.saturating_add(inner.top_fields);
            sum.lists = sum.lists.max(inner.lists);
            sum.schema_lists = sum.schema_lists.max(inner.schema_lists);
            sum.introspection = sum.introspection.saturating_add(inner.introspection);
        }
        Ok(sum)
    }

    /// An unknown fragment has no size; validation reports it.
    fn fragment(&mut self, name: &'a Name) -> Result<Size, Excess> {
        match self.known.get(name) {
            Some(Some(size)) => return Ok(*size),
            Some(None) => return Err(Excess::Cycle { name: name.to_string() }),
            None => {}
        }
        let Some(fragment) = self.document.fragments.get(name) else { return Ok(Size::default()) };
        self.known.insert(name, None);
        let size = self.size(&fragment.node.selection_set.node)?.with(&fragment.node.directives)?;
        self.known.insert(name, Some(size));
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(document: &str, limits: &Limits) -> Result<(), Excess> {
        measure(&async_graphql::parser::parse_query(document).unwrap(), limits).map(|_| ())
    }

    #[test]
    fn depth_counts_fields_not_fragments() {
        let limits = Limits { depth: 3, ..Limits::default() };
        assert_eq!(check("{ a { ... on X { b { ...F } } } } fragment F on X { c }", &limits), Ok(()));
        assert_eq!(
            check("{ a { ... on X { b { ...F } } } } fragment F on X { c { d } }", &limits),
            Err(Excess::Depth { limit: 3 })
        );
    }

    #[test]
    fn aliases_and_root_fields_count_through_fragments() {
        let limits = Limits { aliases: 2, root_fields: 3, ..Limits::default() };
        assert_eq!(check("{ x: a ...F } fragment F on Q { y: b c }", &limits), Ok(()));
        assert_eq!(check("{ x: a ...F } fragment F on Q { y: b z: c }", &limits), Err(Excess::Aliases { limit: 2 }));
        assert_eq!(check("{ a b ...F } fragment F on Q { c d }", &limits), Err(Excess::RootFields { limit: 3 }));
    }

    #[test]
    fn directives_and_arguments_count_wherever_they_are_and_unknown_ones_are_refused() {
        let limits = Limits { directives: 2, arguments: 3, ..Limits::default() };
        let skip = "@skip(if: false)";
        assert_eq!(check(&format!("{{ a {skip} ...F }} fragment F on Q {{ b {skip} }}"), &limits), Ok(()));
        let three = format!("{{ a {skip} ...F {skip} }} fragment F on Q {{ ... on Q {skip} {{ b }} }}");
        assert_eq!(check(&three, &limits), Err(Excess::Directives { limit: 2 }));
        assert_eq!(check("{ a(x: 1, y: 2) b(z: 3) }", &limits), Ok(()));
        assert_eq!(check("{ a(x: 1, y: 2) b(y: 3) { c(z: 4) } }", &limits), Err(Excess::Arguments { limit: 3 }));
        let unknown = Err(Excess::UnknownDirective { name: "x".to_owned() });
        for document in [
            "query @x { a }",
            "query($v: Int @x) { a }",
            "{ a @x }",
            "{ ... @x { a } }",
            "{ ...F @x } fragment F on Q { a }",
            "{ ...F } fragment F on Q @x { a }",
        ] {
            assert_eq!(check(document, &Limits::default()), unknown, "{document}");
        }
    }

    #[test]
    fn every_operation_counts() {
        let limits = Limits { root_fields: 1, ..Limits::default() };
        assert_eq!(check("query A { a } query B { a b }", &limits), Err(Excess::RootFields { limit: 1 }));
    }

    #[test]
    fn lists_of_the_schema_are_not_nested() {
        let check = |document| check(document, &Limits::default());
        assert_eq!(
            check("{ __schema { types { fields { type { name ofType { name } } } inputFields { name } } } }"),
            Ok(())
        );
        let nested =
            "{ __schema { types { fields { type { ...F } } } } } fragment F on __Type { ofType { fields { name } } }";
        assert_eq!(check(nested), Err(Excess::Introspection));
        assert_eq!(check("{ a: __type(name: \"Q\") { interfaces { fields { name } } } }"), Err(Excess::Introspection));
        assert_eq!(check("{ form { fields { fields { fields { name } } } } }"), Ok(()), "somebody's own fields");
    }

    #[test]
    fn what_is_asked_of_the_schema_is_counted() {
        let count = |document| {
            measure(&async_graphql::parser::parse_query(document).unwrap(), &Limits::default()).unwrap().introspection
        };
        assert_eq!(count("{ a { b } __typename }"), 0);
        assert_eq!(
            count(
                "{ a: __schema { types { name } } b: __type(name: \"Q\") { ...F } } fragment F on __Type { name kind }"
            ),
            5
        );
    }

    #[test]
    fn doubling_fragments_are_measured_in_no_time() {
        let links = |link| format!("fragment F{link} on Q {{ ...F{next} ...F{next} }}", next = link + 1);
        let fragments: Vec<_> = (0..60).map(links).collect();
        let document = format!("{{ ...F0 }} fragment F60 on Q {{ a }} {}", fragments.join(" "));
        assert_eq!(check(&document, &Limits::default()), Err(Excess::Selections { limit: 1_000 }));
    }

    #[test]
    fn a_fragment_that_spreads_itself_is_named() {
        let cycle = "{ ...F } fragment F on Q { a ...G } fragment G on Q { ...F }";
        assert_eq!(check(cycle, &Limits::default()), Err(Excess::Cycle { name: "F".to_owned() }));
    }
}

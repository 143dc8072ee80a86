//! The size of a parsed document.

use std::collections::HashMap;

use async_graphql::Name;
use async_graphql::parser::types::{ExecutableDocument, Selection, SelectionSet};

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
    #[error(
        "the operation has more than {limit} fields, arguments and directives, fragments counted as often as they are spread"
    )]
    Size { limit: usize },
    #[error("fields, interfaces, possible types and input fields of the schema are nested in each other")]
    Introspection,
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

/// Checks every operation of the document against the limits, and returns how many selections within the introspection
/// of the schema an operation has at most.
///
/// Each fragment is measured once, so a chain of fragments that doubles at every link (2^32 fields in
/// forty lines) is cheap to measure; async-graphql would walk all of it.
///
/// # Errors
/// The first [`Excess`].
pub fn measure(document: &ExecutableDocument, limits: &Limits) -> Result<u64, Excess> {
    let mut fragments = Fragments { document, known: HashMap::new() };
    let mut introspection = 0;
    for (_, operation) in document.operations.iter() {
        let size = fragments.size(&operation.node.selection_set.node)?;
        let variables = &operation.node.variable_definitions;
        let directives = variables.iter().map(|variable| variable.node.directives.len()).sum::<usize>();
        if size.all + directives + operation.node.directives.len() > limits.size {
            return Err(Excess::Size { limit: limits.size });
        }
        if size.depth > limits.depth {
            return Err(Excess::Depth { limit: limits.depth });
        }
        if size.schema_lists > SCHEMA_LISTS_MAX {
            return Err(Excess::Introspection);
        }
        introspection = introspection.max(size.introspection as u64);
    }
    Ok(introspection)
}

/// The size of a selection set with its fragments spread. Sums saturate.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    depth: usize,
    /// Fields, arguments and directives.
    all: usize,
    /// The depth of nested fields named like lists of the schema, outside and within the schema.
    lists: usize,
    schema_lists: usize,
    /// What of `all` is within the introspection of the schema.
    introspection: usize,
}

struct Fragments<'a> {
    document: &'a ExecutableDocument,
    /// The sizes of fragments; `None` while one is being measured.
    known: HashMap<&'a Name, Option<Size>>,
}

impl<'a> Fragments<'a> {
    fn size(&mut self, set: &'a SelectionSet) -> Result<Size, Excess> {
        let mut sum = Size::default();
        for selection in &set.items {
            let inner = match &selection.node {
                Selection::Field(field) => {
                    let below = self.size(&field.node.selection_set.node)?;
                    let name = field.node.name.node.as_str();
                    let is_list = matches!(name, "fields" | "interfaces" | "possibleTypes" | "inputFields");
                    let is_schema = matches!(name, "__schema" | "__type");
                    let lists = below.lists + usize::from(is_list);
                    Size {
                        depth: below.depth + 1,
                        all: below.all.saturating_add(field.node.arguments.len()),
                        lists,
                        schema_lists: if is_schema { below.lists } else { below.schema_lists },
                        introspection: if is_schema { below.all } else { below.introspection },
                    }
                }
                Selection::InlineFragment(fragment) => self.size(&fragment.node.selection_set.node)?,
                Selection::FragmentSpread(spread) => self.fragment(&spread.node.fragment_name.node)?,
            };
            let own = 1 + selection.node.directives().len();
            sum.depth = sum.depth.max(inner.depth);
            sum.all = sum.all.saturating_add(inner.all).saturating_add(own);
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
        let mut size = self.size(&fragment.node.selection_set.node)?;
        size.all = size.all.saturating_add(fragment.node.directives.len());
        self.known.insert(name, Some(size));
        Ok(size)
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::parser::parse_query;

    use super::*;

    fn check(document: &str, limits: &Limits) -> Result<u64, Excess> {
        measure(&parse_query(document).unwrap(), limits)
    }

    #[test]
    fn depth_counts_fields_not_fragments() {
        let limits = Limits { depth: 3, ..Limits::default() };
        assert_eq!(check("{ a { ... on X { b { ...F } } } } fragment F on X { c }", &limits), Ok(0));
        assert_eq!(
            check("{ a { ... on X { b { ...F } } } } fragment F on X { c { d } }", &limits),
            Err(Excess::Depth { limit: 3 })
        );
    }

    #[test]
    fn fields_arguments_and_directives_count_through_fragments() {
        let limits = Limits { size: 6, ..Limits::default() };
        let too_large = Err(Excess::Size { limit: 6 });
        for (document, expected) in [
            ("{ a b c d e f }", Ok(0)),
            ("{ a b c d e f g }", too_large.clone()),
            ("{ a(x: 1, y: 2) b(z: 3) c }", Ok(0)),
            ("{ a(x: 1, y: 2) b(z: 3) c d }", too_large.clone()),
            ("{ a @skip(if: true) ...F @skip(if: true) } fragment F on Q { b c }", Ok(0)),
            ("query A { a } query B { ...F ...F } fragment F on Q { b c }", Ok(0)),
            ("query($a: Int @d) @e { ...F ...F } fragment F on Q @f { b }", too_large.clone()),
        ] {
            assert_eq!(check(document, &limits), expected, "{document}");
        }
    }

    #[test]
    fn lists_of_the_schema_are_not_nested() {
        let check = |document| check(document, &Limits::default()).map(|_| ());
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
        let both = "{ a: __schema { types { name } } b: __type(name: \"Q\") { name kind } }";
        assert_eq!(check("{ a { b } __typename }", &Limits::default()), Ok(0));
        assert_eq!(check(both, &Limits::default()), Ok(4));
    }

    #[test]
    fn doubling_fragments_are_measured_in_no_time() {
        let links = |link| format!("fragment F{link} on Q {{ ...F{next} ...F{next} }}", next = link + 1);
        let fragments: Vec<_> = (0..60).map(links).collect();
        let document = format!("{{ ...F0 }} fragment F60 on Q {{ a }} {}", fragments.join(" "));
        assert_eq!(check(&document, &Limits::default()), Err(Excess::Size { limit: Limits::default().size }));
    }

    #[test]
    fn a_fragment_that_spreads_itself_is_named() {
        let cycle = "{ ...F } fragment F on Q { a ...G } fragment G on Q { ...F }";
        assert_eq!(check(cycle, &Limits::default()), Err(Excess::Cycle { name: "F".to_owned() }));
    }
}

//! Selectors of CSS, as far as the style sheet of scenes has them.

/// An element as selectors see it: its name and its classes.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) name: &'a str,
    pub(super) class: &'a str,
    /// The drawing that it is in; none for the drawing itself.
    pub(super) root: Option<&'a Element<'a>>,
}

/// Which elements a rule is for: those that the last part matches, within those that the parts before it match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Selector {
    parts: Vec<Compound>,
}

/// What one element has to be: all of it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compound(Vec<Simple>);

#[derive(Debug, PartialEq, Eq)]
enum Simple {
    Name(&'static str),
    Class(&'static str),
    /// `[class*="…"]`
    ClassHas(&'static str),
    /// `:root`
    Root,
    /// `:is(…)`
    AnyOf(Vec<Compound>),
    /// `:not(…)`
    NoneOf(Vec<Compound>),
}

/// How much a selector outranks others: by classes and the like, then by names.
pub(super) type Specificity = (usize, usize);

impl Selector {
    /// Reads a selector; none if it has something that no picture needs yet.
    pub(super) fn parse(text: &'static str) -> Option<Self> {
        let parts: Vec<Compound> = split(text, |c| c.is_ascii_whitespace())
            .filter(|part| !part.is_empty())
            .map(Compound::parse)
            .collect::<Option<_>>()?;
        (!parts.is_empty()).then_some(Self { parts })
    }

    pub(super) fn matches(&self, element: &Element) -> bool {
        let Some((subject, around)) = self.parts.split_last() else { return false };
        match around {
            [] => subject.matches(element),
            [root] => subject.matches(element) && element.root.is_some_and(|above| root.matches(above)),
            // Scenes have one level.
            _ => false,
        }
    }

    pub(super) fn specificity(&self) -> Specificity {
        sum(self.parts.iter().map(Compound::specificity))
    }
}

impl Compound {
    fn parse(text: &'static str) -> Option<Self> {
        let (mut rest, mut found) = (text, Vec::new());
        while let Some(first) = rest.chars().next() {
            let (simple, after) = match first {
                '.' => word(&rest[1..]).map(|(name, after)| (Simple::Class(name), after))?,
                '[' => {
                    let (part, after) = rest.strip_prefix("[class*=\"")?.split_once("\"]")?;
                    (Simple::ClassHas(part), after)
                }
                ':' => pseudo(&rest[1..])?,
                _ => word(rest).map(|(name, after)| (Simple::Name(name), after))?,
            };
            found.push(simple);
            rest = after;
        }
        Some(Self(found))
    }

    fn matches(&self, element: &Element) -> bool {
        self.0.iter().all(|simple| match simple {
            Simple::Name(name) => element.name == *name,
            Simple::Class(name) => element.class.split(' ').any(|class| class == *name),
            Simple::ClassHas(part) => element.class.contains(part),
            Simple::Root => element.root.is_none(),
            Simple::AnyOf(some) => some.iter().any(|compound| compound.matches(element)),
            Simple::NoneOf(some) => !some.iter().any(|compound| compound.matches(element)),
        })
    }

    fn specificity(&self) -> Specificity {
        sum(self.0.iter().map(|simple| match simple {
            Simple::Name(_) => (0, 1),
            Simple::Class(_) | Simple::ClassHas(_) | Simple::Root => (1, 0),
            Simple::AnyOf(some) | Simple::NoneOf(some) => some.iter().map(Self::specificity).max().unwrap_or_default(),
        }))
    }
}

/// A pseudo-class behind its colon, and what follows it.
fn pseudo(text: &'static str) -> Option<(Simple, &'static str)> {
    let (name, after) = word(text)?;
    if name == "root" {
        return Some((Simple::Root, after));
    }
    let end = split(after.strip_prefix('(')?, |c| c == ')').next()?.len() + 1;
    let inner = &after[1..end];
    let some = split(inner, |c| c == ',').map(|one| Compound::parse(one.trim())).collect::<Option<Vec<_>>>()?;
    let simple = match name {
        "is" => Simple::AnyOf(some),
        "not" => Simple::NoneOf(some),
        _ => return None,
    };
    Some((simple, after.get(end + 1..)?))
}

fn word(text: &'static str) -> Option<(&'static str, &'static str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The parts of a text between characters that are in no brackets.
pub(super) fn split(text: &str, is_between: impl Fn(char) -> bool) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    text.split(move |c| {
        let is_end = depth == 0 && is_between(c);
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_end
    })
}

fn sum(some: impl Iterator<Item = Specificity>) -> Specificity {
    some.fold((0, 0), |(classes, names), (more, others)| (classes + more, names + others))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_match_as_in_a_browser() {
        let root = Element { name: "svg", class: "scene tri", root: None };
        let item = |name, class| Element { name, class, root: Some(&root) };
        let (space, text) = (item("polygon", "space tri last to"), item("text", "glyph tri"));
        for (selector, matched, specificity) in [
            (".scene", [true, false, false], (1, 0)),
            ("svg:root", [true, false, false], (1, 1)),
            (".scene polygon", [false, true, false], (1, 1)),
            (".scene.tri .tri.last", [false, true, false], (4, 0)),
            (".scene.thrones .tri", [false, false, false], (3, 0)),
            (":is(.scene, .palette) .tri", [false, true, true], (2, 0)),
            (".scene .space.last:not([class*=\"terrain\"])", [false, true, false], (4, 0)),
            (".scene .space:not([class*=\"las\"])", [false, false, false], (3, 0)),
            ("text.glyph", [false, false, true], (1, 1)),
        ] {
            let read = Selector::parse(selector).expect(selector);
            assert_eq!([root, space, text].map(|element| read.matches(&element)), matched, "{selector}");
            assert_eq!(read.specificity(), specificity, "{selector}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for selector in ["", "a > b", ":hover", ":is(.a", "[title]", ".", ":is", "*", "a::before", ":not(.a))"] {
            assert_eq!(Selector::parse(selector), None, "{selector}");
        }
    }
}

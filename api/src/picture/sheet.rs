//! The style sheet of scenes: its rules, and what they say of an element.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::selector::{Element, Selector, Specificity, split};
use crate::draw::STYLE;

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::parse(STYLE).expect("a test reads the style sheet"));

/// Properties with their values.
pub(super) type Declared = BTreeMap<&'static str, &'static str>;

/// Rules in their order. Those under a condition (`@media`) are left out: a picture is for everybody.
pub(super) struct Sheet {
    rules: Vec<Rule>,
}

struct Rule {
    selectors: Vec<Selector>,
    declarations: Vec<Declaration>,
}

#[derive(Clone, Copy)]
struct Declaration {
    property: &'static str,
    value: &'static str,
    is_important: bool,
}

impl Sheet {
    /// The style sheet that the viewer has, too.
    pub(super) fn of_scenes() -> &'static Self {
        &SHEET
    }

    /// Reads a style sheet.
    ///
    /// # Errors
    /// The first part that cannot be read.
    fn parse(text: &'static str) -> Result<Self, &'static str> {
        let (mut rules, mut rest) = (Vec::new(), blank(text));
        while !rest.is_empty() {
            let (head, after) = rest.split_once('{').ok_or(rest)?;
            let end = end_of_block(after).ok_or(rest)?;
            if !head.starts_with('@') {
                rules.push(Rule::parse(head, &after[..end])?);
            }
            rest = blank(&after[end + 1..]);
        }
        Ok(Self { rules })
    }

    /// What applies to an element, as the cascade has it.
    pub(super) fn of(&self, element: &Element) -> Declared {
        let mut found: Vec<((bool, Specificity), Declaration)> = Vec::new();
        for rule in &self.rules {
            let matching = rule.selectors.iter().filter(|selector| selector.matches(element));
            let Some(rank) = matching.map(Selector::specificity).max() else { continue };
            found.extend(rule.declarations.iter().map(|&declaration| ((declaration.is_important, rank), declaration)));
        }
        // Stable: of equals, the later one wins.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, declaration)| (declaration.property, declaration.value)).collect()
    }
}

impl Rule {
    fn parse(head: &'static str, body: &'static str) -> Result<Self, &'static str> {
        let selectors = split(head, |c| c == ',').map(|one| Selector::parse(one.trim()).ok_or(one));
        let declarations = body.split(';').map(blank).filter(|one| !one.is_empty()).map(|one| {
            let (property, value) = one.split_once(':').ok_or(one)?;
            let value = value.trim();
            let plain = value.strip_suffix("!important");
            let is_important = plain.is_some();
            Ok::<_, &str>(Declaration { property: property.trim(), value: plain.unwrap_or(value).trim(), is_important })
        });
        Ok(Self {
            selectors: selectors.collect::<Result<_, _>>()?,
            declarations: declarations.collect::<Result<_, _>>()?,
        })
    }
}

/// The text without the space and the comments that it begins with.
fn blank(text: &str) -> &str {
    let mut rest = text.trim();
    while let Some((_, after)) = rest.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
        rest = after.trim_start();
    }
    rest
}

/// Where a block ends whose inside this is.
fn end_of_block(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::look::is_known;
    use super::*;

    #[test]
    fn pictures_understand_all_of_the_style_sheet() {
        let sheet = Sheet::parse(STYLE).expect("every selector can be read");
        assert!(sheet.rules.len() > 100);
        for Declaration { property, value, .. } in sheet.rules.iter().flat_map(|rule| &rule.declarations) {
            assert!(is_known(property, value), "pictures do not know what `{property}: {value}` means");
        }
    }

    #[test]
    fn rules_that_are_more_specific_or_later_win() {
        const TEXT: &str = "/* a; { */ .a { x: 1; y: 1 !important; } /* b */ p.a, p { x: 2; y: 2; z: 2 }
            p { z: 3; } @media print { p { x: 4; } .b { x: 5 } }";
        let sheet = Sheet::parse(TEXT).expect("it can be read");
        let declared = sheet.of(&Element { name: "p", class: "a", root: None });
        assert_eq!(declared, Declared::from([("x", "2"), ("y", "1"), ("z", "2")]));
        for wrong in ["p", "p {", "p > a {}", "p { x }"] {
            assert!(Sheet::parse(wrong).is_err(), "{wrong}");
        }
    }
}

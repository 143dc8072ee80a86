//! Reads predicates.
//!
//! ```text
//! predicate  = clause { "then" "within" number [ "plies" ] ":" clause }
//! clause     = both { "or" both }
//! both       = condition { "and" condition }
//! condition  = "not" condition
//!            | "for" number [ "plies" ] ":" clause
//!            | "first" ":" clause
//!            | "(" predicate ")"
//!            | operand [ comparison operand ]
//! operand    = number | quoted | fact | "change" "(" fact ")"
//! fact       = name [ "(" ( seat | place ) ")" ]
//! ```

use super::extremes::columns;
use super::tokens::{Token, tokens};
use super::{Comparison, DEPTH_MAX, Node, Operand, PLIES_MAX, Predicate, PredicateError, Use};
use crate::fact::common_facts;
use crate::{About, Argument, FactLabel, Rules};

/// The most names that an error offers.
const OFFERED_MAX: usize = 5;

pub(super) fn read(rules: &dyn Rules, text: &str) -> Result<Predicate, PredicateError> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
        about: rules.about(),
        places: rules.places(),
        facts: [common_facts(), rules.facts()].concat(),
        found: Found::default(),
    };
    let root = reader.predicate()?;
    if reader.token() != Token::End {
        return Err(reader.wrong("`and`, `or`, `then within` or the end is expected here"));
    }
    let Found { facts, changes, slots } = reader.found;
    let columns = columns(&reader.facts, reader.about);
    let columns = facts.iter().map(|used| Some(columns[used.fact]? + used.argument)).collect();
    Ok(Predicate { root, facts, changes, slots, columns })
}

struct Reader<'a> {
    tokens: Vec<(Token<'a>, usize)>,
    next: usize,
    depth: usize,
    about: &'static About,
    places: &'static [&'static str],
    facts: Vec<FactLabel>,
    found: Found,
}

/// What the predicate needs besides its conditions.
#[derive(Default)]
struct Found {
    facts: Vec<Use>,
    changes: Vec<usize>,
    slots: usize,
}

/// One side of a comparison.
#[derive(Clone, Copy)]
enum Side<'a> {
    Number(i64),
    Quoted(&'a str),
    Fact(Use),
    Change(Use),
}

impl<'a> Reader<'a> {
    fn predicate(&mut self) -> Result<Node, PredicateError> {
        let mut node = self.clause()?;
        while self.takes("then") {
            if !self.takes("within") {
                return Err(self.wrong("after `then` comes `within` and a number of plies: `then within 6: …`"));
            }
            let within = self.plies()?;
            let later = self.clause()?;
            node = Node::Then { within, earlier: Box::new(node), later: Box::new(later), slot: self.slot() };
        }
        Ok(node)
    }

    fn clause(&mut self) -> Result<Node, PredicateError> {
        self.joined("or", Self::both, Node::Or)
    }

    fn both(&mut self) -> Result<Node, PredicateError> {
        self.joined("and", Self::condition, Node::And)
    }

    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> Result<Node, PredicateError>,
        join: fn(Vec<Node>) -> Node,
    ) -> Result<Node, PredicateError> {
        let mut parts = vec![part(self)?];
        while self.takes(word) {
            parts.push(part(self)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { join(parts) })
    }

    fn condition(&mut self) -> Result<Node, PredicateError> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.wrong(format!("conditions are nested at most {DEPTH_MAX} deep")));
        }
        let node = match self.token() {
            Token::Name("not") => {
                self.next += 1;
                Node::Not(Box::new(self.condition()?))
            }
            Token::Name("for") => {
                self.next += 1;
                let plies = self.plies()?;
                Node::Streak { plies, inner: Box::new(self.clause()?), slot: self.slot() }
            }
            Token::Name("first") => {
                self.next += 1;
                self.expect(Token::Colon, "a colon is expected after `first`")?;
                Node::First { inner: Box::new(self.clause()?), slot: self.slot() }
            }
            Token::Open => {
                self.next += 1;
                let node = self.predicate()?;
                self.expect(Token::Close, "a closing parenthesis is missing")?;
                node
            }
            _ => self.comparison()?,
        };
        self.depth -= 1;
        Ok(node)
    }

    /// The number of plies of `within` and `for`, and the colon.
    fn plies(&mut self) -> Result<u32, PredicateError> {
        let Token::Number(plies) = self.token() else {
            return Err(self.wrong("a number of plies is expected here"));
        };
        let Some(plies) = u32::try_from(plies).ok().filter(|plies| (1..=PLIES_MAX).contains(plies)) else {
            return Err(self.wrong(format!("a number of plies is from 1 to {PLIES_MAX}")));
        };
        self.next += 1;
        let _ = self.takes("plies") || self.takes("ply");
        self.expect(Token::Colon, "a colon is expected after the number of plies")?;
        Ok(plies)
    }

    /// A comparison, or a fact that is not 0.
    fn comparison(&mut self) -> Result<Node, PredicateError> {
        let start = self.column();
        let left = self.side()?;
        let Token::Comparison(comparison) = self.token() else {
            return match left {
                Side::Fact(_) | Side::Change(_) => {
                    let left = self.operand(left, left, start)?;
                    Ok(Node::Compare(left, Comparison::Different, Operand::Number(0)))
                }
                Side::Number(_) | Side::Quoted(_) => Err(self.wrong("a comparison is expected: = != < <= > >=")),
            };
        };
        let at = self.column();
        self.next += 1;
        let end = self.column();
        let right = self.side()?;
        let has_words = |side: Side<'_>| match side {
            Side::Fact(found) => !self.facts[found.fact].words.is_empty(),
            Side::Quoted(_) => true,
            Side::Number(_) | Side::Change(_) => false,
        };
        if has_words(left) != has_words(right) {
            return Err(error(at, "a number and a word cannot be compared"));
        }
        if has_words(left) && !matches!(comparison, Comparison::Equal | Comparison::Different) {
            return Err(error(at, "words are compared with = and !="));
        }
        if let (Side::Fact(one), Side::Fact(other)) = (left, right)
            && self.facts[one.fact].words != self.facts[other.fact].words
        {
            return Err(error(at, "these facts have different words"));
        }
        Ok(Node::Compare(self.operand(left, right, start)?, comparison, self.operand(right, left, end)?))
    }

    /// One side of a comparison, once the other one is known.
    fn operand(&mut self, side: Side<'a>, other: Side<'a>, column: usize) -> Result<Operand, PredicateError> {
        Ok(match (side, other) {
            (Side::Number(number), _) => Operand::Number(number),
            (Side::Fact(found), _) => Operand::Fact(index_of(&mut self.found.facts, found)),
            (Side::Change(found), _) => {
                let fact = index_of(&mut self.found.facts, found);
                Operand::Change(index_of(&mut self.found.changes, fact))
            }
            (Side::Quoted(word), Side::Fact(found)) => {
                let words = self.facts[found.fact].words;
                let index = words.iter().position(|known| *known == word);
                let why = || {
                    let name = self.facts[found.fact].label.name;
                    format!("`{name}` is never {word:?}: it is one of {}", words.join(", "))
                };
                Operand::Number(index.ok_or_else(|| error(column, why()))? as i64)
            }
            (Side::Quoted(_), _) => return Err(error(column, "a word is compared with a fact that has words")),
        })
    }

    fn side(&mut self) -> Result<Side<'a>, PredicateError> {
        let side = match self.token() {
            Token::Number(number) => Side::Number(number),
            Token::Quoted(word) => Side::Quoted(word),
            Token::Name("change") => {
                self.next += 1;
                self.expect(Token::Open, "`change` is followed by a fact in parentheses: `change(ply)`")?;
                let at = self.column();
                let found = self.fact()?;
                if !self.facts[found.fact].words.is_empty() {
                    return Err(error(at, "only numbers rise and fall"));
                }
                self.expect(Token::Close, "a closing parenthesis is missing")?;
                return Ok(Side::Change(found));
            }
            Token::Name(_) => return self.fact().map(Side::Fact),
            _ => return Err(self.wrong("a fact or a number is expected here")),
        };
        self.next += 1;
        Ok(side)
    }

    fn fact(&mut self) -> Result<Use, PredicateError> {
        let Token::Name(name) = self.token() else { return Err(self.wrong("a fact is expected here")) };
        let Some(fact) = self.facts.iter().position(|fact| fact.label.name == name) else {
            let names = self.facts.iter().map(|fact| fact.label.name);
            return Err(self.wrong(format!(
                "{} has no fact `{name}`{}",
                self.about.kind,
                offered(name, names, "they are")
            )));
        };
        self.next += 1;
        let argument = match self.facts[fact].argument {
            Argument::Nothing if self.token() == Token::Open => {
                return Err(self.wrong(format!("`{name}` is one number of the game: write it without parentheses")));
            }
            Argument::Nothing => return Ok(Use { fact, argument: 0 }),
            Argument::Seat => {
                self.expect(Token::Open, &format!("`{name}` is asked for by seat: `{name}(1)`"))?;
                self.seat()?
            }
            Argument::Place => {
                let example = self.places.first().unwrap_or(&"place");
                self.expect(Token::Open, &format!("`{name}` is asked for by place: `{name}({example})`"))?;
                self.place()?
            }
        };
        self.next += 1;
        self.expect(Token::Close, "a closing parenthesis is missing")?;
        Ok(Use { fact, argument })
    }

    fn seat(&self) -> Result<usize, PredicateError> {
        let seats = usize::from(self.about.seats_max);
        let seat = if let Token::Number(seat) = self.token() { usize::try_from(seat).ok() } else { None };
        let seat = seat.filter(|seat| (1..=seats).contains(seat));
        seat.map(|seat| seat - 1).ok_or_else(|| self.wrong(format!("seats are numbered from 1 to {seats}")))
    }

    fn place(&self) -> Result<usize, PredicateError> {
        let Token::Name(name) = self.token() else { return Err(self.wrong("a place of the board is expected here")) };
        let index = self.places.iter().position(|place| *place == name);
        index.ok_or_else(|| {
            let near = offered(name, self.places.iter().copied(), "they begin with");
            self.wrong(format!("there is no place {name}{near}"))
        })
    }

    fn token(&self) -> Token<'a> {
        self.tokens[self.next].0
    }

    fn column(&self) -> usize {
        self.tokens[self.next].1
    }

    /// Takes a keyword if it comes next.
    fn takes(&mut self, word: &str) -> bool {
        let is_next = self.token() == Token::Name(word);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: Token<'_>, why: &str) -> Result<(), PredicateError> {
        if self.token() != token {
            return Err(self.wrong(why));
        }
        self.next += 1;
        Ok(())
    }

    fn slot(&mut self) -> usize {
        self.found.slots += 1;
        self.found.slots - 1
    }

    /// An error about the next token.
    fn wrong(&self, why: impl Into<String>) -> PredicateError {
        error(self.column(), why)
    }
}

/// The index of an item, which is added if it is new.
fn index_of<T: PartialEq>(items: &mut Vec<T>, item: T) -> usize {
    items.iter().position(|known| *known == item).unwrap_or_else(|| {
        items.push(item);
        items.len() - 1
    })
}

fn error(column: usize, why: impl Into<String>) -> PredicateError {
    PredicateError { column, why: why.into() }
}

/// The names that are spelled like one that does not exist; if there are none, the first ones.
fn offered(name: &str, names: impl Iterator<Item = &'static str> + Clone, otherwise: &str) -> String {
    let lower = name.to_lowercase();
    let distance = |known: &str| {
        let known = known.to_lowercase();
        let is_part = lower.len() > 2 && (known.contains(&lower) || lower.contains(&known));
        if is_part { 0 } else { strsim::damerau_levenshtein(&lower, &known) }
    };
    let mut near: Vec<(usize, &str)> = names.clone().map(|known| (distance(known), known)).collect();
    near.retain(|(distance, _)| *distance <= ((name.len() + 1) / 3).clamp(1, 3));
    near.sort_unstable();
    let list = |names: Vec<&str>| names.join(", ");
    if near.is_empty() {
        let first: Vec<&str> = names.take(20).collect();
        return format!("; {otherwise} {}", list(first));
    }
    format!("; there is {}", list(near.into_iter().take(OFFERED_MAX).map(|(_, known)| known).collect()))
}

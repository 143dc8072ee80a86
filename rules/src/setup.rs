//! Setups: their members, each declared once. The reader, what is written, and the schema follow from the declaration.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use crate::toss::Toss;
use crate::{Draw, SetupError};

/// The value of a member that is to be drawn.
pub(crate) const DRAWN: &str = "drawn";

/// The member that says how many seats there are, if a game can have several numbers of them. Programs fill it in from the
/// players who are there.
pub const PLAYERS: &str = "players";

/// The longest value quoted in full in a message, in characters.
const QUOTE_MAX: usize = 40;

/// A member of a setup, declared once: how it is read, what is written of it, and its schema follow from that.
pub struct Member {
    name: &'static str,
    about: &'static str,
    values: Values,
}

/// What a member can be. A missing one is as usual.
enum Values {
    Whole(RangeInclusive<u8>, u8),
    /// The usual rule, and the other.
    Words([&'static str; 2]),
    Flag(bool),
    /// A seat, up to this one, or that it is drawn.
    First(u8),
    Toss,
    /// The rest of the JSON Schema of what a game reads by itself.
    Own(fn() -> Value),
}

impl Member {
    /// A whole number; see [`Member::number`].
    pub const fn whole(name: &'static str, bounds: RangeInclusive<u8>, usual: u8, about: &'static str) -> Self {
        Self { name, about, values: Values::Whole(bounds, usual) }
    }

    /// A choice between the usual rule and another; see [`Member::chosen`].
    pub const fn choice(name: &'static str, words: [&'static str; 2], about: &'static str) -> Self {
        Self { name, about, values: Values::Words(words) }
    }

    /// A rule that is in force or not; see [`Member::chosen`].
    pub const fn flag(name: &'static str, usual: bool, about: &'static str) -> Self {
        Self { name, about, values: Values::Flag(usual) }
    }

    /// The seat that begins, or that it is drawn; see [`Beginner`].
    pub const fn first(seats: u8, about: &'static str) -> Self {
        Self { name: "first", about, values: Values::First(seats) }
    }

    /// How the first move was decided at the table; see [`Beginner`].
    pub const fn toss(about: &'static str) -> Self {
        Self { name: "toss", about, values: Values::Toss }
    }

    /// Anything else, which the game reads by itself; `schema` is its JSON Schema without the description.
    pub const fn own(name: &'static str, schema: fn() -> Value, about: &'static str) -> Self {
        Self { name, about, values: Values::Own(schema) }
    }

    /// What a missing member stands for, if it is a whole number.
    pub const fn usual(&self) -> u8 {
        if let Values::Whole(_, usual) = &self.values { *usual } else { 0 }
    }

    /// Reads a whole number.
    ///
    /// # Errors
    /// It is none within the bounds.
    pub fn number(&self, members: &SetupReader<'_>) -> Result<u8, SetupError> {
        let Values::Whole(bounds, usual) = &self.values else { panic!("`{}` is no number", self.name) };
        members.whole(self.name, *usual, bounds.clone())
    }

    /// Reads whether a flag is set, or the other rule is chosen.
    ///
    /// # Errors
    /// It is neither.
    pub fn chosen(&self, members: &SetupReader<'_>) -> Result<bool, SetupError> {
        match self.values {
            Values::Words(words) => Ok(members.word(self.name, &words)? == Some(words[1])),
            Values::Flag(usual) => members.flag(self.name, usual),
            _ => panic!("`{}` is no choice", self.name),
        }
    }

    /// Writes a number, unless it is as usual.
    pub fn write_number(&self, setup: &mut Value, number: u8) {
        if number != self.usual() {
            setup[self.name] = number.into();
        }
    }

    /// Writes whether a flag is set, or the other rule is chosen, unless it is as usual.
    pub fn write_chosen(&self, setup: &mut Value, is_chosen: bool) {
        match self.values {
            Values::Words([_, other]) if is_chosen => setup[self.name] = other.into(),
            Values::Flag(usual) if is_chosen != usual => setup[self.name] = is_chosen.into(),
            _ => {}
        }
    }

    fn schema(&self) -> Value {
        let mut schema = match &self.values {
            Values::Whole(bounds, usual) => {
                json!({ "type": "integer", "minimum": bounds.start(), "maximum": bounds.end(), "default": usual })
            }
            Values::Words(words) => json!({ "enum": words, "default": words[0] }),
            Values::Flag(usual) => json!({ "type": "boolean", "default": usual }),
            Values::First(seats) => {
                let values: Vec<Value> = (1..=*seats).map(Value::from).chain([DRAWN.into()]).collect();
                json!({ "enum": values, "default": 1 })
            }
            Values::Toss => Toss::schema(),
            Values::Own(schema) => schema(),
        };
        schema["description"] = self.about.into();
        schema
    }
}

/// The JSON Schemas of members, by name.
pub fn properties(members: &[Member]) -> Map<String, Value> {
    members.iter().map(|member| (member.name.to_owned(), member.schema())).collect()
}

/// The JSON Schema of a setup with these members.
pub fn schema(title: &str, about: &str, members: &[Member]) -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": about,
        "type": "object",
        "additionalProperties": false,
        "default": {},
        "properties": properties(members),
    })
}

/// Checks a setup, leaves out what is as usual, and draws who begins if that is to be drawn.
///
/// # Errors
/// A member is none of these, or invalid. Of those that a game reads by itself, nothing is checked.
pub fn complete(members: &[Member], setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
    let reader = SetupReader::of(setup, members)?;
    let mut complete = json!({});
    for member in members {
        match member.values {
            Values::Whole(..) => member.write_number(&mut complete, member.number(&reader)?),
            Values::Words(_) | Values::Flag(_) => member.write_chosen(&mut complete, member.chosen(&reader)?),
            Values::First(seats) => Beginner::read(&reader, seats)?.drawn(seats, draw).write(&mut complete),
            // Written with who begins.
            Values::Toss => {}
            Values::Own(_) => {
                if let Some(value) = reader.get(member.name) {
                    complete[member.name] = value.clone();
                }
            }
        }
    }
    Ok(complete)
}

/// Who begins, as `first` and `toss` say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beginner {
    first: Seat,
    toss: Option<Toss>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Seat {
    /// Seat 1, as nothing is said.
    #[default]
    Usual,
    /// This one.
    Given(u8),
    /// One that is drawn.
    Drawn,
}

impl Beginner {
    /// Reads who begins in a game of so many seats, by a toss only if a setup may have that member.
    ///
    /// # Errors
    /// It is neither a seat nor to be drawn, or the toss says otherwise.
    pub fn read(members: &SetupReader<'_>, seats: u8) -> Result<Self, SetupError> {
        let toss = members.get("toss").map(Toss::read).transpose()?;
        let won = toss.as_ref().and_then(Toss::winner);
        let first = match members.get("first") {
            Some(_) if members.is_drawn("first") => Seat::Drawn,
            Some(_) => Seat::Given(members.whole("first", 1, 1..=seats)?),
            None => won.map_or(Seat::Usual, Seat::Given),
        };
        match (first, won) {
            (Seat::Drawn, _) if toss.is_some() => {
                Err("either the service draws who begins, or a `toss` at the table decides it: leave one of them out"
                    .into())
            }
            (Seat::Given(seat), Some(won)) if seat != won => {
                Err(format!("`toss` was won by seat {won}, which begins: `first` cannot be {seat}").into())
            }
            (Seat::Usual, None) if toss.is_some() => {
                Err("a coin does not say who won it: give the seat as `first`".into())
            }
            _ => Ok(Self { first, toss }),
        }
    }

    /// The same with the seat drawn, if it is to be.
    #[must_use]
    pub fn drawn(self, seats: u8, draw: &mut Draw<'_>) -> Self {
        match self.first {
            Seat::Drawn => Self { first: Seat::Given(draw(u32::from(seats)) as u8 + 1), ..self },
            _ => self,
        }
    }

    /// The seat that begins; seat 1 if the setup does not say.
    ///
    /// # Errors
    /// It is still to be drawn.
    pub fn seat(&self) -> Result<u8, SetupError> {
        match self.first {
            Seat::Drawn => Err("`first` is still to be drawn: name the seat that begins".into()),
            Seat::Given(seat) => Ok(seat),
            Seat::Usual => Ok(1),
        }
    }

    /// Writes the members that were given.
    pub fn write(&self, setup: &mut Value) {
        match self.first {
            Seat::Usual => {}
            Seat::Given(seat) => setup["first"] = seat.into(),
            Seat::Drawn => setup["first"] = DRAWN.into(),
        }
        if let Some(toss) = &self.toss {
            setup["toss"] = toss.to_json();
        }
    }
}

/// The members of a setup. A missing member takes its default.
pub struct SetupReader<'a>(&'a Map<String, Value>);

impl<'a> SetupReader<'a> {
    /// Reads a setup with these members and no others.
    ///
    /// # Errors
    /// The setup is not an object, or has other members.
    pub fn of(setup: &'a Value, members: &[Member]) -> Result<Self, SetupError> {
        Self::new(setup, &members.iter().map(|member| member.name).collect::<Vec<_>>())
    }

    /// Reads an object with these members and no others.
    ///
    /// # Errors
    /// It is not an object, or has other members.
    pub fn new(setup: &'a Value, known: &[&str]) -> Result<Self, SetupError> {
        let Some(members) = setup.as_object() else {
            return Err(format!("a setup is a JSON object such as {{}}, not {}", quote(setup)).into());
        };
        let Some(key) = members.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(Self(members)) };
        let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
        let known = if known.is_empty() { "no members".to_owned() } else { known.join(", ") };
        Err(format!("{key:?} is not a member of a setup: it has {known}").into())
    }

    /// The raw value of a member.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// Whether a member is to be drawn, because its value says so.
    pub fn is_drawn(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| value == DRAWN)
    }

    /// A whole number within bounds.
    ///
    /// # Errors
    /// The member is anything else.
    pub fn whole(&self, name: &str, default: u8, bounds: RangeInclusive<u8>) -> Result<u8, SetupError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        whole(value, bounds).map_err(|why| format!("`{name}` is {why}").into())
    }

    /// One of these words; `None` if the member is missing.
    ///
    /// # Errors
    /// The member is anything else.
    pub fn word<'b>(&self, name: &str, words: &[&'b str]) -> Result<Option<&'b str>, SetupError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let known = words.iter().find(|word| value == **word);
        let names = || words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" or ");
        known.map(|word| Some(*word)).ok_or_else(|| format!("`{name}` is {}, not {}", names(), quote(value)).into())
    }

    /// A boolean.
    ///
    /// # Errors
    /// The member is neither `true` nor `false`.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool, SetupError> {
        let Some(value) = self.get(name) else { return Ok(default) };
        value.as_bool().ok_or_else(|| format!("`{name}` is true or false, not {}", quote(value)).into())
    }

    /// A list with this many items, each read by `item`; `None` if the member is missing. `what` names the
    /// items in messages.
    ///
    /// # Errors
    /// The member is not a list, has the wrong number of items, or has an item that cannot be read.
    pub fn list<T>(
        &self,
        name: &str,
        what: &str,
        count: RangeInclusive<usize>,
        item: impl FnMut(&'a Value) -> Result<T, String>,
    ) -> Result<Option<Vec<T>>, SetupError> {
        let Some(value) = self.get(name) else { return Ok(None) };
        list(value, count, item).map(Some).map_err(|why| format!("`{name}` lists {what}: {why}").into())
    }

    /// Like [`SetupReader::list`], with all items different.
    ///
    /// # Errors
    /// As for [`SetupReader::list`], or an item occurs twice.
    pub fn distinct<T>(
        &self,
        name: &str,
        what: &str,
        count: RangeInclusive<usize>,
        mut item: impl FnMut(&'a Value) -> Result<T, String>,
    ) -> Result<Option<Vec<T>>, SetupError> {
        let mut before = Vec::new();
        self.list(name, what, count, |value| {
            if before.contains(&value) {
                return Err(format!("{} is given twice", quote(value)));
            }
            before.push(value);
            item(value)
        })
    }
}

/// A whole number within bounds.
///
/// # Errors
/// The value is anything else; the text is the end of a sentence: `a whole number from 1 to 9, not 12`.
pub fn whole(value: &Value, bounds: RangeInclusive<u8>) -> Result<u8, String> {
    let number = value.as_u64().and_then(|number| u8::try_from(number).ok());
    let (min, max) = (*bounds.start(), *bounds.end());
    let inside = number.filter(|number| bounds.contains(number));
    inside.ok_or_else(|| format!("a whole number from {min} to {max}, not {}", quote(value)))
}

fn list<'a, T>(
    value: &'a Value,
    count: RangeInclusive<usize>,
    item: impl FnMut(&'a Value) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let items = value.as_array().ok_or_else(|| format!("{} is not a list", quote(value)))?;
    if !count.contains(&items.len()) {
        return Err(format!("{} are given", items.len()));
    }
    items.iter().map(item).collect()
}

/// A value for quoting in a message.
fn quote(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= QUOTE_MAX { text } else { text.chars().take(QUOTE_MAX).chain("…".chars()).collect() }
}

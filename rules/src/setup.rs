//! Reads the members of a setup, with the same error messages in every game.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::{Draw, SetupError};

/// The value of a member that is to be drawn.
pub(crate) const DRAWN: &str = "drawn";

/// The longest value quoted in full in a message, in characters.
const QUOTE_MAX: usize = 40;

/// Who begins, as the member `first` of a setup says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// This seat, from 1.
    Seat(u8),
    /// The seat that is drawn.
    Drawn,
}

impl First {
    /// Reads `first` in a game of so many seats; `None` if it is missing.
    ///
    /// # Errors
    /// It is neither a seat nor to be drawn.
    pub(crate) fn read(members: &SetupReader<'_>, seats: u8) -> Result<Option<Self>, SetupError> {
        match members.get("first") {
            None => Ok(None),
            Some(_) if members.is_drawn("first") => Ok(Some(Self::Drawn)),
            Some(_) => Ok(Some(Self::Seat(members.whole("first", 1, 1..=seats)?))),
        }
    }

    /// The same with the seat drawn, if it is to be.
    pub(crate) fn drawn(self, seats: u8, draw: &mut Draw<'_>) -> Self {
        match self {
            Self::Drawn => Self::Seat(draw(u32::from(seats)) as u8 + 1),
            seat @ Self::Seat(_) => seat,
        }
    }

    /// The seat that begins; seat 1 if the setup does not say.
    ///
    /// # Errors
    /// It is still to be drawn.
    pub(crate) fn seat(first: Option<Self>) -> Result<u8, SetupError> {
        match first {
            Some(Self::Drawn) => Err("`first` is still to be drawn: name the seat that begins".into()),
            Some(Self::Seat(seat)) => Ok(seat),
            None => Ok(1),
        }
    }

    /// As a member of a setup.
    pub(crate) fn to_json(self) -> Value {
        match self {
            Self::Seat(seat) => seat.into(),
            Self::Drawn => DRAWN.into(),
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

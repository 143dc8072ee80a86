//! Words: actions in a list, with their actors.

use plybook_events::Actor;

use crate::{About, ActionError, AnyPosition};

/// Why a word was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// Several seats are to act. Say which one acts.
    #[error("several are to act: write SEAT:{0}")]
    WhoseTurn(String),
    /// The action was not accepted.
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// The first word in a list that was not accepted. Those before it were played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("ply {ply}: {word}: {why}")]
pub struct PlayError {
    /// The ply it would have had, from 1.
    pub ply: usize,
    /// The word as it was given.
    pub word: String,
    /// Why it was not accepted.
    pub why: WordError,
    /// Legal actions with a similar spelling, most similar first; at most five.
    pub near: Vec<String>,
}

/// Splits a word into its actor and the action: `2:LUR`, `chance:roll:1=7,2=3`, or the action alone if only
/// one actor is to act.
///
/// # Errors
/// [`WordError::WhoseTurn`] if the actor is missing and several are to act.
pub fn split_word<'a>(position: &dyn AnyPosition, word: &'a str) -> Result<(Actor, &'a str), WordError> {
    if let Some((name, action)) = word.split_once(':') {
        if name == "chance" {
            return Ok((Actor::Chance, action));
        }
        match name.parse() {
            Ok(seat) if !name.starts_with(['0', '+']) && (1..=position.seats()).contains(&seat) => {
                return Ok((Actor::Seat(seat), action));
            }
            _ => {}
        }
    }
    let to_act = position.to_act();
    if to_act.is_empty() {
        return Err(ActionError::Over.into());
    }
    let actor = to_act.only().ok_or_else(|| WordError::WhoseTurn(word.to_owned()))?;
    Ok((actor, word))
}

/// An action as records write it and [`split_word`] reads it: prefixed with the seat in games where several
/// seats can act at once.
pub fn word(about: &About, actor: Actor, action: &str) -> String {
    match actor {
        Actor::Seat(seat) if about.simultaneous => format!("{seat}:{action}"),
        _ => action.to_owned(),
    }
}

/// The last action of a list, and the position before it.
pub struct LastAction {
    /// The previous position.
    pub before: Box<dyn AnyPosition>,
    /// Who acted.
    pub actor: Actor,
    /// The action in canonical notation.
    pub action: String,
}

/// Plays a list of words from a position, and returns the last action, if there is one. `each` is called
/// after every action, with the actor and the action in canonical notation.
///
/// # Errors
/// The first word that is not accepted; the position is left as it was before that word.
pub fn play<'a>(
    position: &mut dyn AnyPosition,
    words: impl IntoIterator<Item = &'a str>,
    mut each: impl FnMut(Actor, &str),
) -> Result<Option<LastAction>, PlayError> {
    let mut words = words.into_iter().enumerate().peekable();
    while let Some((index, word)) = words.next() {
        let refused = |why: WordError, near| PlayError { ply: index + 1, word: word.to_owned(), why, near };
        let (actor, action) = split_word(position, word).map_err(|why| refused(why, Vec::new()))?;
        let before = words.peek().is_none().then(|| position.boxed());
        let accepted = position.accept(actor, action);
        let action = accepted.map_err(|why| refused(why.into(), near(position, actor, action)))?;
        each(actor, &action);
        if let Some(before) = before {
            return Ok(Some(LastAction { before, actor, action }));
        }
    }
    Ok(None)
}

/// The legal actions most similar to a text, most similar first; at most five.
pub fn near(position: &dyn AnyPosition, actor: Actor, text: &str) -> Vec<String> {
    if text.len() > 200 {
        return Vec::new();
    }
    let legal = position.legal(actor).unwrap_or_default();
    let mut scored: Vec<(usize, String)> =
        legal.into_iter().map(|action| (strsim::damerau_levenshtein(text, &action), action)).collect();
    scored.sort_unstable();
    scored.into_iter().take_while(|(distance, _)| *distance <= 3).take(5).map(|(_, action)| action).collect()
}

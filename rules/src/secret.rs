//! What a game keeps secret, and until when.

/// A sort of action that not everybody knows at first: only its seat, or, of what chance gives, those whom it concerns. The leak tests follow pairs of games that differ only
/// in such an action, for as long as it is declared secret here.
#[derive(Debug)]
pub struct Secret {
    /// Its name for people: `set-up`.
    pub name: &'static str,
    /// The prefix of these actions in notation (`setup:`); empty if every action of a seat is secret.
    pub prefix: &'static str,
    /// When everybody may learn the action itself.
    pub opens: Opens,
    /// When everybody may see something that follows from it; no later than `opens`.
    pub shows: Opens,
}

/// When something ceases to be secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opens {
    /// As soon as all seats that were to act at the same time have acted, or, after chance, those that act next.
    Together,
    /// When [`crate::Position::is_opened`] says so.
    Rules,
    /// At the end of the game.
    End,
}

//! What a game keeps secret, and until when.

/// A sort of action that only its seat knows at first. The tests of leaks follow every pair of games
/// that differ in such an action for as long as it says here.
#[derive(Debug)]
pub struct Secret {
    /// Its name in words: `set-up`.
    pub name: &'static str,
    /// How its tokens begin (`setup:`); empty where every token of a seat is such a secret.
    pub prefix: &'static str,
    /// When everybody may learn the action itself.
    pub opens: Opens,
    /// When everybody may see something that follows from it; no later than it opens.
    pub shows: Opens,
}

/// When something stops being secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opens {
    /// As soon as all the seats have acted that were to act at the same time.
    Together,
    /// When [`crate::Position::is_opened`] says so.
    Rules,
    /// At the end of the game.
    End,
}

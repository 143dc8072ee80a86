//! The body of each type of event.

mod author;
mod game;
mod import;
mod member;
mod operator;
mod player;
mod tournament;

use serde::Serialize;
use serde_json::from_slice;

pub use author::{AuthorError, LogSort};
pub use game::{
    Acted, Annotated, Arranged, Corrected, Created, DeadlineSet, DrawAnswered, DrawOffered, Ended, EntropyAdded, Fork,
    Reopened, Resigned, Revealed, Rolls, Sealed, SeatEntry, Seed, TakenBack, Unvoided, Voided,
};
pub use import::Imported;
pub use operator::{EventRef, HistoryAccepted, KeyRotated};
pub use player::{PlayerCreated, PlayerEdited, PlayerKeyAdded, PlayerKeyRemoved, PlayerMerged, PlayerUnmerged};
pub use tournament::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, Bye, Entered, EntrantBye, EntrantDetails, EntrantEdited,
    EntryRemoved, Forfeited, GameHead, GameOpened, Nothing, OfRound, Paired, PairingChanged, PairingEngine,
    ResultRecorded, ResultRemoved, Resumed, Returned, RoundOpened, RoundUnopened, SeatRange, TableOpened,
    TableReseated, TournamentSettings, Withdrawn,
};

/// The most characters of a comment, a reason or a name.
pub const TEXT_CHARS_MAX: usize = 4_000;

/// Declares the types of events: the name, the variant with its body, and the function that reads a body whose members could
/// contradict each other.
macro_rules! bodies {
    ($($(#[$doc:meta])* $name:literal: $variant:ident($body:ty) $(by $read:path)?,)*) => {
        /// The body of an event, by its type.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum Body {
            $($(#[$doc])* $variant($body),)*
        }

        impl Body {
            /// The event's `type`.
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// Reads the body of an event of this type; `None` if there is no such type.
            pub(crate) fn parse(type_name: &str, json: &[u8]) -> Option<serde_json::Result<Self>> {
                match type_name {
                    $($name => Some(bodies!(@read json $($read)?).map(Self::$variant)),)*
                    _ => None,
                }
            }
        }
    };
    (@read $json:ident) => { from_slice($json) };
    (@read $json:ident $read:path) => { $read($json) };
}

bodies! {
    /// A game or a line begins.
    "created": Created(Created) by game::whole_created,
    /// A seat or chance acted.
    "acted": Acted(Acted),
    /// A seat contributes to the dice of its game.
    "entropy_added": EntropyAdded(EntropyAdded),
    /// A seat submitted in secret.
    "sealed": Sealed(Sealed),
    /// A secret submission is opened.
    "revealed": Revealed(Revealed),
    /// The mainline goes back to an earlier ply.
    "taken_back": TakenBack(TakenBack),
    /// The annotation of a ply is replaced.
    "annotated": Annotated(Annotated),
    /// A seat offers a draw.
    "draw_offered": DrawOffered(DrawOffered),
    /// A seat answers the draw that was offered.
    "draw_answered": DrawAnswered(DrawAnswered),
    /// A seat's player leaves for good; the game goes on without the player.
    "resigned": Resigned(Resigned),
    /// The game ended.
    "ended": Ended(Ended),
    /// The arbiter changes the outcome.
    "corrected": Corrected(Corrected),
    /// The arbiter declares the game void.
    "voided": Voided(Voided),
    /// The arbiter lets a game that was ended go on.
    "reopened": Reopened(Reopened),
    /// The arbiter lets a void game count again.
    "unvoided": Unvoided(Unvoided),
    /// The time for what is awaited is limited.
    "deadline_set": DeadlineSet(DeadlineSet) by game::whole_deadline,
    /// A line is renamed, reordered, hidden or shown.
    "arranged": Arranged(Arranged) by game::some_arranged,
    /// A player is registered.
    "player_created": PlayerCreated(PlayerCreated),
    /// The details of a player change.
    "player_edited": PlayerEdited(PlayerEdited) by player::some_edited,
    /// A player turns out to be registered already.
    "player_merged": PlayerMerged(PlayerMerged),
    /// A player turns out not to be the other one.
    "player_unmerged": PlayerUnmerged(PlayerUnmerged),
    /// From now on, the player signs with this key too.
    "player_key_added": PlayerKeyAdded(PlayerKeyAdded),
    /// The player no longer signs with this key.
    "player_key_removed": PlayerKeyRemoved(PlayerKeyRemoved),
    /// A tournament is announced.
    "tournament_created": TournamentCreated(TournamentSettings),
    /// The settings of a tournament change.
    "tournament_edited": TournamentEdited(TournamentSettings),
    /// Somebody takes part in a tournament.
    "entered": Entered(Entered),
    /// The details of an entrant change.
    "entrant_edited": EntrantEdited(EntrantEdited),
    /// An entry is removed as a mistake.
    "entry_removed": EntryRemoved(EntryRemoved),
    /// An entrant stops playing.
    "withdrawn": Withdrawn(Withdrawn),
    /// An entrant who was withdrawn plays again.
    "returned": Returned(Returned),
    /// An entrant will not play in a round.
    "absence_announced": AbsenceAnnounced(AbsenceAnnounced),
    /// An entrant will play in a round after all.
    "absence_cancelled": AbsenceCancelled(AbsenceCancelled),
    /// A round is paired.
    "paired": Paired(Paired),
    /// A pairing is changed by hand.
    "pairing_changed": PairingChanged(PairingChanged),
    /// The pairing of a round is withdrawn.
    "unpaired": Unpaired(OfRound),
    /// A round begins: every table gets a game.
    "round_opened": RoundOpened(RoundOpened),
    /// The opening of a round, in which nothing was played, is undone.
    "round_unopened": RoundUnopened(RoundUnopened),
    /// A table gets another game.
    "game_opened": GameOpened(GameOpened),
    /// A table with a game is added to a tournament that is a list of games.
    "table_opened": TableOpened(TableOpened),
    /// Others sit at a table of an open round.
    "table_reseated": TableReseated(TableReseated),
    /// A table gets a result.
    "result_recorded": ResultRecorded(ResultRecorded),
    /// The result of a table is removed.
    "result_removed": ResultRemoved(ResultRemoved),
    /// A table is decided by forfeit.
    "forfeited": Forfeited(Forfeited),
    /// The game at a table is adjourned.
    "adjourned": Adjourned(Adjourned),
    /// The game at a table is resumed.
    "resumed": Resumed(Resumed),
    /// A round is closed.
    "round_closed": RoundClosed(OfRound),
    /// A closed round is opened again.
    "round_reopened": RoundReopened(OfRound),
    /// A tournament is finished.
    "tournament_finished": TournamentFinished(Nothing),
    /// A finished tournament is opened again.
    "tournament_reopened": TournamentReopened(Nothing),
    /// Events of a log were imported.
    "imported": Imported(Imported) by import::some_imported,
    /// A change of history was accepted.
    "history_accepted": HistoryAccepted(HistoryAccepted),
    /// The key of the transparency log was replaced.
    "key_rotated": KeyRotated(KeyRotated),
}

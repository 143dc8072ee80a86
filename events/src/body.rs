//! The body of each type of event.

mod author;
mod game;
mod import;
mod member;
mod operator;
mod player;
mod tournament;

use serde::Serialize;

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

/// The body of an event, by its type.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Body {
    /// A game or a line begins.
    Created(Created),
    /// A seat or chance acted.
    Acted(Acted),
    /// A seat contributes to the dice of its game.
    EntropyAdded(EntropyAdded),
    /// A seat submitted in secret.
    Sealed(Sealed),
    /// A secret submission is opened.
    Revealed(Revealed),
    /// The mainline goes back to an earlier ply.
    TakenBack(TakenBack),
    /// The annotation of a ply is replaced.
    Annotated(Annotated),
    /// A seat offers a draw.
    DrawOffered(DrawOffered),
    /// A seat answers the draw that was offered.
    DrawAnswered(DrawAnswered),
    /// A seat's player leaves for good; the game goes on without the player.
    Resigned(Resigned),
    /// The game ended.
    Ended(Ended),
    /// The arbiter changes the outcome.
    Corrected(Corrected),
    /// The arbiter declares the game void.
    Voided(Voided),
    /// The arbiter lets a game that was ended go on.
    Reopened(Reopened),
    /// The arbiter lets a void game count again.
    Unvoided(Unvoided),
    /// The time for what is awaited is limited.
    DeadlineSet(DeadlineSet),
    /// A line is renamed, reordered, hidden or shown.
    Arranged(Arranged),
    /// A player is registered.
    PlayerCreated(PlayerCreated),
    /// The details of a player change.
    PlayerEdited(PlayerEdited),
    /// A player turns out to be registered already.
    PlayerMerged(PlayerMerged),
    /// A player turns out not to be the other one.
    PlayerUnmerged(PlayerUnmerged),
    /// From now on, the player signs with this key too.
    PlayerKeyAdded(PlayerKeyAdded),
    /// The player no longer signs with this key.
    PlayerKeyRemoved(PlayerKeyRemoved),
    /// A tournament is announced.
    TournamentCreated(TournamentSettings),
    /// The settings of a tournament change.
    TournamentEdited(TournamentSettings),
    /// Somebody takes part in a tournament.
    Entered(Entered),
    /// The details of an entrant change.
    EntrantEdited(EntrantEdited),
    /// An entry is removed as a mistake.
    EntryRemoved(EntryRemoved),
    /// An entrant stops playing.
    Withdrawn(Withdrawn),
    /// An entrant who was withdrawn plays again.
    Returned(Returned),
    /// An entrant will not play in a round.
    AbsenceAnnounced(AbsenceAnnounced),
    /// An entrant will play in a round after all.
    AbsenceCancelled(AbsenceCancelled),
    /// A round is paired.
    Paired(Paired),
    /// A pairing is changed by hand.
    PairingChanged(PairingChanged),
    /// The pairing of a round is withdrawn.
    Unpaired(OfRound),
    /// A round begins: every table gets a game.
    RoundOpened(RoundOpened),
    /// The opening of a round, in which nothing was played, is undone.
    RoundUnopened(RoundUnopened),
    /// A table gets another game.
    GameOpened(GameOpened),
    /// A table with a game is added to a tournament that is a list of games.
    TableOpened(TableOpened),
    /// Others sit at a table of an open round.
    TableReseated(TableReseated),
    /// A table gets a result.
    ResultRecorded(ResultRecorded),
    /// The result of a table is removed.
    ResultRemoved(ResultRemoved),
    /// A table is decided by forfeit.
    Forfeited(Forfeited),
    /// The game at a table is adjourned.
    Adjourned(Adjourned),
    /// The game at a table is resumed.
    Resumed(Resumed),
    /// A round is closed.
    RoundClosed(OfRound),
    /// A closed round is opened again.
    RoundReopened(OfRound),
    /// A tournament is finished.
    TournamentFinished(Nothing),
    /// A finished tournament is opened again.
    TournamentReopened(Nothing),
    /// Events of a log were imported.
    Imported(Imported),
    /// A change of history was accepted.
    HistoryAccepted(HistoryAccepted),
    /// The key of the transparency log was replaced.
    KeyRotated(KeyRotated),
}

impl Body {
    /// The event's `type`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Created(_) => "created",
            Self::Acted(_) => "acted",
            Self::EntropyAdded(_) => "entropy_added",
            Self::Sealed(_) => "sealed",
            Self::Revealed(_) => "revealed",
            Self::TakenBack(_) => "taken_back",
            Self::Annotated(_) => "annotated",
            Self::DrawOffered(_) => "draw_offered",
            Self::DrawAnswered(_) => "draw_answered",
            Self::Resigned(_) => "resigned",
            Self::Ended(_) => "ended",
            Self::Corrected(_) => "corrected",
            Self::Voided(_) => "voided",
            Self::Reopened(_) => "reopened",
            Self::Unvoided(_) => "unvoided",
            Self::DeadlineSet(_) => "deadline_set",
            Self::Arranged(_) => "arranged",
            Self::PlayerCreated(_) => "player_created",
            Self::PlayerEdited(_) => "player_edited",
            Self::PlayerMerged(_) => "player_merged",
            Self::PlayerUnmerged(_) => "player_unmerged",
            Self::PlayerKeyAdded(_) => "player_key_added",
            Self::PlayerKeyRemoved(_) => "player_key_removed",
            Self::TournamentCreated(_) => "tournament_created",
            Self::TournamentEdited(_) => "tournament_edited",
            Self::Entered(_) => "entered",
            Self::EntrantEdited(_) => "entrant_edited",
            Self::EntryRemoved(_) => "entry_removed",
            Self::Withdrawn(_) => "withdrawn",
            Self::Returned(_) => "returned",
            Self::AbsenceAnnounced(_) => "absence_announced",
            Self::AbsenceCancelled(_) => "absence_cancelled",
            Self::Paired(_) => "paired",
            Self::PairingChanged(_) => "pairing_changed",
            Self::Unpaired(_) => "unpaired",
            Self::RoundOpened(_) => "round_opened",
            Self::RoundUnopened(_) => "round_unopened",
            Self::GameOpened(_) => "game_opened",
            Self::TableOpened(_) => "table_opened",
            Self::TableReseated(_) => "table_reseated",
            Self::ResultRecorded(_) => "result_recorded",
            Self::ResultRemoved(_) => "result_removed",
            Self::Forfeited(_) => "forfeited",
            Self::Adjourned(_) => "adjourned",
            Self::Resumed(_) => "resumed",
            Self::RoundClosed(_) => "round_closed",
            Self::RoundReopened(_) => "round_reopened",
            Self::TournamentFinished(_) => "tournament_finished",
            Self::TournamentReopened(_) => "tournament_reopened",
            Self::Imported(_) => "imported",
            Self::HistoryAccepted(_) => "history_accepted",
            Self::KeyRotated(_) => "key_rotated",
        }
    }

    /// Reads the body of an event of this type; `None` if there is no such type.
    pub(crate) fn parse(type_name: &str, json: &[u8]) -> Option<serde_json::Result<Self>> {
        Some(match type_name {
            "created" => game::whole_created(json).map(Self::Created),
            "acted" => serde_json::from_slice(json).map(Self::Acted),
            "entropy_added" => serde_json::from_slice(json).map(Self::EntropyAdded),
            "sealed" => serde_json::from_slice(json).map(Self::Sealed),
            "revealed" => serde_json::from_slice(json).map(Self::Revealed),
            "taken_back" => serde_json::from_slice(json).map(Self::TakenBack),
            "annotated" => serde_json::from_slice(json).map(Self::Annotated),
            "draw_offered" => serde_json::from_slice(json).map(Self::DrawOffered),
            "draw_answered" => serde_json::from_slice(json).map(Self::DrawAnswered),
            "resigned" => serde_json::from_slice(json).map(Self::Resigned),
            "ended" => serde_json::from_slice(json).map(Self::Ended),
            "corrected" => serde_json::from_slice(json).map(Self::Corrected),
            "voided" => serde_json::from_slice(json).map(Self::Voided),
            "reopened" => serde_json::from_slice(json).map(Self::Reopened),
            "unvoided" => serde_json::from_slice(json).map(Self::Unvoided),
            "deadline_set" => game::whole_deadline(json).map(Self::DeadlineSet),
            "arranged" => game::some_arranged(json).map(Self::Arranged),
            "player_created" => serde_json::from_slice(json).map(Self::PlayerCreated),
            "player_edited" => player::some_edited(json).map(Self::PlayerEdited),
            "player_merged" => serde_json::from_slice(json).map(Self::PlayerMerged),
            "player_unmerged" => serde_json::from_slice(json).map(Self::PlayerUnmerged),
            "player_key_added" => serde_json::from_slice(json).map(Self::PlayerKeyAdded),
            "player_key_removed" => serde_json::from_slice(json).map(Self::PlayerKeyRemoved),
            "tournament_created" => serde_json::from_slice(json).map(Self::TournamentCreated),
            "tournament_edited" => serde_json::from_slice(json).map(Self::TournamentEdited),
            "entered" => serde_json::from_slice(json).map(Self::Entered),
            "entrant_edited" => serde_json::from_slice(json).map(Self::EntrantEdited),
            "entry_removed" => serde_json::from_slice(json).map(Self::EntryRemoved),
            "withdrawn" => serde_json::from_slice(json).map(Self::Withdrawn),
            "returned" => serde_json::from_slice(json).map(Self::Returned),
            "absence_announced" => serde_json::from_slice(json).map(Self::AbsenceAnnounced),
            "absence_cancelled" => serde_json::from_slice(json).map(Self::AbsenceCancelled),
            "paired" => serde_json::from_slice(json).map(Self::Paired),
            "pairing_changed" => serde_json::from_slice(json).map(Self::PairingChanged),
            "unpaired" => serde_json::from_slice(json).map(Self::Unpaired),
            "round_opened" => serde_json::from_slice(json).map(Self::RoundOpened),
            "round_unopened" => serde_json::from_slice(json).map(Self::RoundUnopened),
            "game_opened" => serde_json::from_slice(json).map(Self::GameOpened),
            "table_opened" => serde_json::from_slice(json).map(Self::TableOpened),
            "table_reseated" => serde_json::from_slice(json).map(Self::TableReseated),
            "result_recorded" => serde_json::from_slice(json).map(Self::ResultRecorded),
            "result_removed" => serde_json::from_slice(json).map(Self::ResultRemoved),
            "forfeited" => serde_json::from_slice(json).map(Self::Forfeited),
            "adjourned" => serde_json::from_slice(json).map(Self::Adjourned),
            "resumed" => serde_json::from_slice(json).map(Self::Resumed),
            "round_closed" => serde_json::from_slice(json).map(Self::RoundClosed),
            "round_reopened" => serde_json::from_slice(json).map(Self::RoundReopened),
            "tournament_finished" => serde_json::from_slice(json).map(Self::TournamentFinished),
            "tournament_reopened" => serde_json::from_slice(json).map(Self::TournamentReopened),
            "imported" => import::some_imported(json).map(Self::Imported),
            "history_accepted" => serde_json::from_slice(json).map(Self::HistoryAccepted),
            "key_rotated" => serde_json::from_slice(json).map(Self::KeyRotated),
            _ => return None,
        })
    }
}

//! Why an event does not fit a tournament's log.

use plybook_events::LogId;
use plybook_events::body::AuthorError;

/// The first event that does not fit. Everything before it was applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {seq}: {why}")]
pub struct FoldError {
    /// The seq of the event.
    pub seq: u64,
    /// Why it does not fit.
    pub why: Misfit,
}

/// Why an event does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A tournament must start with `tournament_created`, and must not contain it again.
    #[error("a tournament begins with `tournament_created`, and only there")]
    Created,
    /// The event belongs to the log of a game or a player.
    #[error("`{0}` is not an event of a tournament")]
    Foreign(&'static str),
    /// Somebody else is the author of such events.
    #[error(transparent)]
    Author(#[from] AuthorError),
    /// The tournament is over.
    #[error("the tournament is over")]
    Finished,
    /// The tournament is not over.
    #[error("the tournament is not over")]
    NotFinished,
    /// A setting is invalid.
    #[error("`{member}`: {why}")]
    Setting {
        /// The member of the settings.
        member: &'static str,
        /// What would be right.
        why: String,
    },
    /// The setting determines how rounds are paired, and one is paired already.
    #[error("`{0}` stays as it is once a round is paired")]
    Fixed(&'static str),
    /// Entrants are numbered in the order in which they enter.
    #[error("the next entrant is number {0}")]
    Number(usize),
    /// The player takes part already.
    #[error("the player {player} takes part already, as entrant {entrant}")]
    Twice {
        /// The player.
        player: LogId,
        /// The entrant's number.
        entrant: u16,
    },
    /// The tournament has as many entrants as it may have.
    #[error("a tournament has at most {0} entrants")]
    Full(usize),
    /// There is no such entrant.
    #[error("there is no entrant {0}")]
    NoEntrant(u16),
    /// The entrant was paired, so it must be withdrawn instead.
    #[error("entrant {0} was paired already: withdraw the entrant instead")]
    WasPaired(u16),
    /// A late entrant is given more points than rounds were missed.
    #[error("{missed} missed rounds give at most {limit} tenths of a point")]
    Points {
        /// How many rounds were missed.
        missed: u32,
        /// The most points, in tenths.
        limit: u32,
    },
    /// The entrant has withdrawn already.
    #[error("entrant {0} has withdrawn already")]
    Withdrawn(u16),
    /// The entrant has not withdrawn.
    #[error("entrant {0} has not withdrawn")]
    NotWithdrawn(u16),
    /// Nothing was announced for the entrant in this round.
    #[error("entrant {entrant} announced no absence from round {round}")]
    NoAbsence {
        /// The entrant.
        entrant: u16,
        /// The round.
        round: u32,
    },
    /// The bye that the pairing allocates cannot be asked for.
    #[error("a pairing's bye cannot be requested: request a half-point, full-point or zero-point one")]
    PairingBye,
    /// The round is paired already.
    #[error("round {0} is paired already")]
    AlreadyPaired(u32),
    /// Rounds are paired one after the other.
    #[error("the next round to be paired is round {0}")]
    NextRound(u32),
    /// There is no such round yet.
    #[error("round {0} is not paired")]
    NotPaired(u32),
    /// All planned rounds are paired.
    #[error("{0} rounds are planned, and there is none after them")]
    NoMoreRounds(u32),
    /// The round has been opened.
    #[error("round {0} was opened already")]
    AlreadyOpen(u32),
    /// The round is not open.
    #[error("round {0} is not open")]
    NotOpen(u32),
    /// A round before this one is not closed.
    #[error("round {0} is not closed")]
    NotClosed(u32),
    /// A later round was opened.
    #[error("round {0} was opened since")]
    GoneOn(u32),
    /// Something was played or entered in the round.
    #[error("table {table} of round {round} has a result")]
    HasResult {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// Some tables have no result.
    #[error("round {round}: no result yet at {}", tables_text(tables))]
    Missing {
        /// The round.
        round: u32,
        /// The tables.
        tables: Vec<u32>,
    },
    /// Different results were entered at some tables.
    #[error("round {round}: different results were entered at {}: say which one counts", tables_text(tables))]
    Disputed {
        /// The round.
        round: u32,
        /// The tables.
        tables: Vec<u32>,
    },
    /// There is no such table.
    #[error("round {round} has no table {table}")]
    NoTable {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// A table has too few or too many seats.
    #[error("table {table} has {seats} seats, but {allowed} are played with")]
    Seats {
        /// The table.
        table: u32,
        /// Its seats.
        seats: usize,
        /// How many it may have.
        allowed: String,
    },
    /// An entrant is named twice in a pairing.
    #[error("entrant {0} is named twice in the pairing")]
    NamedTwice(u16),
    /// The ranking does not name every seat of the table exactly once.
    #[error("the ranking has to name each of the seats 1 to {0} once")]
    Ranking(usize),
    /// Partners do not share a place.
    #[error("partners win, lose and share a place together: the teams are {0:?}")]
    Divided(Vec<Vec<u8>>),
    /// The seats that forfeit are not seats of the table.
    #[error("who forfeits is named by the seats 1 to {0}, ascending, each once")]
    ForfeitSeats(usize),
    /// The table has no result that could be removed.
    #[error("table {table} of round {round} has no result")]
    NoResult {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// The table has the result of a recorded game.
    #[error("table {0} has the result of a recorded game: correct the game instead")]
    Recorded(u32),
    /// The game is not one of the table's.
    #[error("the game {0} is not one of this table's")]
    NotItsGame(LogId),
    /// The game is one of the table's already.
    #[error("the game {0} is one of this table's already")]
    ItsGame(LogId),
    /// The table is not adjourned.
    #[error("the game at table {table} of round {round} is not adjourned")]
    NotAdjourned {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
    /// Only a list of games has tables that were not paired.
    #[error("tables are paired in this format: only a tournament that is a list of games takes any")]
    NotAList,
    /// An entrant plays once in a round.
    #[error("entrant {entrant} plays in round {round} already: the game belongs to another round")]
    SitsAlready {
        /// The entrant.
        entrant: u16,
        /// The round.
        round: u32,
    },
    /// The table exists already.
    #[error("table {table} of round {round} is taken")]
    Taken {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
    },
}

/// `table 3`, or `tables 3, 5 and 12 more`.
fn tables_text(tables: &[u32]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = tables.iter().take(SHOWN).map(ToString::to_string).collect();
    let word = if tables.len() == 1 { "table" } else { "tables" };
    let more = tables.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{word} {}{more}", shown.join(", "))
}

//! Changes to players, and previews of lists of players.

use async_graphql::{Enum, InputObject, MaybeUndefined, Object, SimpleObject};
use plybook_service::{Change, Details, Roster, RosterAction, RosterLine};

use super::player::Player;

/// A player to register.
#[derive(InputObject)]
pub struct CreatePlayer {
    /// 1 to 100 characters.
    pub name: String,
    /// The club.
    pub club: Option<String>,
    /// The country, as the two letters of ISO 3166-1, e.g. `SE`.
    pub country: Option<String>,
    /// Up to 8 links about the player, each beginning with `https://`.
    pub links: Option<Vec<String>>,
    /// The year of birth. Only arbiters see it, and it can be erased.
    pub year_of_birth: Option<u16>,
}

/// Changes to a player. Missing members change nothing; null removes a value.
#[derive(InputObject)]
pub struct EditPlayer {
    /// 1 to 100 characters; it cannot be removed.
    pub name: MaybeUndefined<String>,
    /// The club.
    pub club: MaybeUndefined<String>,
    /// The country, as the two letters of ISO 3166-1, e.g. `SE`.
    pub country: MaybeUndefined<String>,
    /// All links about the player from now on, up to 8, each beginning with `https://`.
    pub links: MaybeUndefined<Vec<String>>,
    /// The year of birth. Only arbiters see it; null erases it.
    pub year_of_birth: MaybeUndefined<u16>,
}

fn change<T>(value: MaybeUndefined<T>) -> Change<T> {
    match value {
        MaybeUndefined::Undefined => Change::Keep,
        MaybeUndefined::Null => Change::Clear,
        MaybeUndefined::Value(value) => Change::To(value),
    }
}

impl From<CreatePlayer> for Details {
    fn from(input: CreatePlayer) -> Self {
        let some = |value: Option<String>| value.map_or(Change::Keep, Change::To);
        Self {
            name: Change::To(input.name),
            club: some(input.club),
            country: some(input.country),
            links: input.links,
            year_of_birth: input.year_of_birth.map_or(Change::Keep, Change::To),
        }
    }
}

impl From<EditPlayer> for Details {
    fn from(input: EditPlayer) -> Self {
        let links = match input.links {
            MaybeUndefined::Undefined => None,
            MaybeUndefined::Null => Some(Vec::new()),
            MaybeUndefined::Value(links) => Some(links),
        };
        Self {
            name: change(input.name),
            club: change(input.club),
            country: change(input.country),
            links,
            year_of_birth: change(input.year_of_birth),
        }
    }
}

/// What a line of a list of players does.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum PlayerImportAction {
    /// It registers a player.
    Create,
    /// It changes a player.
    Edit,
    /// It changes nothing: everything is known already.
    Same,
    /// It is wrong, and nothing of the list can be imported.
    Error,
}

/// What a list of players does, line by line.
pub struct PlayerImport(pub Roster);

/// What a list of players does, line by line.
#[Object]
impl PlayerImport {
    /// The lines of the list, without its header and empty lines.
    #[graphql(complexity = "LINES_LISTED * child_complexity.max(1)")]
    async fn lines(&self) -> Vec<PlayerImportLine> {
        self.0.lines.iter().map(PlayerImportLine::from).collect()
    }

    /// How many lines register a player.
    async fn creates(&self) -> usize {
        self.count(PlayerImportAction::Create)
    }

    /// How many lines change a player.
    async fn edits(&self) -> usize {
        self.count(PlayerImportAction::Edit)
    }

    /// How many lines change nothing.
    async fn same(&self) -> usize {
        self.count(PlayerImportAction::Same)
    }

    /// How many lines are wrong. As long as there is one, the list cannot be imported.
    async fn errors(&self) -> usize {
        self.count(PlayerImportAction::Error)
    }
}

/// The number of lines that the price assumes: a list has a few hundred, and a line costs next to nothing.
const LINES_LISTED: usize = 200;

impl PlayerImport {
    fn count(&self, action: PlayerImportAction) -> usize {
        self.0.lines.iter().filter(|line| action_of(line) == action).count()
    }
}

/// What a line of a list of players does.
#[derive(SimpleObject)]
pub struct PlayerImportLine {
    /// The number of the line in the file, where the header is line 1.
    pub number: u64,
    /// What it does.
    pub action: PlayerImportAction,
    /// The name in it; empty if it has none.
    pub name: String,
    /// The player that it refers to, if registered; after an import, in the new state.
    pub player: Option<Player>,
    /// The fields of the player that it changes, e.g. `club`.
    pub changes: Vec<&'static str>,
    /// What is wrong with it, and what would be right.
    pub problem: Option<String>,
}

fn action_of(line: &RosterLine) -> PlayerImportAction {
    match &line.action {
        RosterAction::Create(_) => PlayerImportAction::Create,
        RosterAction::Edit { .. } => PlayerImportAction::Edit,
        RosterAction::Same => PlayerImportAction::Same,
        RosterAction::Error(_) => PlayerImportAction::Error,
    }
}

impl From<&RosterLine> for PlayerImportLine {
    fn from(line: &RosterLine) -> Self {
        let (changes, problem) = match &line.action {
            RosterAction::Edit { changed, .. } => (changed.clone(), None),
            RosterAction::Error(why) => (Vec::new(), Some(why.clone())),
            RosterAction::Create(_) | RosterAction::Same => (Vec::new(), None),
        };
        let player = line.player.clone().map(Player);
        Self { number: line.number, action: action_of(line), name: line.name.clone(), player, changes, problem }
    }
}

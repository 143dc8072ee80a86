//! The rated games of one kind in their order, and the ratings that follow from them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use indexmap::IndexMap;
use plybook_events::LogId;
use plybook_rules::kind;
use serde::{Deserialize, Serialize};

use super::game::{Form, Key, RatedGame, RatedSeat};
use super::skill::{Method, Skill};

/// The rated games of a kind and the ratings of its players.
#[derive(Serialize, Deserialize)]
pub(super) struct Timeline {
    method: Method,
    /// In their order.
    games: Vec<TimelineGame>,
    /// The seats of all games, one game after another.
    seats: Vec<TimelineSeat>,
    /// The index of each game in `games`, by its id.
    #[serde(skip)]
    indexes: HashMap<LogId, u32>,
    /// The indexes of the games of each player, ascending. Players without rated games keep their place.
    players: IndexMap<LogId, Vec<u32>>,
}

/// A rated game.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct TimelineGame {
    key: Key,
    /// Where its seats end, and those of the next game begin.
    seats_end: u32,
    /// The mean rating of its players before it, if anybody had one.
    average: Option<f32>,
}

/// A registered player in a rated game, and the skill after it, rounded to 24 binary digits: a tenth of a thousandth of a point.
/// What comes later is rated from the rounded numbers, so that it does not depend on what is in memory.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct TimelineSeat {
    /// The index of the player.
    player: u32,
    /// See [`RatedSeat`].
    place: u8,
    value: f32,
    deviation: f32,
    volatility: f32,
}

/// The mean rating of a game's players before it; `None` if nobody had one, or the game is not rated.
pub(super) type Average = (LogId, Option<f32>);

impl Timeline {
    /// No games of a kind yet, which decides how they are rated.
    pub fn of_kind(name: &str) -> Self {
        Self::new(Method::for_seats(kind(name).map_or(2, |rules| rules.about().seats_max)))
    }

    pub fn new(method: Method) -> Self {
        let (games, seats) = (Vec::new(), Vec::new());
        Self { method, games, seats, indexes: HashMap::new(), players: IndexMap::new() }
    }

    /// A timeline that was saved, whose games are found again.
    pub fn indexed(mut self) -> Self {
        self.indexes = self.games.iter().map(|game| game.key.1).zip(0..).collect();
        self
    }

    /// The index of a game; `None` if it is not rated.
    fn index(&self, game: LogId) -> Option<usize> {
        self.indexes.get(&game).map(|index| *index as usize)
    }

    /// Replaces the rated form of some games (`None`: not rated). Everything from the first of them on is
    /// rated again, and nothing before it. Returns the games whose average may have changed.
    pub fn update(&mut self, changes: impl IntoIterator<Item = (LogId, Option<RatedGame>)>) -> Vec<Average> {
        let is_new = |(id, game): &(LogId, Option<RatedGame>)| match (self.index(*id), game) {
            (None, None) => false,
            (Some(index), Some(game)) => *game != self.game(index),
            _ => true,
        };
        // If one game is changed several times, the last change wins.
        let changes: BTreeMap<LogId, Option<RatedGame>> = changes.into_iter().collect();
        let changes: BTreeMap<LogId, Option<RatedGame>> = changes.into_iter().filter(is_new).collect();
        let old = changes.keys().filter_map(|id| Some(self.games[self.index(*id)?].key));
        let new = changes.values().flatten().map(|game| game.key);
        let Some(from) = old.chain(new).min() else { return Vec::new() };
        let mut averages: Vec<Average> =
            changes.keys().filter(|id| self.index(**id).is_some()).map(|id| (*id, None)).collect();
        let mut later = self.take_from(from);
        later.retain(|game| !changes.contains_key(&game.key.1));
        later.extend(changes.into_values().flatten());
        later.sort_unstable_by_key(|game| game.key);
        averages.extend(later.iter().map(|game| self.rate(game)));
        averages
    }

    /// Takes out all games from a place on, and resets every player to what was known before.
    fn take_from(&mut self, from: Key) -> Vec<RatedGame> {
        let first = self.games.partition_point(|game| game.key < from);
        let taken: Vec<RatedGame> = (first..self.games.len()).map(|index| self.game(index)).collect();
        for game in &taken {
            self.indexes.remove(&game.key.1);
        }
        let seats = self.begin(first);
        for seat in &self.seats[seats..] {
            self.players[seat.player as usize].pop_if(|index| *index as usize >= first);
        }
        self.seats.truncate(seats);
        self.games.truncate(first);
        taken
    }

    /// Rates a game after all others.
    fn rate(&mut self, game: &RatedGame) -> Average {
        let (at_ms, id) = game.key;
        let index = self.games.len() as u32;
        let players: Vec<u32> = game.seats.iter().map(|seat| self.number(seat.player)).collect();
        let forms: Vec<Form> = players.iter().map(|player| self.last_form(*player).unwrap_or_default()).collect();
        let before: Vec<(Skill, u8)> =
            forms.iter().zip(&game.seats).map(|(form, seat)| (at(self.method, *form, at_ms), seat.place)).collect();
        for ((player, after), seat) in players.into_iter().zip(self.method.rate(&before)).zip(&game.seats) {
            self.players[player as usize].push(index);
            let [value, deviation, volatility] = [after.value, after.deviation, after.volatility].map(|n| n as f32);
            self.seats.push(TimelineSeat { player, place: seat.place, value, deviation, volatility });
        }
        let average = average(&forms);
        let seats_end = self.seats.len() as u32;
        self.games.push(TimelineGame { key: game.key, seats_end, average });
        self.indexes.insert(id, index);
        (id, average)
    }

    /// The index of a player, who is added if it is new.
    fn number(&mut self, player: LogId) -> u32 {
        let entry = self.players.entry(player);
        let index = entry.index();
        entry.or_default();
        index as u32
    }

    /// The index of the first seat of a game.
    fn begin(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.games[before].seats_end as usize)
    }

    fn seats_of(&self, index: usize) -> Range<usize> {
        self.begin(index)..self.games[index].seats_end as usize
    }

    /// A game as it is rated.
    fn game(&self, index: usize) -> RatedGame {
        let player =
            |seat: &TimelineSeat| *self.players.get_index(seat.player as usize).expect("a seat has a player").0;
        let seat = |seat: &TimelineSeat| RatedSeat { player: player(seat), place: seat.place };
        RatedGame { key: self.games[index].key, seats: self.seats[self.seats_of(index)].iter().map(seat).collect() }
    }

    /// The mean rating of a game's players before it; see [`Average`].
    pub fn average(&self, game: LogId) -> Option<f32> {
        self.games[self.index(game)?].average
    }

    /// What is known about a player; `None` without rated games.
    pub fn form(&self, player: LogId) -> Option<Form> {
        self.last_form(self.players.get_index_of(&player)? as u32)
    }

    fn last_form(&self, player: u32) -> Option<Form> {
        self.form_after(player, self.players[player as usize].len())
    }

    /// What is known about a player after some of their games; `None` after none.
    fn form_after(&self, player: u32, games: usize) -> Option<Form> {
        let (key, skill) = self.point(player, self.players[player as usize][games.checked_sub(1)?]);
        Some(Form { skill, games: games as u32, last_ms: key.0 })
    }

    /// A game of a player, and the skill after it.
    fn point(&self, player: u32, index: u32) -> (Key, Skill) {
        let mut seats = self.seats[self.seats_of(index as usize)].iter();
        let seat = seats.find(|seat| seat.player == player).expect("a player has a seat in each of their games");
        let [value, deviation, volatility] = [seat.value, seat.deviation, seat.volatility].map(f64::from);
        (self.games[index as usize].key, Skill { value, deviation, volatility })
    }

    /// What was known about a player before a place in the order, with the deviation at that moment; `None`
    /// without earlier rated games.
    pub fn form_before(&self, player: LogId, place: Key) -> Option<Form> {
        let (player, _, history) = self.players.get_full(&player)?;
        let games = history.partition_point(|index| self.games[*index as usize].key < place);
        let form = self.form_after(player as u32, games)?;
        Some(Form { skill: at(self.method, form, place.0), ..form })
    }

    /// The newest rated games of a player, at most this many, oldest first, with the skill after each.
    pub fn history(&self, player: LogId, last: usize) -> Vec<(Key, Skill)> {
        let Some((player, _, history)) = self.players.get_full(&player) else { return Vec::new() };
        let newest = &history[history.len().saturating_sub(last)..];
        newest.iter().map(|index| self.point(player as u32, *index)).collect()
    }

    /// All players with rated games, in no order.
    pub fn players(&self) -> impl Iterator<Item = (LogId, Form)> {
        (0..).zip(self.players.keys()).filter_map(|(number, player)| Some((*player, self.last_form(number)?)))
    }

    /// What each of these players can expect from a game at a time, in milliseconds since 1970.
    pub fn expected(&self, players: &[LogId], now_ms: i64) -> Vec<f64> {
        let form = |id: &LogId| self.form(*id).unwrap_or_default();
        let skills: Vec<Skill> = players.iter().map(|id| at(self.method, form(id), now_ms)).collect();
        self.method.expected(&skills)
    }
}

/// The mean rating of the players who had one before a game.
fn average(forms: &[Form]) -> Option<f32> {
    let rated = forms.iter().filter(|form| form.games > 0).map(|form| form.skill.value);
    let (sum, count) = rated.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| (sum / f64::from(count)) as f32)
}

/// The skill of a player at a time.
fn at(method: Method, form: Form, ms: i64) -> Skill {
    if form.games == 0 { form.skill } else { method.grown(form.skill, ms - form.last_ms) }
}

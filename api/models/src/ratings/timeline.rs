//! The rated games of one kind in their order, and the ratings that follow from them.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use hashbrown::HashTable;
use plybook_events::LogId;
use plybook_rules::kind;

use super::game::{Form, Key, RatedGame, RatedSeat};
use super::seats::{Seats, TimelineSeat};
use super::skill::{Method, Skill};

/// The rated games of a kind and the ratings of its players: 32 bytes for a game and 17 or 21 for a seat, besides the index of
/// games.
pub(super) struct Timeline {
    method: Method,
    /// In their order.
    games: Vec<TimelineGame>,
    /// The seats of all games, one game after another.
    seats: Seats,
    /// The index of each game in `games`, found by its id, which is there.
    indexes: HashTable<u32>,
    hasher: RandomState,
    /// By number; those without rated games keep theirs.
    players: Vec<RatedPlayer>,
    numbers: HashMap<LogId, u32>,
}

/// A rated game.
#[derive(Clone, Copy)]
pub(super) struct TimelineGame {
    pub key: Key,
    /// Where its seats end, and those of the next game begin.
    pub seats_end: u32,
    /// The mean rating of its players before it; NaN if nobody had one.
    pub average: f32,
}

/// A player with rated games.
struct RatedPlayer {
    id: LogId,
    /// The indexes of the player's games, ascending.
    history: Vec<u32>,
}

/// The mean rating of a game's players before it; `None` if nobody had one, or the game is not rated.
pub(super) type Average = (LogId, Option<f32>);

impl Timeline {
    /// No games of a kind yet, which decides how they are rated.
    pub fn of_kind(name: &str) -> Self {
        Self::new(Method::for_seats(kind(name).map_or(2, |rules| rules.about().seats_max)))
    }

    pub fn new(method: Method) -> Self {
        let (games, seats, players) = (Vec::new(), Seats::default(), Vec::new());
        let (indexes, hasher) = (HashTable::new(), RandomState::new());
        Self { method, games, seats, indexes, hasher, players, numbers: HashMap::new() }
    }

    /// Goes on with these players, games and seats, which belong together; `None` if they do not.
    pub fn with(self, players: Vec<LogId>, games: Vec<TimelineGame>, seats: Seats) -> Option<Self> {
        let numbers = players.iter().copied().zip(0..).collect();
        let mut lens = vec![0; players.len()];
        for player in seats.players(0..seats.len()) {
            *lens.get_mut(*player as usize)? += 1;
        }
        let player = |(id, len)| RatedPlayer { id, history: Vec::with_capacity(len) };
        let mut players: Vec<RatedPlayer> = players.into_iter().zip(lens).map(player).collect();
        let mut begin = 0;
        for (index, game) in (0..).zip(&games) {
            let end = game.seats_end as usize;
            if end < begin || end > seats.len() {
                return None;
            }
            for player in seats.players(begin..end) {
                players[*player as usize].history.push(index);
            }
            begin = end;
        }
        if begin != seats.len() {
            return None;
        }
        let len = games.len();
        let mut timeline = Self { games, seats, players, numbers, ..self };
        timeline.indexes.reserve(len, |_| unreachable!("there are none yet"));
        (0..len as u32).for_each(|index| timeline.note(index));
        Some(timeline)
    }

    /// The index of a game; `None` if it is not rated.
    fn index(&self, game: LogId) -> Option<usize> {
        let index = self.indexes.find(self.hasher.hash_one(game), |index| self.games[*index as usize].key.1 == game);
        index.map(|index| *index as usize)
    }

    /// Has a game be found by its id.
    fn note(&mut self, index: u32) {
        let Self { games, indexes, hasher, .. } = self;
        let hash = |index: &u32| hasher.hash_one(games[*index as usize].key.1);
        indexes.insert_unique(hash(&index), index, hash);
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
        for (index, game) in (first..).zip(&taken) {
            let found = self.indexes.find_entry(self.hasher.hash_one(game.key.1), |at| *at as usize == index);
            found.expect("each game is found by its id").remove();
        }
        let seats = self.begin(first);
        for player in self.seats.players(seats..self.seats.len()) {
            self.players[*player as usize].history.pop_if(|index| *index as usize >= first);
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
            self.players[player as usize].history.push(index);
            self.seats.push(TimelineSeat { player, place: seat.place, after });
        }
        let average = average(&forms);
        let seats_end = self.seats.len() as u32;
        self.games.push(TimelineGame { key: game.key, seats_end, average: average.unwrap_or(f32::NAN) });
        self.note(index);
        (id, average)
    }

    /// The number of a player, who is added if it is new.
    fn number(&mut self, player: LogId) -> u32 {
        *self.numbers.entry(player).or_insert_with(|| {
            self.players.push(RatedPlayer { id: player, history: Vec::new() });
            self.players.len() as u32 - 1
        })
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
        let seat = |seat: TimelineSeat| RatedSeat { player: self.players[seat.player as usize].id, place: seat.place };
        let seats = self.seats_of(index).map(|index| seat(self.seats.get(index)));
        RatedGame { key: self.games[index].key, seats: seats.collect() }
    }

    /// The ids of all players, by number.
    pub fn player_ids(&self) -> impl ExactSizeIterator<Item = LogId> {
        self.players.iter().map(|player| player.id)
    }

    /// The rated games, in their order.
    pub fn games(&self) -> &[TimelineGame] {
        &self.games
    }

    /// The seats of all games, one game after another.
    pub fn seats(&self) -> &Seats {
        &self.seats
    }

    /// The mean rating of a game's players before it; see [`Average`].
    pub fn average(&self, game: LogId) -> Option<f32> {
        Some(self.games[self.index(game)?].average).filter(|average| !average.is_nan())
    }

    /// What is known about a player; `None` without rated games.
    pub fn form(&self, player: LogId) -> Option<Form> {
        self.last_form(*self.numbers.get(&player)?)
    }

    fn last_form(&self, player: u32) -> Option<Form> {
        self.form_after(player, self.players[player as usize].history.len())
    }

    /// What is known about a player after some of their games; `None` after none.
    fn form_after(&self, player: u32, games: usize) -> Option<Form> {
        let (key, skill) = self.point(player, self.players[player as usize].history[games.checked_sub(1)?]);
        Some(Form { skill, games: games as u32, last_ms: key.0 })
    }

    /// A game of a player, and the skill after it.
    fn point(&self, player: u32, index: u32) -> (Key, Skill) {
        let seats = self.seats_of(index as usize);
        let seat = self.seats.players(seats.clone()).iter().position(|of| *of == player);
        let seat = seats.start + seat.expect("a player has a seat in each of their games");
        (self.games[index as usize].key, self.seats.get(seat).after)
    }

    /// What was known about a player before a place in the order, with the deviation at that moment; `None`
    /// without earlier rated games.
    pub fn form_before(&self, player: LogId, place: Key) -> Option<Form> {
        let player = *self.numbers.get(&player)?;
        let history = &self.players[player as usize].history;
        let games = history.partition_point(|index| self.games[*index as usize].key < place);
        let form = self.form_after(player, games)?;
        Some(Form { skill: at(self.method, form, place.0), ..form })
    }

    /// The newest rated games of a player, at most this many, oldest first, with the skill after each.
    pub fn history(&self, player: LogId, last: usize) -> Vec<(Key, Skill)> {
        let Some(player) = self.numbers.get(&player).copied() else { return Vec::new() };
        let history = &self.players[player as usize].history;
        let newest = &history[history.len().saturating_sub(last)..];
        newest.iter().map(|index| self.point(player, *index)).collect()
    }

    /// All players with rated games, in no order.
    pub fn players(&self) -> impl Iterator<Item = (LogId, Form)> {
        (0..).zip(&self.players).filter_map(|(number, player)| Some((player.id, self.last_form(number)?)))
    }

    /// What each of these players can expect from a game at a time, in milliseconds since 1970.
    pub fn expected(&self, players: &[LogId], now_ms: i64) -> Vec<f64> {
        let form = |id: &LogId| self.form(*id).unwrap_or_default();
        let skills: Vec<Skill> = players.iter().map(|id| at(self.method, form(id), now_ms)).collect();
        self.method.expected(&skills)
    }
}

const _: () = assert!(size_of::<TimelineGame>() == 32, "a million are in memory");

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

//! The rated games of one kind in their order, and the ratings that follow from them.

use std::collections::{BTreeMap, HashMap, HashSet};

use plybook_events::LogId;
use plybook_rules::kind;

use super::game::{Form, Key, RatedGame, RatedSeat};
use super::skill::{Method, Skill};

/// The rated games of a kind and the ratings of its players.
pub(super) struct Timeline {
    method: Method,
    games: BTreeMap<Key, Box<[RatedSeat]>>,
    /// The places of the rated games.
    keys: HashMap<LogId, Key>,
    players: HashMap<LogId, RatedPlayer>,
}

/// A player with rated games.
#[derive(Default)]
struct RatedPlayer {
    form: Form,
    /// The player's rated games, in their order.
    history: Vec<Key>,
}

/// The mean rating of a game's players before it; `None` if nobody had one, or the game is not rated.
pub(super) type Average = (LogId, Option<f32>);

impl Timeline {
    /// No games of a kind yet, which decides how they are rated.
    pub fn of_kind(name: &str) -> Self {
        Self::new(Method::for_seats(kind(name).map_or(2, |rules| rules.about().seats_max)))
    }

    pub fn new(method: Method) -> Self {
        let (games, keys, players) = (BTreeMap::new(), HashMap::new(), HashMap::new());
        Self { method, games, keys, players }
    }

    /// Replaces the rated form of some games (`None`: not rated). Everything from the first of them on is
    /// rated again, and nothing before it. Returns the games whose average may have changed.
    pub fn update(&mut self, changes: impl IntoIterator<Item = (LogId, Option<RatedGame>)>) -> Vec<Average> {
        let is_new = |(id, game): &(LogId, Option<RatedGame>)| match (self.keys.get(id), game) {
            (None, None) => false,
            (Some(key), Some(game)) => !game.is_like(*key, &self.games[key]),
            _ => true,
        };
        // If one game is changed several times, the last change wins.
        let changes: BTreeMap<LogId, Option<RatedGame>> = changes.into_iter().collect();
        let changes: Vec<_> = changes.into_iter().filter(is_new).collect();
        let old = changes.iter().filter_map(|(id, _)| self.keys.get(id).copied());
        let new = changes.iter().filter_map(|(_, game)| game.as_ref().map(|game| game.key));
        let Some(from) = old.chain(new).min() else { return Vec::new() };
        self.rewind(from);
        let mut averages = Vec::new();
        for (id, game) in changes {
            if let Some(key) = self.keys.remove(&id) {
                self.games.remove(&key);
                averages.push((id, None));
            }
            if let Some(game) = game {
                self.keys.insert(id, game.key);
                self.games.insert(game.key, game.seats);
            }
        }
        self.replay(from, &mut averages);
        averages
    }

    /// Resets every player to what was known before a place in the order.
    fn rewind(&mut self, from: Key) {
        let mut done: HashSet<LogId> = HashSet::new();
        for seat in self.games.range(from..).flat_map(|(_, seats)| seats) {
            if !done.insert(seat.player) {
                continue;
            }
            if seat.before.games == 0 {
                self.players.remove(&seat.player);
            } else if let Some(player) = self.players.get_mut(&seat.player) {
                player.form = seat.before;
                player.history.truncate(seat.before.games as usize);
            }
        }
    }

    /// Rates all games from a place on.
    fn replay(&mut self, from: Key, averages: &mut Vec<Average>) {
        for (key, seats) in self.games.range_mut(from..) {
            let mut before = Vec::with_capacity(seats.len());
            for seat in seats.iter_mut() {
                seat.before = self.players.get(&seat.player).map_or_else(Form::default, |player| player.form);
                before.push((at(self.method, seat.before, key.0), seat.place));
            }
            averages.push((key.1, average(seats)));
            for (seat, after) in seats.iter_mut().zip(self.method.rate(&before)) {
                seat.after = after;
                let player = self.players.entry(seat.player).or_default();
                player.form = Form { skill: after, games: seat.before.games + 1, last_ms: key.0 };
                player.history.push(*key);
            }
        }
    }

    /// The number of rated games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// The rated games, in their order.
    pub fn games(&self) -> impl Iterator<Item = (Key, &[RatedSeat])> {
        self.games.iter().map(|(key, seats)| (*key, &**seats))
    }

    /// Adds a game after all others, with the skills after it.
    pub fn push(&mut self, key: Key, mut seats: Box<[RatedSeat]>) {
        for seat in &mut seats {
            let player = self.players.entry(seat.player).or_default();
            seat.before = player.form;
            player.form = Form { skill: seat.after, games: seat.before.games + 1, last_ms: key.0 };
            player.history.push(key);
        }
        self.keys.insert(key.1, key);
        self.games.insert(key, seats);
    }

    /// The mean rating of a game's players before it; see [`Average`].
    pub fn average(&self, game: LogId) -> Option<f32> {
        average(self.games.get(self.keys.get(&game)?)?)
    }

    /// What is known about a player; `None` without rated games.
    pub fn form(&self, player: LogId) -> Option<Form> {
        self.players.get(&player).map(|player| player.form)
    }

    /// What was known about a player before a place in the order, with the deviation at that moment; `None`
    /// without earlier rated games.
    pub fn form_before(&self, player: LogId, place: Key) -> Option<Form> {
        let history = &self.players.get(&player)?.history;
        let games = history.partition_point(|key| *key < place);
        let (key, seat) = self.seat(player, *history.get(games.checked_sub(1)?)?)?;
        let form = Form { skill: seat.after, games: games as u32, last_ms: key.0 };
        Some(Form { skill: at(self.method, form, place.0), ..form })
    }

    fn seat(&self, player: LogId, key: Key) -> Option<(Key, &RatedSeat)> {
        let seat = self.games.get(&key)?.iter().find(|seat| seat.player == player)?;
        Some((key, seat))
    }

    /// The newest rated games of a player, at most this many, oldest first, with the skill after each.
    pub fn history(&self, player: LogId, last: usize) -> Vec<(Key, Skill)> {
        let Some(rated) = self.players.get(&player) else { return Vec::new() };
        let newest = &rated.history[rated.history.len().saturating_sub(last)..];
        newest.iter().filter_map(|key| self.seat(player, *key)).map(|(key, seat)| (key, seat.after)).collect()
    }

    /// All players with rated games, in no order.
    pub fn players(&self) -> impl Iterator<Item = (LogId, Form)> {
        self.players.iter().map(|(id, player)| (*id, player.form))
    }

    /// What each of these players can expect from a game at a time, in milliseconds since 1970.
    pub fn expected(&self, players: &[LogId], now_ms: i64) -> Vec<f64> {
        let form = |id: &LogId| self.form(*id).unwrap_or_default();
        let skills: Vec<Skill> = players.iter().map(|id| at(self.method, form(id), now_ms)).collect();
        self.method.expected(&skills)
    }
}

/// The mean rating of the players who had one before a game.
fn average(seats: &[RatedSeat]) -> Option<f32> {
    let rated = seats.iter().filter(|seat| seat.before.games > 0).map(|seat| seat.before.skill.value);
    let (sum, count) = rated.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| (sum / f64::from(count)) as f32)
}

/// The skill of a player at a time.
fn at(method: Method, form: Form, ms: i64) -> Skill {
    if form.games == 0 { form.skill } else { method.grown(form.skill, ms - form.last_ms) }
}

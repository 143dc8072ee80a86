//! Sensibly played games of every kind, a tournament that is over and one that is being played, so that newcomers have
//! something real to look at.

mod tournaments;

use plybook_events::body::Annotated;
use plybook_events::fair::Dice;
use plybook_events::{Actor, By, Hash, LogId};
use plybook_rules::log::Command;
use plybook_rules::log::{Replay, Status};
use plybook_rules::{Rules, kinds};
use plybook_service::error::Problem;
use plybook_service::{Details, Live, NewGame, NewLine, NewSeat, Service};
use serde_json::json;

/// The names of the players.
const NAMES: [&str; 13] = [
    "Ada Brandt",
    "Bela Okafor",
    "Chiara Lindqvist",
    "Deniz Moreau",
    "Eun-ji Park",
    "Farid Castellanos",
    "Greta Novak",
    "Hugo Tanaka",
    "Ines Ferreira",
    "Jonas Weber",
    "Kavya Raman",
    "Leila Haddad",
    "Mateo Silva",
];

/// The number of rounds, in each of which every kind is played once.
const ROUNDS: u32 = 4;

/// After this many actions, a game is drawn by agreement.
const ACTIONS_MAX: usize = 400;

/// How many actions the games that are left running have.
const ACTIONS_RUNNING: usize = 12;

/// How many actions each line has.
const ACTIONS_LINE: usize = 5;

/// The lines of an analysed game: the ply at which each leaves it (near the end if `None`), its name, and the
/// comment on its first action. The second one forks from the first.
const LINES: [(Option<usize>, &str, &str); 3] = [
    (Some(5), "The other way", "Nobody looked at this on the day, and it is at least as good."),
    (Some(7), "Or later", "The same idea two plies on."),
    (None, "The last chance", "Whether this would have held is still argued about."),
];

/// How long ago the tournament started, in milliseconds: two days.
const BEGAN_MS: i64 = 2 * 86_400_000;

/// The time between the starts of two games, in milliseconds: forty minutes.
const BETWEEN_GAMES_MS: i64 = 40 * 60_000;

/// A tournament being generated. Its clock advances as if people were playing.
struct Tournament<'a> {
    service: &'a Service,
    players: Vec<LogId>,
    /// How far the service's clock lags behind the system's.
    behind_ms: i64,
}

/// Fills an empty store. `progress` receives the number of games created so far and in total.
///
/// # Errors
/// Nothing can be written.
pub fn fill(service: &Service, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Problem> {
    let mut tournament = Tournament { service, players: Vec::new(), behind_ms: 0 };
    tournament.pass(-BEGAN_MS);
    let filled = tournament.play_all(progress);
    service.clock().set_behind_ms(0);
    filled
}

impl Tournament<'_> {
    /// Advances the clock.
    fn pass(&mut self, millis: i64) {
        self.behind_ms -= millis;
        self.service.clock().set_behind_ms(self.behind_ms);
    }

    fn play_all(&mut self, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Problem> {
        for name in NAMES {
            self.players.push(self.service.create_player(Details::named(name))?.id);
        }
        let total = kinds().len() * ROUNDS as usize;
        let mut done = 0;
        for round in 1..=ROUNDS {
            for rules in kinds() {
                let began = self.behind_ms;
                self.play(*rules, round)?;
                self.pass(self.behind_ms - (began - BETWEEN_GAMES_MS));
                done += 1;
                progress(done, total);
            }
        }
        self.play_tournaments()
    }

    /// Plays one game of a round. The games of the last round are left running.
    fn play(&mut self, rules: &dyn Rules, round: u32) -> Result<(), Problem> {
        let about = rules.about();
        let seats = usize::from(seats(rules)?);
        let first = round as usize * 2;
        let player = |n: usize| self.players[(first + n) % self.players.len()];
        let tags = json!({ "event": "Plybook Open", "venue": "Hall B" });
        let new = NewGame {
            kind: about.kind.to_owned(),
            seats: (0..seats).map(|n| NewSeat { player: Some(player(n)), name: None }).collect(),
            round: Some(round),
            table: Some(1),
            tags: tags.as_object().cloned().unwrap_or_default(),
            ..NewGame::default()
        };
        let live = self.service.create_game(&new)?;
        let seed = Hash::of_parts(&[b"plybook demo", about.kind.as_bytes(), &round.to_be_bytes()]);
        let mut dice = Dice::new(&seed, LogId::from_bytes([0; 16]), 0);
        let limit = if round == ROUNDS { ACTIONS_RUNNING } else { ACTIONS_MAX };
        while live.replay().status() == Status::Running && live.replay().mainline().len() < limit {
            self.pass(2_000 + i64::from(dice.below(10_000)));
            self.act(&live, &mut dice)?;
        }
        self.finish(&live, round)
    }

    /// Plays the next action: seats play sensibly, and the service rolls the dice.
    fn act(&self, live: &Live, dice: &mut Dice) -> Result<(), Problem> {
        let replay = live.replay();
        let Some(actor) = replay.position().to_act().iter().next() else { return Ok(()) };
        if actor == Actor::Chance {
            return self.service.roll(live, None);
        }
        let action = replay.position().choose(actor, &mut |n| dice.below(n));
        self.service.command(live, &[Command::Act { actor, action, clock_ms: None }], None)
    }

    /// Adds what tournament games contain besides actions: a comment, a takeback, an agreed draw.
    fn finish(&mut self, live: &Live, round: u32) -> Result<(), Problem> {
        let replay = live.replay();
        let plies = replay.mainline().len() as u32;
        let seats = replay.position().seats();
        let is_running = replay.status() == Status::Running;
        let mut commands = Vec::new();
        if round == 1 && plies > 8 {
            let comment = Some("Both seats took their time here.".to_owned());
            let annotated = Annotated { ply: 7, comment, glyphs: vec!["!?".to_owned()] };
            commands.push(Command::Annotate { by: By::Arbiter, annotated });
        }
        if round == ROUNDS && is_running && seats == 2 && replay.is_open() {
            let reason = "touched the wrong piece".to_owned();
            commands.push(Command::TakeBack { to_ply: plies - 1, reason });
        }
        if round < ROUNDS && is_running {
            commands.push(Command::OfferDraw(1));
            commands.extend((2..=seats).map(|seat| Command::AnswerDraw { seat, accept: true }));
        }
        if !commands.is_empty() {
            self.pass(20_000);
            self.service.command(live, &commands, None)?;
        }
        if round == 1 && plies > 8 { self.analyse(live) } else { Ok(()) }
    }

    /// Analyses a finished game: one line, a line below it, and one from near the end.
    fn analyse(&mut self, live: &Live) -> Result<(), Problem> {
        let replay = live.replay();
        let plies = replay.mainline().len();
        let owner = replay.created().seats.first().and_then(|seat| seat.player);
        let mut parent = replay.log();
        for (index, (ply, name, comment)) in LINES.iter().enumerate() {
            let game = if index == 1 { parent } else { replay.log() };
            self.pass(90_000);
            let from = self.service.game(game)?.replay();
            // The first line may end before the ply at which the second one forks.
            let last = from.mainline().len().saturating_sub(1);
            let ply = ply.unwrap_or(plies - 4).min(last);
            let line = NewLine {
                position: None,
                game,
                ply,
                actions: other_way(&from, ply),
                name: Some((*name).to_owned()),
                assume: Vec::new(),
                owner,
                is_hidden: false,
            };
            let line = self.service.fork(line)?;
            parent = line.replay().log();
            self.pass(30_000);
            let comment = Some((*comment).to_owned());
            let annotated = Annotated { ply: ply as u32 + 1, comment, glyphs: vec!["!?".to_owned()] };
            let by = By::Arbiter;
            if line.replay().mainline().len() > ply {
                self.service.command(&line, &[Command::Annotate { by, annotated }], None)?;
            }
        }
        Ok(())
    }
}

/// Words for actions that leave a game at a ply: sensible ones if possible, the first different from the one
/// played.
fn other_way(from: &Replay, ply: usize) -> Vec<String> {
    let Some(mut position) = from.position_at(ply) else { return Vec::new() };
    let mut dice = Dice::new(&Hash::of_parts(&[b"plybook demo lines"]), LogId::from_bytes([0; 16]), ply as u64);
    let played = from.mainline().get(ply).map(|done| (done.actor, done.action.to_string()));
    let mut words = Vec::new();
    while let Some(actor) = position.to_act().iter().next().filter(|_| words.len() < ACTIONS_LINE) {
        let mut action = position.choose(actor, &mut |n| dice.below(n));
        for _ in 0..20 {
            if !words.is_empty() || Some((actor, action.clone())) != played {
                break;
            }
            action = position.sample(actor, &mut |n| dice.below(n));
        }
        if position.act(actor, &action).is_err() {
            break;
        }
        words.push(match actor {
            Actor::Seat(seat) => format!("{seat}:{action}"),
            Actor::Chance => format!("chance:{action}"),
        });
    }
    words
}

/// The number of seats in the default setup.
fn seats(rules: &dyn Rules) -> Result<u8, Problem> {
    let setup = rules.complete(&json!({}), &mut |_| 0)?;
    Ok(rules.start(&setup)?.seats())
}

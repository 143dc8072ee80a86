//! Plays one generated game: what happens in it, and how it ends.

use plybook_events::body::{Annotated, Ended};
use plybook_events::{Actor, Body, By, Decider, Outcome};
use plybook_rules::AnyPosition;
use plybook_rules::log::{Command, Draft, DraftError, Status};

use super::given::PlannedSource;
use super::numbers::Numbers;

/// A game that is being recorded.
type Game = Draft<PlannedSource>;

/// The number of submissions to try where there are too many to list.
const SUBMISSIONS: usize = 6;

/// One in this many games is played sensibly.
const SENSIBLE_OF: u32 = 250;

/// The most actions in a game that is left to end by its rules.
const LONG: usize = 200;

/// Comments and reasons.
const SAYINGS: [&str; 5] = [
    "A quiet start.",
    "Both saw it coming.",
    "The clock decides, not the board.",
    "Here the plan changes.",
    "Nobody has played this before.",
];

/// How a game is played.
#[allow(clippy::struct_excessive_bools, reason = "each is one thing that may happen in a game")]
pub(super) struct Style {
    /// The number of actions after which it is ended in some other way, unless the rules have ended it.
    plies: usize,
    finish: Finish,
    /// Whether seats win as soon as the rules allow it.
    is_decisive: bool,
    /// Whether seats play sensibly until the game is over, which takes a hundred times as long.
    is_sensible: bool,
    /// Whether seats that may act at the same time act in order; otherwise in random order.
    in_order: bool,
    /// Whether rolls are typed in.
    is_typed: bool,
    has_clock: bool,
    /// The ply at which something is taken back.
    takeback: Option<usize>,
    /// The ply at which a seat leaves for good, in a game that goes on without it.
    leaving: Option<usize>,
    /// The ply at which a draw is offered and declined.
    offer: Option<usize>,
    comments: u32,
    is_void: bool,
    is_corrected: bool,
    is_reopened: bool,
}

/// How a game ends that its rules have not ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finish {
    Running,
    Resignation,
    Time,
    Agreement,
    Arbiter,
    Abandonment,
}

impl Style {
    /// Draws a style at random.
    pub(super) fn draw(numbers: &mut Numbers) -> Self {
        let finish = match numbers.below(100) {
            0..10 => Finish::Running,
            10..45 => Finish::Resignation,
            45..60 => Finish::Time,
            60..75 => Finish::Agreement,
            75..90 => Finish::Arbiter,
            _ => Finish::Abandonment,
        };
        let plies = 20 + numbers.below(41) as usize;
        let mut at = |percent| numbers.happens(percent).then(|| 1 + numbers.below(plies as u32 - 1) as usize);
        let (takeback, leaving, offer) = (at(10), at(10), at(5));
        let is_sensible = numbers.below(SENSIBLE_OF) == 0;
        Self {
            plies: if is_sensible || numbers.happens(2) { LONG } else { plies },
            finish,
            is_sensible,
            is_decisive: numbers.happens(25),
            in_order: numbers.happens(75),
            is_typed: numbers.happens(10),
            has_clock: numbers.happens(50),
            takeback,
            leaving,
            offer,
            comments: if numbers.happens(20) { 1 + numbers.below(3) } else { 0 },
            is_void: numbers.happens(2),
            is_corrected: numbers.happens(3),
            is_reopened: numbers.happens(1),
        }
    }

    /// Plays a game to its end.
    pub(super) fn play(&self, game: &mut Game, numbers: &mut Numbers) -> Result<(), DraftError> {
        self.act_to(game, self.plies, numbers)?;
        self.comment(game, numbers)?;
        finish(game, self.finish, numbers)?;
        if game.replay().status() == Status::Finished && self.is_reopened && !game.replay().mainline().is_empty() {
            let to_ply = game.replay().mainline().len() as u32 - 1;
            game.command(Command::TakeBack { to_ply, reason: "the end was recorded by mistake".to_owned() })?;
            self.act_to(game, to_ply as usize + 3, numbers)?;
            finish(game, Finish::Arbiter, numbers)?;
        }
        game.source_mut().pass(60_000);
        if game.replay().status() == Status::Finished && self.is_corrected {
            game.command(Command::Adjudicate { outcome: ruling(game, numbers, "the wrong seat was written down") })?;
        }
        if self.is_void {
            game.command(Command::Void { reason: "a player sat at the wrong table".to_owned() })?;
        }
        Ok(())
    }

    /// Plays until this many actions are done, or the game is over.
    fn act_to(&self, game: &mut Game, plies: usize, numbers: &mut Numbers) -> Result<(), DraftError> {
        let (mut takeback, mut leaving, mut offer) = (self.takeback, self.leaving, self.offer);
        while game.replay().status() == Status::Running && game.replay().mainline().len() < plies {
            game.source_mut().pass(1_000 + numbers.skewed(180_000) as u32);
            self.act(game, numbers)?;
            let ply = game.replay().mainline().len();
            let is_due = |at: &mut Option<usize>| at.take_if(|at| *at <= ply).is_some();
            if game.replay().status() != Status::Running {
                break;
            }
            if is_due(&mut takeback) {
                let to_ply = ply.saturating_sub(1 + numbers.below(3) as usize) as u32;
                game.command(Command::TakeBack { to_ply, reason: "touched by mistake".to_owned() })?;
            }
            if is_due(&mut leaving) {
                let seat = seat(game, numbers);
                let is_there = !game.replay().resigned().contains(Actor::Seat(seat));
                if is_there && game.replay().position().absent(seat).is_some() {
                    game.command(Command::Resign(seat))?;
                }
            }
            if is_due(&mut offer) && game.replay().status() == Status::Running {
                game.command(Command::OfferDraw(1))?;
                game.command(Command::AnswerDraw { seat: 2, accept: false })?;
            }
        }
        Ok(())
    }

    /// Plays the next action.
    fn act(&self, game: &mut Game, numbers: &mut Numbers) -> Result<(), DraftError> {
        let to_act = game.replay().position().to_act();
        let index = if self.in_order { 0 } else { numbers.below(to_act.len() as u32) };
        let actor = to_act.iter().nth(index as usize).expect("in a game that runs somebody is to act");
        if actor == Actor::Chance {
            return roll(game, self.is_typed, numbers);
        }
        let position = game.replay().position();
        let action = if position.prompt(actor).is_some() {
            let mut pool = Numbers::new(0, "submission", numbers.skewed(SUBMISSIONS) as u64);
            position.sample(actor, &mut |n| pool.below(n))
        } else if self.is_sensible {
            position.choose(actor, &mut |n| numbers.below(n))
        } else if self.is_decisive {
            let mut legal = position.legal(actor).expect("nothing prompts");
            let index = winning(position, actor, &legal).unwrap_or_else(|| numbers.skewed(legal.len()));
            legal.swap_remove(index)
        } else {
            let listed = position.legal_at(actor, &mut |actions| numbers.skewed(actions));
            listed.expect("who is to act has a legal action")
        };
        let left = 3_600_000_u64.saturating_sub(40_000 * game.replay().mainline().len() as u64);
        game.command(Command::Act { actor, action, clock_ms: self.has_clock.then_some(left) })
    }

    fn comment(&self, game: &mut Game, numbers: &mut Numbers) -> Result<(), DraftError> {
        for _ in 0..self.comments {
            let ply = numbers.below(game.replay().mainline().len() as u32 + 1);
            let comment = Some(SAYINGS[numbers.below(5) as usize].to_owned());
            let glyphs = if numbers.happens(50) { vec!["!?".to_owned()] } else { Vec::new() };
            game.source_mut().pass(5_000);
            let annotated = Annotated { ply, comment, glyphs };
            game.command(Command::Annotate { by: By::Arbiter, annotated })?;
        }
        Ok(())
    }
}

/// Rolls from the game's seed while it is secret; otherwise types in a roll.
fn roll(game: &mut Game, is_typed: bool, numbers: &mut Numbers) -> Result<(), DraftError> {
    if !is_typed && !game.replay().is_seed_public() {
        return game.roll();
    }
    let action = game.replay().position().sample(Actor::Chance, &mut |n| numbers.below(n));
    game.command(Command::Act { actor: Actor::Chance, action, clock_ms: None })
}

/// The index of the first action that wins the game at once.
fn winning(position: &dyn AnyPosition, actor: Actor, legal: &[String]) -> Option<usize> {
    let Actor::Seat(seat) = actor else { return None };
    legal.iter().position(|action| {
        let mut next = position.boxed();
        next.act(actor, action).is_ok() && next.outcome().is_some_and(|outcome| outcome.winners.contains(&seat))
    })
}

/// Ends a game that is still running.
fn finish(game: &mut Game, how: Finish, numbers: &mut Numbers) -> Result<(), DraftError> {
    if game.replay().status() != Status::Running || how == Finish::Running {
        return Ok(());
    }
    game.source_mut().pass(20_000);
    let seats = game.replay().position().seats();
    let out = seat(game, numbers);
    let is_two_handed = seats == 2 && game.replay().position().absent(out).is_none();
    match how {
        Finish::Resignation if is_two_handed => game.command(Command::Resign(out)),
        Finish::Time if is_two_handed => game.command(Command::FlagFall(out)),
        Finish::Agreement => {
            game.command(Command::OfferDraw(1))?;
            (2..=seats).try_for_each(|seat| game.command(Command::AnswerDraw { seat, accept: true }))
        }
        Finish::Abandonment => {
            let outcome = ruling(game, numbers, "abandonment");
            let ended = Ended { decided_by: Decider::Abandonment, outcome, seed: None };
            game.record(vec![(By::Arbiter, Body::Ended(ended))], 1)
        }
        _ => game.command(Command::Adjudicate { outcome: ruling(game, numbers, "the hall closes") }),
    }
}

/// An arbiter's ruling: a team wins, or nobody does. With more than two seats, all others share second place.
fn ruling(game: &Game, numbers: &mut Numbers, reason: &str) -> Outcome {
    let teams = game.replay().position().teams();
    if numbers.happens(20) {
        return Outcome::draw(reason);
    }
    let winners: Vec<u8> = teams.of(seat(game, numbers)).collect();
    let rest: Vec<u8> = (1..=teams.seats()).filter(|seat| !winners.contains(seat)).collect();
    let ranking = (teams.seats() > 2).then(|| vec![winners.clone(), rest]);
    Outcome { ranking, ..Outcome::win(winners, reason) }
}

fn seat(game: &Game, numbers: &mut Numbers) -> u8 {
    numbers.below(u32::from(game.replay().position().seats())) as u8 + 1
}

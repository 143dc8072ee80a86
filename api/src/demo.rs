//! A small event of sensibly played games, so that the first thing a newcomer sees is real.

use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::fair::Dice;
use plybook_events::{Actor, By, Hash, LogId};
use plybook_rules::decide::Command;
use plybook_rules::fold::Status;
use plybook_rules::{Rules, kinds};
use serde_json::json;

use crate::error::Problem;
use crate::service::{Live, NewGame, NewSeat, Service};

/// Who plays.
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

/// Games of each kind.
const ROUNDS: u32 = 4;

/// A game that has not ended after so many actions is drawn by agreement.
const ACTIONS_MAX: usize = 400;

/// Fills an empty store; `progress` gets the games made and the games to make.
///
/// # Errors
/// Nothing can be written.
pub fn fill(service: &Service, progress: &mut dyn FnMut(usize, usize)) -> Result<(), Problem> {
    let players: Vec<LogId> =
        NAMES.iter().map(|name| Ok(service.create_player(name)?.id)).collect::<Result<_, Problem>>()?;
    let total = kinds().len() * ROUNDS as usize;
    let mut done = 0;
    for round in 1..=ROUNDS {
        for rules in kinds() {
            play(service, *rules, &players, round)?;
            done += 1;
            progress(done, total);
        }
    }
    Ok(())
}

/// Plays one game of a round. The first three rounds are played out; the last one still runs.
fn play(service: &Service, rules: &dyn Rules, players: &[LogId], round: u32) -> Result<(), Problem> {
    let about = rules.about();
    let seats = usize::from(seats(rules)?);
    let first = round as usize * 2;
    let seat = |n: usize| NewSeat { player: Some(players[(first + n) % players.len()]), name: None };
    let tags = json!({ "event": "Plybook Open", "venue": "Hall B" });
    let new = NewGame {
        kind: about.kind.to_owned(),
        seats: (0..seats).map(seat).collect(),
        round: Some(round),
        table: Some(1),
        tags: tags.as_object().cloned().unwrap_or_default(),
        ..NewGame::default()
    };
    let live = service.create_game(new)?;
    let seed = Hash::of_parts(&[b"plybook demo", about.kind.as_bytes(), &round.to_be_bytes()]);
    let mut dice = Dice::new(&seed, LogId::from_bytes([0; 16]), 0);
    let limit = if round == ROUNDS { 12 } else { ACTIONS_MAX };
    while live.replay().status() == Status::Running && live.replay().mainline().len() < limit {
        play_on(service, &live, &mut dice)?;
    }
    finish(service, &live, round)
}

/// Plays until chance is to act or the game ends, and lets the service roll.
fn play_on(service: &Service, live: &Arc<Live>, dice: &mut Dice) -> Result<(), Problem> {
    let replay = live.replay();
    let mut table = replay.table().boxed();
    let mut commands = Vec::new();
    while let Some(actor) = table.to_act().iter().next() {
        if actor == Actor::Chance || commands.len() == 12 {
            break;
        }
        let token = table.choose(actor, &mut |n| dice.below(n));
        table.act(actor, &token).map_err(Problem::internal)?;
        commands.push(Command::Act { actor, token, clock_ms: None });
    }
    if !commands.is_empty() {
        service.command(live, commands, None)?;
    }
    if live.replay().status() == Status::Running && live.replay().table().to_act().contains(Actor::Chance) {
        service.roll(live, None)?;
    }
    Ok(())
}

/// What an event has beside plain games: a comment, a takeback, a resignation, an agreed draw.
fn finish(service: &Service, live: &Arc<Live>, round: u32) -> Result<(), Problem> {
    let plies = live.replay().mainline().len() as u32;
    let seats = live.replay().table().seats();
    let comment = |ply, text: &str, glyph: &str| Command::Annotate {
        by: By::Arbiter,
        annotated: Annotated { ply, comment: Some(text.to_owned()), glyphs: vec![glyph.to_owned()] },
    };
    let running = live.replay().status() == Status::Running;
    match round {
        1 if plies > 8 => service.command(live, vec![comment(7, "The idea of the whole opening.", "!")], None)?,
        ROUNDS if running && seats == 2 && plies > 4 && live.replay().is_open() => {
            let reason = "touched the wrong piece".to_owned();
            service.command(live, vec![Command::TakeBack { to_ply: plies - 1, reason }], None)?;
        }
        _ => {}
    }
    if running && round < ROUNDS {
        let mut agreed = vec![Command::OfferDraw(1)];
        agreed.extend((2..=seats).map(|seat| Command::AnswerDraw { seat, accept: true }));
        service.command(live, agreed, None)?;
    }
    Ok(())
}

/// How many seats the default setup has.
fn seats(rules: &dyn Rules) -> Result<u8, Problem> {
    let setup = rules.complete(&json!({}), &mut |_| 0)?;
    Ok(rules.start(&setup)?.seats())
}

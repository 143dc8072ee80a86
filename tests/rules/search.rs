//! What holds for a search in every game.

use plybook_events::Actor;
use plybook_rules::engine::{Findings, WHOLE};
use plybook_rules::{AnyPosition, Rules, Viewer};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};

/// The playouts of a search.
const PLAYOUTS: u32 = 60;

/// How many positions of a random game are searched.
const SEARCHED: usize = 4;

/// The playouts of a search for a win by force, and how many games of two are played to find such positions.
const FORCED_PLAYOUTS: u32 = 2_000;
const FORCED_GAMES: u64 = 12;

/// The last positions of a game that are tried, in how many turns they are to be won, and how many actions are tried for
/// each number of turns.
const FORCED_PLIES: usize = 12;
const FORCED_TURNS: u32 = 3;
const FORCED_TRIES: usize = 60_000;

/// How many of a hundred such wins are to be found.
const FORCED_FOUND: usize = 98;

/// All findings, as failures of the suite.
pub fn check(rules: &'static dyn Rules) -> Vec<Failure> {
    (0..numbers::games())
        .filter_map(|game| {
            played(rules, game).err().map(|why| format!("{}: searched game {game}: {why}", rules.about().kind))
        })
        .collect()
}

/// Plays a random game and searches some of its positions.
fn played(rules: &'static dyn Rules, game: u64) -> Result<(), Failure> {
    let mut numbers = Numbers::new("searched", rules.about().kind, game);
    let setup = numbers::setup(rules, game, &mut numbers)?;
    let mut position = rules.start(&setup).map_err(|why| format!("setup {setup}: {why}"))?;
    let step = PLIES / SEARCHED;
    for ply in 0..PLIES {
        let Some(actor) = numbers.actor(position.as_ref()) else { break };
        let at = |why: String| format!("setup {setup}, ply {ply}: {why}");
        if ply % step == 0 {
            searched(position.as_ref(), ply as u64).map_err(at)?;
            guessed(position.as_ref(), &mut numbers).map_err(at)?;
        }
        wins_at_once(position.as_ref(), actor, ply as u64).map_err(at)?;
        let action = numbers.action(position.as_ref(), actor);
        position.act(actor, &action).map_err(|why| at(why.to_string()))?;
    }
    Ok(())
}

/// What a search finds for a seat.
fn found(position: &dyn AnyPosition, viewer: Viewer, seed: u64, steps: &[u32], seat: u8) -> Option<Findings> {
    let mut numbers = Numbers::new("search", "any", seed);
    let mut engine = position.search(viewer);
    for step in steps {
        engine.run(*step, &mut numbers.draw());
    }
    engine.findings(Actor::Seat(seat))
}

/// A search answers for each seat that is to act, with legal actions and chances that add up, and the same each time.
fn searched(position: &dyn AnyPosition, seed: u64) -> Result<(), Failure> {
    for seat in 1..=position.seats() {
        let actor = Actor::Seat(seat);
        let viewer = Viewer::Seat(seat);
        let findings = found(position, viewer, seed, &[PLAYOUTS], seat);
        if !position.to_act().contains(actor) {
            continue;
        }
        let findings = findings.ok_or_else(|| format!("{actor} is to act, and nothing was found"))?;
        let parts = findings.actions.iter().map(plybook_rules::engine::Finding::chances).chain([findings.chances()]);
        for chances in parts {
            // Partners have the chance of their team.
            let teams = position.teams().groups();
            let sum = teams.iter().map(|team| chances.seat(team[0])).sum::<u32>() + chances.draw();
            if sum != WHOLE {
                return Err(format!("chances add up to {sum}, not {WHOLE}: {chances:?}"));
            }
        }
        for found in &findings.actions {
            position.judge(actor, &found.action).map_err(|why| format!("{actor} cannot do {}: {why}", found.action))?;
        }
        let again = found(position, viewer, seed, &[PLAYOUTS / 3, PLAYOUTS - PLAYOUTS / 3], seat);
        if format!("{again:?}") != format!("{:?}", Some(&findings)) {
            return Err(format!("two searches with one seed differ for {actor}"));
        }
    }
    Ok(())
}

/// What is hidden stays hidden at every ply: each position of random games looks like what is guessed there, to whom
/// it is guessed for. Of games with secrets; in others, everything is known.
pub fn guesses(rules: &'static dyn Rules) -> Vec<Failure> {
    let (kind, mut different) = (rules.about().kind, 0);
    for game in 0..if rules.about().secrets { numbers::games() } else { return Vec::new() } {
        match hidden(rules, game) {
            Ok(guesses) => different += guesses,
            Err(why) => return vec![format!("{kind}: guessed game {game}: {why}")],
        }
    }
    if different == 0 {
        return vec![format!("{kind}: `guess` never differs from the truth, so that nothing hidden was compared")];
    }
    Vec::new()
}

/// Plays a game; returns how many guesses differ from the truth.
fn hidden(rules: &'static dyn Rules, game: u64) -> Result<usize, Failure> {
    let mut numbers = Numbers::new("guessed", rules.about().kind, game);
    let setup = numbers::setup(rules, game, &mut numbers)?;
    let mut position = rules.start(&setup).map_err(|why| format!("setup {setup}: {why}"))?;
    let mut different = 0;
    for ply in 0..PLIES {
        let at = |why: String| format!("setup {setup}, ply {ply}: {why}");
        // Once a game is over, nothing is hidden.
        if position.outcome().is_some() {
            break;
        }
        different += guessed(position.as_ref(), &mut numbers).map_err(at)?;
        let Some(actor) = numbers.actor(position.as_ref()) else { break };
        let action = numbers.action(position.as_ref(), actor);
        position.act(actor, &action).map_err(|why| at(why.to_string()))?;
    }
    Ok(different)
}

/// What is guessed looks the same to whom it is guessed for; returns how many guesses differ from the truth.
fn guessed(position: &dyn AnyPosition, numbers: &mut Numbers) -> Result<usize, Failure> {
    let (truth, mut different) = (position.key(Viewer::All), 0);
    let viewers = (1..=position.seats()).map(Viewer::Seat).chain([Viewer::Public, Viewer::All]);
    for viewer in viewers {
        let guess = position.guess(viewer, &mut numbers.draw());
        different += usize::from(guess.key(Viewer::All) != truth);
        let both = shown(position, viewer).into_iter().zip(shown(guess.as_ref(), viewer));
        for ((channel, truth), (_, guessed)) in both {
            if truth != guessed {
                return Err(format!(
                    "{viewer} can tell a guess from the truth by its {channel}:\n  {truth}\n  {guessed}"
                ));
            }
        }
    }
    Ok(different)
}

/// Everything that a viewer is shown of a position, by channel.
fn shown(position: &dyn AnyPosition, viewer: Viewer) -> Vec<(&'static str, String)> {
    let mut shown = vec![
        ("position", position.to_json(viewer).to_string()),
        ("key", position.key(viewer).to_string()),
        ("words", position.text(viewer)),
        ("scene", position.scene(viewer, None).to_json().to_string()),
        ("round, actors and outcome", format!("{:?}", (position.round(), position.to_act(), position.outcome()))),
    ];
    if let Viewer::Seat(seat) = viewer
        && position.to_act().contains(Actor::Seat(seat))
    {
        let actor = Actor::Seat(seat);
        shown.push(("prompt", format!("{:?}", position.prompt(actor))));
        shown.push(("legal actions", format!("{:?}", position.legal(actor))));
    }
    shown
}

/// A win in one action is found and proved, as trying out each action shows.
fn wins_at_once(position: &dyn AnyPosition, actor: Actor, seed: u64) -> Result<(), Failure> {
    let Actor::Seat(seat) = actor else { return Ok(()) };
    if position.to_act().len() > 1 {
        return Ok(());
    }
    let wins = position.legal(actor).unwrap_or_default().into_iter().filter(|action| {
        let mut after = position.boxed();
        after.act(actor, action).is_ok() && after.outcome().is_some_and(|outcome| outcome.winners == [seat])
    });
    let wins: Vec<String> = wins.collect();
    if wins.is_empty() {
        return Ok(());
    }
    let findings = found(position, Viewer::All, seed, &[1], seat).ok_or("nothing was found")?;
    let best = &findings.best().action;
    match findings.proof {
        Some(proof) if proof.winner() == Some(seat) && proof.plies == 1 && wins.contains(best) => Ok(()),
        proof => Err(format!("{} win at once, and {best} was found with {proof:?}", wins.join(", "))),
    }
}

/// Wins that trying everything finds within three turns are found and proved, in games of two that end in a win.
pub fn check_forced(rules: &'static dyn Rules) -> Vec<Failure> {
    let about = rules.about();
    if about.seats_min != 2 || about.seats_max != 2 {
        return Vec::new();
    }
    let games =
        std::env::var("PLYBOOK_FORCED_GAMES").map_or(FORCED_GAMES, |games| games.parse().expect("a number of games"));
    let (mut missed, mut wins) = (Vec::new(), 0);
    for game in 0..games {
        match forced(rules, game, &mut missed) {
            Ok(count) => wins += count,
            Err(why) => return vec![format!("{}: game {game} to its end: {why}", about.kind)],
        }
    }
    if wins == 0 {
        return vec![format!("{}: no game ended in a win", about.kind)];
    }
    println!("{}: {} of {wins} wins by force in {games} games", about.kind, wins - missed.len());
    if (wins - missed.len()) * 100 < wins * FORCED_FOUND {
        return vec![format!("{}: {} of {wins} wins by force are missed: {missed:#?}", about.kind, missed.len())];
    }
    Vec::new()
}

/// Plays a game sensibly and searches its last positions. Adds the wins by force that are missed, and returns how many
/// there are.
fn forced(rules: &'static dyn Rules, game: u64, missed: &mut Vec<String>) -> Result<usize, Failure> {
    let mut numbers = Numbers::new("forced", rules.about().kind, game);
    let setup = rules.complete(&serde_json::json!({}), &mut numbers.draw()).map_err(|why| why.to_string())?;
    let mut position = rules.start(&setup).map_err(|why| why.to_string())?;
    let mut played = Vec::new();
    let mut last = None;
    while let Some(actor) = numbers.actor(position.as_ref()).filter(|_| played.len() < 1_500) {
        let is_random = played.len() < 4 || numbers.below(8) == 0;
        let action = if is_random {
            numbers.action(position.as_ref(), actor)
        } else {
            position.choose(actor, &mut numbers.draw())
        };
        played.push((position.boxed(), actor, last));
        position.act(actor, &action).map_err(|why| why.to_string())?;
        last = Some(actor);
    }
    let mut count = 0;
    for (ply, (position, actor, last)) in played.iter().enumerate().skip(played.len().saturating_sub(FORCED_PLIES)) {
        let Actor::Seat(seat) = *actor else { continue };
        let is_turn = position.to_act().len() == 1 && *last != Some(*actor);
        let is_won = |turns: &u32| is_won(position.as_ref(), None, *actor, *turns, &mut { FORCED_TRIES });
        let Some(turns) = (1..=FORCED_TURNS).filter(|_| is_turn).find(is_won) else { continue };
        count += 1;
        let findings = found(position.as_ref(), Viewer::All, ply as u64, &[FORCED_PLAYOUTS], seat);
        let proof = findings.and_then(|findings| findings.proof);
        if proof.and_then(plybook_rules::engine::Proof::winner) != Some(seat) {
            let at = format!("game {game}, ply {ply} of {}", played.len());
            missed.push(format!("{at}: {actor} wins in {turns} turns, and {proof:?} was found"));
        }
    }
    Ok(count)
}

/// Whether somebody wins in so many turns whatever the others do, as trying everything shows.
fn is_won(position: &dyn AnyPosition, last: Option<Actor>, who: Actor, turns: u32, tries: &mut usize) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winners.iter().map(|seat| Actor::Seat(*seat)).eq([who]);
    }
    let to_act: Vec<Actor> = position.to_act().iter().collect();
    let [actor] = to_act[..] else { return false };
    if turns == 0 && actor != who {
        return false;
    }
    let turns = if actor == who && last != Some(who) { turns.checked_sub(1) } else { Some(turns) };
    let (Some(turns), Some(actions)) = (turns, position.legal(actor)) else { return false };
    if actions.len() > *tries {
        return false;
    }
    *tries -= actions.len();
    let mut after = actions.iter().map(|action| {
        let mut after = position.boxed();
        after.act(actor, action).expect("it is legal");
        is_won(after.as_ref(), Some(actor), who, turns, tries)
    });
    if actor == who { after.any(|is_won| is_won) } else { after.all(|is_won| is_won) }
}

//! Matches between players: scores with confidence intervals, and Elo differences.

use std::str::FromStr;

use clap::Args;
use plybook_api::analysis::{Budget, search};
use plybook_events::Actor;
use plybook_generator::numbers::Numbers;
use plybook_rules::{AnyPosition, Rules, Viewer};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::{bar, digits, rules_of, uct};

/// Play games between two players of the program, and print who won how many.
///
/// Player A takes each seat in turn, player B all the others. With two seats, the Elo difference is printed with its
/// interval (95 %). A game that is not over after --actions-max actions counts as a draw.
#[derive(Debug, Args)]
#[command(after_help = "Players:
  playouts=N   the engine with N playouts for each action, knowing what the seat knows
  uct=N        plain UCT with N random playouts to the end of the game, as a yardstick
  estimate     one action and the best reply, by the game's own estimate
  random       any legal action

Example:
  plybook-lab match triangulate --a playouts=2000 --b playouts=200 --games 200 --seed 7")]
pub(crate) struct Match {
    /// The game: triangulate, triforce, …
    kind: String,
    /// Player A
    #[arg(long, value_name = "PLAYER")]
    a: Player,
    /// Player B
    #[arg(long, value_name = "PLAYER")]
    b: Player,
    /// The number of games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// The seed of everything random; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin with this many random actions, so that games differ
    #[arg(long, default_value_t = 4)]
    opening: usize,
    /// Stop a game after this many actions
    #[arg(long, default_value_t = 2_000)]
    actions_max: usize,
}

/// A player of the program.
#[derive(Clone, Copy, Debug)]
enum Player {
    /// The engine.
    Engine {
        /// The playouts for each action.
        playouts: u32,
    },
    /// Plain UCT.
    Uct {
        /// The playouts for each action.
        playouts: u32,
    },
    /// A short look ahead.
    Estimate,
    /// Any legal action.
    Random,
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let playouts = |number: &str| number.parse().ok().filter(|playouts| (1..=10_000_000).contains(playouts));
        match (text, text.split_once('=')) {
            ("estimate", _) => Ok(Self::Estimate),
            ("random", _) => Ok(Self::Random),
            (_, Some((name @ ("playouts" | "uct"), number))) => match playouts(number) {
                Some(playouts) if name == "uct" => Ok(Self::Uct { playouts }),
                Some(playouts) => Ok(Self::Engine { playouts }),
                None => Err(format!("playouts are a number from 1 to 10000000, not {number:?}")),
            },
            _ => Err(format!("{text:?} is no player; there are: playouts=N, uct=N, estimate, random")),
        }
    }
}

impl Player {
    /// What the player does for an actor that is to act.
    fn choose(self, position: &dyn AnyPosition, actor: Actor, numbers: &mut Numbers) -> String {
        let Actor::Seat(seat) = actor else { return position.sample(actor, &mut |n| numbers.below(n)) };
        match self {
            Self::Random => position.sample(actor, &mut |n| numbers.below(n)),
            Self::Uct { playouts } => {
                let guess = position.guess(Viewer::Seat(seat), &mut |n| numbers.below(n));
                uct::choose(guess.as_ref(), actor, playouts, numbers)
                    .unwrap_or_else(|| position.sample(actor, &mut |n| numbers.below(n)))
            }
            Self::Estimate => position.choose(actor, &mut |n| numbers.below(n)),
            Self::Engine { playouts } => {
                let budget = Budget::of(playouts);
                let seed = u64::from(numbers.below(u32::MAX));
                let findings = search(position, Viewer::Seat(seat), actor, budget, seed);
                findings.expect("a seat that is to act has an action").best().action.clone()
            }
        }
    }
}

/// A game of a kind with its usual setup, after some random actions.
pub(crate) fn opened(rules: &dyn Rules, actions: usize, numbers: &mut Numbers) -> Result<Box<dyn AnyPosition>, String> {
    let setup = rules.complete(&json!({}), &mut |n| numbers.below(n)).map_err(|why| why.to_string())?;
    let mut position = rules.start(&setup).map_err(|why| why.to_string())?;
    for _ in 0..actions {
        let Some(actor) = position.to_act().iter().next() else { break };
        let action = Player::Random.choose(position.as_ref(), actor, numbers);
        position.act(actor, &action).map_err(|why| why.to_string())?;
    }
    Ok(position)
}

/// How one game went for player A: its share of the win, from 0 to 1; and whether it was decided.
#[derive(Clone, Copy, Debug)]
struct Score {
    share: f64,
    is_draw: bool,
}

impl Match {
    pub(crate) fn run(self) -> Result<Value, String> {
        let rules = rules_of(&self.kind)?;
        let seats = opened(rules, 0, &mut Numbers::new(self.seed, "opening", 0))?.seats();
        let bar = bar(self.games);
        let scores: Result<Vec<Score>, String> = (0..self.games)
            .into_par_iter()
            .map(|game| {
                let score = self.play(rules, game, seats);
                bar.inc(1);
                score
            })
            .collect();
        bar.finish_and_clear();
        Ok(summary(&scores?, seats == 2))
    }

    fn play(&self, rules: &dyn Rules, game: u32, seats: u8) -> Result<Score, String> {
        // Player A takes each seat once in each opening.
        let opening = u64::from(game / u32::from(seats));
        let mut position = opened(rules, self.opening, &mut Numbers::new(self.seed, "opening", opening))?;
        let mut numbers = Numbers::new(self.seed, "match", game.into());
        let own = (game % u32::from(position.seats())) as u8 + 1;
        for _ in 0..self.actions_max {
            let Some(actor) = position.to_act().iter().next() else { break };
            let player = if actor == Actor::Seat(own) { self.a } else { self.b };
            let action = player.choose(position.as_ref(), actor, &mut numbers);
            position.act(actor, &action).map_err(|why| format!("{action}: {why}"))?;
        }
        let is_draw = position.outcome().is_none_or(|outcome| outcome.winners.is_empty());
        Ok(Score { share: share(position.as_ref(), own), is_draw })
    }
}

/// A seat's share of the win, from 0 to 1; an equal share of a draw and of a game that is not over.
pub(crate) fn share(position: &dyn AnyPosition, seat: u8) -> f64 {
    let winners = position.outcome().map(|outcome| outcome.winners).unwrap_or_default();
    match winners.len() {
        0 => 1.0 / f64::from(position.seats()),
        several if winners.contains(&seat) => 1.0 / several as f64,
        _ => 0.0,
    }
}

/// The games in figures.
fn summary(scores: &[Score], is_of_two: bool) -> Value {
    let games = scores.len() as f64;
    let draws = scores.iter().filter(|score| score.is_draw).count();
    let wins = scores.iter().filter(|score| !score.is_draw && score.share > 0.0).count();
    let mean = scores.iter().map(|score| score.share).sum::<f64>() / games;
    let variance = scores.iter().map(|score| (score.share - mean).powi(2)).sum::<f64>() / games;
    let margin = 1.96 * (variance / games).sqrt();
    let mut summary = json!({
        "games": scores.len(),
        "wins": wins,
        "draws": draws,
        "losses": scores.len() - wins - draws,
        "score": digits(mean, 1e4),
        "margin": digits(margin, 1e4),
    });
    if is_of_two {
        let elo =
            |score: f64| (score > 0.0 && score < 1.0).then(|| digits(400.0 * (score / (1.0 - score)).log10(), 1.0));
        summary["elo"] = json!({ "difference": elo(mean), "interval": [elo(mean - margin), elo(mean + margin)] });
    }
    summary
}

#[cfg(test)]
mod tests {
    use super::{Player, Score, summary};

    #[test]
    fn a_score_gives_an_elo_difference_with_an_interval() {
        let score = |share| Score { share, is_draw: false };
        let scores: Vec<Score> = (0..100).map(|game| score(if game < 75 { 1.0 } else { 0.0 })).collect();
        let found = summary(&scores, true);
        assert_eq!(
            (&found["wins"], &found["losses"], &found["elo"]["difference"]),
            (&75.into(), &25.into(), &191.0.into())
        );
        assert_eq!(found["elo"]["interval"][0], 119.0);
        assert!(summary(&scores[..75], true)["elo"]["difference"].is_null(), "nobody can say how much better it is");
        assert!(summary(&scores, false)["elo"].is_null());
    }

    #[test]
    fn players_are_named() {
        assert!(matches!("playouts=5".parse(), Ok(Player::Engine { playouts: 5 })));
        assert!(matches!("uct=5".parse(), Ok(Player::Uct { playouts: 5 })));
        for bad in ["", "playouts", "playouts=", "playouts=0", "playouts=10000001", "uct", "uct=0", "stockfish"] {
            assert!(bad.parse::<Player>().is_err(), "{bad}");
        }
    }
}

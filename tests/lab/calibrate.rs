//! Calibration of the engine's stated chances: how well they agree with results (Brier scores, reliability bands).

use clap::Args;
use plybook_api::analysis::{Budget, search, share};
use plybook_events::Actor;
use plybook_generator::numbers::Numbers;
use plybook_rules::engine::{Chances, NEUTRAL, VERSION};
use plybook_rules::{Rules, Viewer};
use rayon::prelude::*;
use serde_json::{Value, json};

use crate::matches::{self, opened};
use crate::{bar, digits, rules_of};

/// The bands of stated chances whose results are printed.
const BANDS: usize = 10;

/// The sharpness that is tried, in percent.
const SHARPNESS_MIN: u32 = 20;
const SHARPNESS_MAX: u32 = 400;
const SHARPNESS_STEP: usize = 5;

/// Play games of the engine against itself, and print how well its chances agree with the results.
///
/// Two numbers are fitted to the games: `sharpness`, the power in percent to which the chances of a search are raised
/// before they are stated, and `lead`, the lead in the game's estimate that doubles the odds. How well that works is
/// measured on games that were held back: what is fitted to each half of the games is measured on the other half. There are
/// the Brier scores (mean squared error over the seats, lower is better) of equal chances, of the estimate alone with the
/// fitted lead, of the search as it is (`raw`) and with the fitted sharpness (`search`); and for each band of chances stated
/// by the search, how often they came true.
///
/// The program's chances are stated with the sharpness in the game's folder, `calibration.json`, which is this answer.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook-lab calibrate triangulate --games 200 --playouts 500
  plybook-lab calibrate mygame > rules/src/games/mygame/calibration.json")]
pub(crate) struct Calibrate {
    /// The game: triangulate, triforce, …
    kind: String,
    /// The number of games
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    games: u32,
    /// The playouts for each action
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    playouts: u32,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begin with this many random actions, so that games differ
    #[arg(long, default_value_t = 4)]
    opening: usize,
    /// Give up a game that is not over after this many actions; it is left out
    #[arg(long, default_value_t = 1_000)]
    actions_max: usize,
}

/// A position of a game with what came of it.
#[derive(Clone)]
struct Sample {
    estimates: Vec<i32>,
    /// What the search found, before calibration.
    found: Chances,
    /// What each seat got: its share of the win, or of the draw.
    got: Vec<f64>,
}

impl Calibrate {
    pub(crate) fn run(self) -> Result<Value, String> {
        let rules = rules_of(&self.kind)?;
        let bar = bar(self.games);
        let games: Result<Vec<Vec<Sample>>, String> = (0..self.games)
            .into_par_iter()
            .map(|game| {
                let samples = self.play(rules, game);
                bar.inc(1);
                samples
            })
            .collect();
        bar.finish_and_clear();
        let games: Vec<Vec<Sample>> = games?.into_iter().filter(|samples| !samples.is_empty()).collect();
        let unfinished = self.games as usize - games.len();
        if games.len() < 2 {
            let (all, most) = (self.games, self.actions_max);
            return Err(format!(
                "{unfinished} of {all} games were not over after {most} actions; play more games, with more --playouts or a higher --actions-max"
            ));
        }
        let count = games.len();
        let mut halves = [Vec::new(), Vec::new()];
        for (number, samples) in games.into_iter().enumerate() {
            halves[number % 2].extend(samples);
        }
        let fits = [Fit::of(&halves[1]), Fit::of(&halves[0])];
        let mut answer = report([(fits[0], &halves[0]), (fits[1], &halves[1])]);
        let all = Fit::of(&halves.concat());
        answer["lead"] = all.lead.into();
        answer["sharpness"] = all.sharpness.into();
        let made = json!({
            "kind": rules.about().kind, "engine": VERSION, "games": count, "unfinished": unfinished,
            "playouts": self.playouts, "seed": self.seed,
        });
        answer.as_object_mut().expect("it is one").extend(made.as_object().expect("it is one").clone());
        Ok(answer)
    }

    /// The positions of one game; none if it was given up.
    fn play(&self, rules: &dyn Rules, game: u32) -> Result<Vec<Sample>, String> {
        let mut numbers = Numbers::new(self.seed, "calibrate", game.into());
        let mut position = opened(rules, self.opening, &mut numbers)?;
        let mut samples = Vec::new();
        for _ in 0..self.actions_max {
            let Some(actor) = position.to_act().iter().next() else { break };
            let action = if actor == Actor::Chance {
                position.sample(actor, &mut |n| numbers.below(n))
            } else {
                let budget = Budget::of(self.playouts);
                let seed = u64::from(numbers.below(u32::MAX));
                let findings = search(position.as_ref(), Viewer::All, actor, budget, seed);
                let findings = findings.ok_or_else(|| format!("nothing was found for {actor}"))?;
                let found = findings.raw_chances();
                samples.push(Sample { estimates: position.estimates(), found, got: Vec::new() });
                findings.best().action.clone()
            };
            position.act(actor, &action).map_err(|why| format!("{action}: {why}"))?;
        }
        if position.outcome().is_none() {
            return Ok(Vec::new());
        }
        let got: Vec<f64> = (1..=position.seats()).map(|seat| matches::share(position.as_ref(), seat)).collect();
        for sample in &mut samples {
            sample.got.clone_from(&got);
        }
        Ok(samples)
    }
}

/// What fits the results of some games best.
#[derive(Clone, Copy)]
struct Fit {
    lead: i32,
    sharpness: u32,
}

impl Fit {
    fn of(samples: &[Sample]) -> Self {
        Self { lead: fit_lead(samples), sharpness: fit_sharpness(samples) }
    }
}

/// The chances that estimates give, if a lead doubles the odds.
fn chances(estimates: &[i32], lead: f64) -> Vec<f64> {
    let best = estimates.iter().copied().max().unwrap_or(0);
    let odds: Vec<f64> = estimates.iter().map(|estimate| (f64::from(estimate - best) / lead).exp2()).collect();
    let sum: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / sum).collect()
}

/// The mean squared error of stated chances over all seats.
fn squared_error(stated: &[f64], sample: &Sample) -> f64 {
    let errors = stated.iter().zip(&sample.got).map(|(stated, got)| (stated - got).powi(2)).sum::<f64>();
    errors / sample.got.len() as f64
}

/// The mean squared error of stated chances over all samples and seats.
fn brier(samples: &[Sample], stated: impl Fn(&Sample) -> Vec<f64>) -> f64 {
    let sum: f64 = samples.iter().map(|sample| squared_error(&stated(sample), sample)).sum();
    sum / samples.len().max(1) as f64
}

/// What a search states with a sharpness: by seat, with its share of a draw.
fn stated(found: &Chances, sharpness: u32) -> Vec<f64> {
    let chances = found.sharpened(sharpness);
    let draw = share(chances.draw()) / f64::from(chances.seats());
    (1..=chances.seats()).map(|seat| share(chances.seat(seat)) + draw).collect()
}

/// The sharpness that fits results best.
fn fit_sharpness(samples: &[Sample]) -> u32 {
    let error = |sharpness: u32| brier(samples, |sample| stated(&sample.found, sharpness));
    let all = (SHARPNESS_MIN..=SHARPNESS_MAX).step_by(SHARPNESS_STEP).map(|sharpness| (error(sharpness), sharpness));
    all.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(NEUTRAL, |(_, sharpness)| sharpness)
}

/// The lead that fits results best.
fn fit_lead(samples: &[Sample]) -> i32 {
    let leads = std::iter::successors(Some(1.0_f64), |lead| Some((lead * 1.1).ceil())).take_while(|lead| *lead < 1e5);
    let error = |lead: f64| brier(samples, |sample| chances(&sample.estimates, lead));
    let best = leads.map(|lead| (error(lead), lead)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(1, |(_, lead)| lead as i32)
}

/// Compares stated chances with the results of games, each with what was fitted to others.
fn report(halves: [(Fit, &Vec<Sample>); 2]) -> Value {
    let samples = || halves.iter().flat_map(|(fit, samples)| samples.iter().map(|sample| (*fit, sample)));
    let error = |stated: &dyn Fn(Fit, &Sample) -> Vec<f64>| {
        let sum: f64 = samples().map(|(fit, sample)| squared_error(&stated(fit, sample), sample)).sum();
        digits(sum / samples().count() as f64, 1e4)
    };
    let pairs = || {
        samples()
            .flat_map(|(fit, sample)| stated(&sample.found, fit.sharpness).into_iter().zip(sample.got.iter().copied()))
    };
    let band = |stated: f64| ((stated * BANDS as f64) as usize).min(BANDS - 1);
    let bands = (0..BANDS).filter_map(|number| {
        let (mut count, mut stated_sum, mut got_sum) = (0_u32, 0.0, 0.0);
        for (stated, got) in pairs().filter(|(stated, _)| band(*stated) == number) {
            count += 1;
            stated_sum += stated;
            got_sum += got;
        }
        let mean = |sum: f64| digits(sum / f64::from(count), 1e4);
        (count > 0).then(|| json!({ "came": mean(got_sum), "seats": count, "stated": mean(stated_sum) }))
    });
    json!({
        "positions": samples().count(),
        "brier": {
            "equal": error(&|_, sample| vec![1.0 / sample.got.len() as f64; sample.got.len()]),
            "estimate": error(&|fit, sample| chances(&sample.estimates, fit.lead.into())),
            "raw": error(&|_, sample| stated(&sample.found, NEUTRAL)),
            "search": error(&|fit, sample| stated(&sample.found, fit.sharpness)),
        },
        "reliability": bands.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use plybook_events::Outcome;
    use plybook_rules::Teams;
    use plybook_rules::engine::{Chances, NEUTRAL};

    use super::{Sample, brier, chances, fit_lead, fit_sharpness, stated};

    /// Chances of three to one.
    fn three_to_one() -> Chances {
        let wins = [1, 1, 1, 2].map(|seat| Chances::of_outcome(Teams::alone(2), &Outcome::win(vec![seat], "x")));
        Chances::mean(&wins).unwrap()
    }

    /// Games of which the leader wins so many of 100.
    fn samples(won: u32) -> Vec<Sample> {
        let sample = |game: u32| Sample {
            estimates: vec![79, 0],
            found: three_to_one(),
            got: if game % 100 < won { vec![1.0, 0.0] } else { vec![0.0, 1.0] },
        };
        (0..400).map(sample).collect()
    }

    #[test]
    fn the_lead_is_found_again() {
        // With a lead of 50, 3 of 4 games are won by who leads by 79 (2^(79/50) = 3).
        let samples = samples(75);
        let lead = fit_lead(&samples);
        assert!((47..=53).contains(&lead), "{lead}");
        let raw = brier(&samples, |sample| stated(&sample.found, NEUTRAL));
        assert!((raw - brier(&samples, |sample| chances(&sample.estimates, lead.into()))).abs() < 1e-3);
        assert!(raw < brier(&samples, |_| vec![0.5, 0.5]));
    }

    #[test]
    fn sharpness_makes_up_for_timid_and_bold_chances() {
        assert_eq!(fit_sharpness(&samples(75)), NEUTRAL);
        // 3² to 1 is 90 %; √3 to 1 is 63 %; powers are taken on straight lines, so about.
        let (bold, timid) = (fit_sharpness(&samples(63)), fit_sharpness(&samples(90)));
        assert!((45..=55).contains(&bold) && (190..=220).contains(&timid), "{bold} {timid}");
    }
}

//! A player's estimated strength, and how a game changes it.

use serde::{Deserialize, Serialize};
use skillratings::glicko2::{self, Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{self, WengLinConfig, WengLinRating, weng_lin_multi_team};
use skillratings::{MultiTeamOutcome, Outcomes};

/// The value of a player without games.
const VALUE: f64 = 1500.0;

/// The deviation of a player without games, which is also the highest.
const DEVIATION_MAX: f64 = 350.0;

/// A rating with a higher deviation is provisional.
const DEVIATION_SETTLED: f64 = 110.0;

/// The Glicko-2 volatility of a player without games.
const VOLATILITY: f64 = 0.06;

/// How much volatilities change: the paper recommends 0.3 to 1.2, and 0.5 in its example.
const TAU: f64 = 0.5;

/// One unit of Glicko-2's own scale, in points.
///
/// # Source
/// Glickman, *Example of the Glicko-2 system* (2022), step 2.
const GLICKO_SCALE: f64 = 173.7178;

/// Weng and Lin's β, which is 25 / 6 where the deviation begins at 25 / 3, in points.
const BETA: f64 = DEVIATION_MAX / 2.0;

/// How much Weng–Lin deviations grow before each game, in points: 25 / 300 where they begin at 25 / 3.
///
/// # Source
/// `tau` of openskill (<https://openskill.me>), whose model has no other way back from certainty.
const DRIFT: f64 = DEVIATION_MAX / 100.0;

/// The most comparisons with others that a game counts as, for each player. The places of many players in one
/// game depend on each other: 12 comparisons at full weight would leave no uncertainty after a single game.
const COMPARISONS_MAX: f64 = 3.0;

/// One week in milliseconds. For deviations, a week without games is one rating period.
const WEEK_MS: f64 = 7.0 * 86_400_000.0;

/// A player's estimated strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill {
    /// The rating in points; 1500 for a player without games.
    pub value: f64,
    /// Its standard deviation in points.
    pub deviation: f64,
    /// How much the player's strength fluctuates; only Glicko-2 changes it.
    pub(super) volatility: f64,
}

impl Default for Skill {
    fn default() -> Self {
        Self { value: VALUE, deviation: DEVIATION_MAX, volatility: VOLATILITY }
    }
}

/// How the games of a kind are rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// Glicko-2, for kinds with two seats. Each game is a rating period of its own.
    ///
    /// # Source
    /// Glickman, *Example of the Glicko-2 system* (2022).
    Glicko2,
    /// Weng and Lin's Bradley–Terry model with full pairs, for kinds with more seats; with more than four players,
    /// a game counts as three comparisons for each.
    ///
    /// # Source
    /// Weng and Lin, *A Bayesian approximation method for online ranking* (2011), algorithm 1.
    WengLin,
}

impl Method {
    /// The method for a kind with at most this many seats.
    pub fn for_seats(seats_max: u8) -> Self {
        if seats_max == 2 { Self::Glicko2 } else { Self::WengLin }
    }

    /// The skill at a game that begins this many milliseconds after the player's last one.
    pub fn grown(self, skill: Skill, pause_ms: i64) -> Skill {
        let weeks = pause_ms.max(0) as f64 / WEEK_MS;
        let growth = match self {
            Self::Glicko2 => skill.volatility * GLICKO_SCALE * weeks.sqrt(),
            Self::WengLin => DRIFT * (weeks + 1.0).sqrt(),
        };
        Skill { deviation: skill.deviation.hypot(growth).min(DEVIATION_MAX), ..skill }
    }

    /// The skills after a game, given the skills before it and the places, lowest best; equal places are
    /// draws. At least two players.
    pub fn rate(self, players: &[(Skill, u8)]) -> Vec<Skill> {
        if let (Self::Glicko2, [(one, first), (other, second)]) = (self, players) {
            let outcome = match first.cmp(second) {
                std::cmp::Ordering::Less => Outcomes::WIN,
                std::cmp::Ordering::Equal => Outcomes::DRAW,
                std::cmp::Ordering::Greater => Outcomes::LOSS,
            };
            let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
            let (one, other) = glicko2(&one.glicko(), &other.glicko(), &outcome, &config);
            return [one, other].map(Skill::from_glicko).to_vec();
        }
        let ratings: Vec<[WengLinRating; 1]> = players.iter().map(|(skill, _)| [skill.weng_lin()]).collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = ratings
            .iter()
            .zip(players)
            .map(|(rating, (_, place))| (rating.as_slice(), MultiTeamOutcome::new(usize::from(*place))))
            .collect();
        let rated = weng_lin_multi_team(&teams, &weng_lin_config());
        let weight = (COMPARISONS_MAX / (players.len() as f64 - 1.0)).min(1.0);
        let skill = |(team, (before, _)): (Vec<WengLinRating>, &(Skill, u8))| before.moved(team[0], weight);
        rated.into_iter().zip(players).map(skill).collect()
    }

    /// What each of these players can expect: with two, the score, where a win counts 1 and a draw ½; with
    /// more, the probability of winning. The values add up to 1.
    pub fn expected(self, players: &[Skill]) -> Vec<f64> {
        if let (Self::Glicko2, [one, other]) = (self, players) {
            let (first, second) = glicko2::expected_score(&one.glicko(), &other.glicko());
            return vec![first, second];
        }
        // The library adds up all variances, as it does for two teams. Two average players have this share of
        // them.
        let part = (2.0 / players.len() as f64).sqrt();
        let rating = |skill: &Skill| Skill { deviation: skill.deviation * part, ..*skill }.weng_lin();
        let ratings: Vec<[WengLinRating; 1]> = players.iter().map(|skill| [rating(skill)]).collect();
        let teams: Vec<&[WengLinRating]> = ratings.iter().map(<[_; 1]>::as_slice).collect();
        weng_lin::expected_score_multi_team(&teams, &weng_lin_config())
    }
}

fn weng_lin_config() -> WengLinConfig {
    WengLinConfig { beta: BETA, ..WengLinConfig::new() }
}

impl Skill {
    fn glicko(self) -> Glicko2Rating {
        Glicko2Rating { rating: self.value, deviation: self.deviation, volatility: self.volatility }
    }

    fn from_glicko(Glicko2Rating { rating, deviation, volatility }: Glicko2Rating) -> Self {
        Self { value: rating, deviation, volatility }
    }

    fn weng_lin(self) -> WengLinRating {
        WengLinRating { rating: self.value, uncertainty: self.deviation }
    }

    /// Moves part of the way to a Weng–Lin rating: a share of the change in value, and of the share of the
    /// variance that is lost.
    fn moved(self, to: WengLinRating, weight: f64) -> Self {
        let left = (to.uncertainty / self.deviation).powi(2);
        let value = self.value + weight * (to.rating - self.value);
        Self { value, deviation: self.deviation * (1.0 - weight * (1.0 - left)).sqrt(), ..self }
    }

    /// Whether too little is known to compare the rating with others.
    pub fn is_provisional(self) -> bool {
        self.deviation > DEVIATION_SETTLED
    }
}

//! The names of tie-breaks and their modifiers: `BH/C1`, `KS/L+1`, `ARO/U1400`.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::Points;

/// What a tie-break compares, by the FIDE rules C.07; the names are those of its article 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// `DE`: direct encounter (6).
    DirectEncounter,
    /// `WIN`: rounds with as many points as for a win, played or not (7.1).
    Wins,
    /// `WON`: games won at the table (7.2).
    GamesWon,
    /// `BPG`: games played with the second seat (7.3).
    SecondSeatGames,
    /// `BWG`: games won with the second seat (7.4).
    SecondSeatWins,
    /// `PS`: progressive scores (7.5).
    Progressive,
    /// `REP`: rounds that the entrant elected to play (7.6).
    RoundsElected,
    /// `STD`: standard points, 1/½/0 whatever the scoring (7.7).
    StandardPoints,
    /// `TPN`: the number in the tournament (7.8).
    Number,
    /// `BH`: Buchholz (8.1).
    Buchholz,
    /// `AOB`: average of the opponents' Buchholz (8.2).
    AverageBuchholz,
    /// `FB`: Fore Buchholz (8.3).
    ForeBuchholz,
    /// `SB`: Sonneborn-Berger (9.1).
    SonnebornBerger,
    /// `KS`: Koya system (9.2).
    Koya,
    /// `ARO`: average rating of the opponents (10.1).
    AverageRating,
    /// `TPR`: tournament performance rating (10.2).
    Performance,
    /// `PTP`: perfect tournament performance (10.3).
    PerfectPerformance,
    /// `APRO`: average performance rating of the opponents (10.4).
    AveragePerformance,
    /// `APPO`: average perfect performance of the opponents (10.5).
    AveragePerfectPerformance,
    /// `RTNG`: the rating (10.6).
    Rating,
}

use Criterion::{
    AverageBuchholz, AveragePerfectPerformance, AveragePerformance, AverageRating, Buchholz, DirectEncounter,
    ForeBuchholz, GamesWon, Koya, Number, PerfectPerformance, Performance, Progressive, Rating, RoundsElected,
    SecondSeatGames, SecondSeatWins, SonnebornBerger, StandardPoints, Wins,
};

/// What is known about a criterion.
struct About {
    criterion: Criterion,
    acronym: &'static str,
    name: &'static str,
    modifiers: &'static [Kind],
    /// Whether it is defined for tables of more than two seats.
    is_for_more_seats: bool,
}

/// The sorts of modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cut,
    Median,
    Limit,
    Forfeits,
    Fore,
    Reversed,
    Unrated,
}

impl Kind {
    /// How it is written.
    fn form(self) -> &'static str {
        match self {
            Self::Cut => "/C1 to /C9",
            Self::Median => "/M1 to /M9",
            Self::Limit => "/L+1 to /L+9, /L-1 to /L-9 (half points) or /L1 to /L100 (percent)",
            Self::Forfeits => "/P",
            Self::Fore => "/F",
            Self::Reversed => "/R",
            Self::Unrated => "/U1 to /U4000 (the rating of those who have none)",
        }
    }
}

const fn about(
    criterion: Criterion,
    acronym: &'static str,
    name: &'static str,
    modifiers: &'static [Kind],
    is_for_more_seats: bool,
) -> About {
    About { criterion, acronym, name, modifiers, is_for_more_seats }
}

const CUTS: &[Kind] = &[Kind::Cut, Kind::Median, Kind::Forfeits];
const RATED: &[Kind] = &[Kind::Unrated];

/// All criteria, in the order of the rules.
const CRITERIA: [About; 20] = [
    about(DirectEncounter, "DE", "Direct encounter", &[Kind::Forfeits], true),
    about(Wins, "WIN", "Rounds won", &[], true),
    about(GamesWon, "WON", "Games won", &[], true),
    about(SecondSeatGames, "BPG", "Games with the second seat", &[], false),
    about(SecondSeatWins, "BWG", "Games won with the second seat", &[], false),
    about(Progressive, "PS", "Progressive scores", &[Kind::Cut], true),
    about(RoundsElected, "REP", "Rounds one elected to play", &[], true),
    about(StandardPoints, "STD", "Standard points", &[], false),
    about(Number, "TPN", "Number in the tournament", &[Kind::Reversed], true),
    about(Buchholz, "BH", "Buchholz", CUTS, true),
    about(AverageBuchholz, "AOB", "Average of opponents' Buchholz", &[Kind::Fore], true),
    about(ForeBuchholz, "FB", "Fore Buchholz", CUTS, false),
    about(SonnebornBerger, "SB", "Sonneborn-Berger", &[Kind::Cut, Kind::Forfeits], true),
    about(Koya, "KS", "Koya system", &[Kind::Limit], false),
    about(AverageRating, "ARO", "Average rating of opponents", &[Kind::Cut, Kind::Median, Kind::Unrated], true),
    about(Performance, "TPR", "Performance rating", RATED, false),
    about(PerfectPerformance, "PTP", "Perfect performance", RATED, false),
    about(AveragePerformance, "APRO", "Average of opponents' performance ratings", RATED, false),
    about(AveragePerfectPerformance, "APPO", "Average of opponents' perfect performance", RATED, false),
    about(Rating, "RTNG", "Rating", &[Kind::Reversed, Kind::Unrated], true),
];

impl Criterion {
    /// All criteria, in the order of the rules.
    pub fn all() -> impl Iterator<Item = Self> {
        CRITERIA.iter().map(|about| about.criterion)
    }

    fn about(self) -> &'static About {
        CRITERIA.iter().find(|about| about.criterion == self).expect("every criterion is in the list")
    }

    /// The acronym, such as `BH`.
    pub fn acronym(self) -> &'static str {
        self.about().acronym
    }

    /// The name, such as `Buchholz`.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Whether it compares ratings, so that an entrant without one makes it meaningless.
    pub fn needs_ratings(self) -> bool {
        self.about().modifiers.contains(&Kind::Unrated)
    }
}

/// Koya's limit for opponents: the share of the possible points that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// Half of them, plus or minus this many half points.
    Half(i8),
    /// This many percent of them.
    Percent(u8),
}

/// A criterion with its modifiers. Text both ways: `BH/C1`, `DE/P`, `KS/L+1`, `ARO/C1/U1400`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TieBreak {
    /// What is compared.
    pub criterion: Criterion,
    /// How many of the least significant values are cut (14.1, 14.2).
    pub cut_low: u8,
    /// How many of the most significant values are cut after those (14.3, 14.4).
    pub cut_high: u8,
    /// Koya's limit for opponents (14.5).
    pub limit: Limit,
    /// Whether forfeits count as games against the scheduled opponent (`/P`).
    pub counts_forfeits: bool,
    /// Whether the average is that of Fore Buchholz (`/F`).
    pub is_fore: bool,
    /// Whether the order is reversed (`/R`).
    pub is_reversed: bool,
    /// The rating assumed for entrants without one (`/U`).
    pub unrated: Option<u16>,
}

plybook_events::as_text!(TieBreak);

/// Why a text does not name a tie-break, or why a tie-break does not suit a tournament.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TieBreakError {
    /// No criterion has this name.
    #[error("there is no tie-break {text:?}; there are {}", list())]
    Unknown {
        /// What was written.
        text: String,
    },
    /// The criterion does not take this modifier.
    #[error("{acronym} takes no modifier {modifier:?}; it takes {forms}")]
    Modifier {
        /// The criterion.
        acronym: &'static str,
        /// What was written.
        modifier: String,
        /// What may be written.
        forms: String,
    },
    /// The criterion is defined for games of two seats only.
    #[error(
        "{tie_break} is defined for tables of two seats, and tables may have {seats} here; for more seats there are {}",
        list_for_more_seats()
    )]
    Seats {
        /// The tie-break.
        tie_break: TieBreak,
        /// The most seats at a table.
        seats: u8,
    },
    /// Everybody meets everybody, so that Buchholz says nothing.
    #[error(
        "{tie_break} must not be used in a round robin, where it only repeats the points (C.07, 8); SB, DE, WIN and KS are usual there"
    )]
    RoundRobin {
        /// The tie-break.
        tie_break: TieBreak,
    },
    /// A modifier is named twice, or two that exclude each other are.
    #[error("{text} contradicts itself: name each modifier once, and one of /C and /M")]
    Contradiction {
        /// What was written.
        text: String,
    },
    /// It is in the list already, perhaps in reverse, which separates nobody who is still tied.
    #[error("{tie_break} is in the list twice")]
    Twice {
        /// The tie-break.
        tie_break: TieBreak,
    },
}

/// The facts about standings that tie-breaks depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suitability {
    /// The most seats that tables may have.
    pub seats: RangeInclusive<u8>,
    /// Whether everybody meets everybody.
    pub is_round_robin: bool,
}

fn list() -> String {
    Criterion::all().map(Criterion::acronym).collect::<Vec<_>>().join(", ")
}

fn list_for_more_seats() -> String {
    let fit = CRITERIA.iter().filter(|about| about.is_for_more_seats);
    fit.map(|about| about.acronym).collect::<Vec<_>>().join(", ")
}

impl From<Criterion> for TieBreak {
    fn from(criterion: Criterion) -> Self {
        Self {
            criterion,
            cut_low: 0,
            cut_high: 0,
            limit: Limit::Half(0),
            counts_forfeits: false,
            is_fore: false,
            is_reversed: false,
            unrated: None,
        }
    }
}

impl TieBreak {
    /// Every tie-break in words: name, acronym, and the modifiers that it takes.
    pub fn help() -> impl Iterator<Item = (&'static str, &'static str, String)> {
        CRITERIA.iter().map(|about| (about.acronym, about.name, about.forms()))
    }

    /// Whether more is better.
    pub fn is_higher_better(&self) -> bool {
        let is_usual = !matches!(self.criterion, DirectEncounter | Number);
        is_usual != self.is_reversed
    }

    /// Checks a list of tie-breaks against the facts about the tournament.
    ///
    /// # Errors
    /// The first tie-break that does not suit it, or is there twice.
    pub fn check_all(list: &[Self], what: &Suitability) -> Result<(), TieBreakError> {
        for (index, tie_break) in list.iter().enumerate() {
            tie_break.check(what)?;
            // Direct encounter may be used again once other tie-breaks have separated some of the tied.
            let reversed = Self { is_reversed: !tie_break.is_reversed, ..*tie_break };
            let is_known = |other: &Self| other == tie_break || *other == reversed;
            if tie_break.criterion != DirectEncounter && list[..index].iter().any(is_known) {
                return Err(TieBreakError::Twice { tie_break: *tie_break });
            }
        }
        Ok(())
    }

    /// Checks a tie-break against the facts about the tournament.
    ///
    /// # Errors
    /// [`TieBreakError::Seats`] or [`TieBreakError::RoundRobin`].
    pub fn check(&self, what: &Suitability) -> Result<(), TieBreakError> {
        if *what.seats.end() > 2 && !self.criterion.about().is_for_more_seats {
            return Err(TieBreakError::Seats { tie_break: *self, seats: *what.seats.end() });
        }
        let is_buchholz = matches!(self.criterion, Buchholz | AverageBuchholz | ForeBuchholz);
        if what.is_round_robin && is_buchholz { Err(TieBreakError::RoundRobin { tie_break: *self }) } else { Ok(()) }
    }

    /// Applies one modifier, without its slash.
    fn modify(&mut self, modifier: &str) -> Result<(), TieBreakError> {
        let about = self.criterion.about();
        let refused =
            || TieBreakError::Modifier { acronym: about.acronym, modifier: modifier.to_owned(), forms: about.forms() };
        let mut characters = modifier.chars();
        let kind = match characters.next() {
            Some('C') => Kind::Cut,
            Some('M') => Kind::Median,
            Some('L') => Kind::Limit,
            Some('P') => Kind::Forfeits,
            Some('F') => Kind::Fore,
            Some('R') => Kind::Reversed,
            Some('U') => Kind::Unrated,
            _ => return Err(refused()),
        };
        let rest = characters.as_str();
        let is_plain = rest.bytes().all(|byte| byte.is_ascii_digit());
        let number =
            |most: u16| rest.parse::<u16>().ok().filter(|n| is_plain && (1..=most).contains(n)).ok_or_else(refused);
        if !about.modifiers.contains(&kind) {
            return Err(refused());
        }
        match kind {
            Kind::Cut => self.cut_low = number(9)? as u8,
            Kind::Median => {
                self.cut_low = number(9)? as u8;
                self.cut_high = self.cut_low;
            }
            Kind::Unrated => self.unrated = Some(number(4000)?),
            Kind::Limit => self.limit = Limit::parse(rest).ok_or_else(refused)?,
            Kind::Forfeits if rest.is_empty() => self.counts_forfeits = true,
            Kind::Fore if rest.is_empty() => self.is_fore = true,
            Kind::Reversed if rest.is_empty() => self.is_reversed = true,
            Kind::Forfeits | Kind::Fore | Kind::Reversed => return Err(refused()),
        }
        Ok(())
    }
}

impl About {
    fn forms(&self) -> String {
        if self.modifiers.is_empty() {
            return "none".to_owned();
        }
        self.modifiers.iter().map(|kind| kind.form()).collect::<Vec<_>>().join(", ")
    }
}

impl Limit {
    fn parse(text: &str) -> Option<Self> {
        if let Some(steps) = text.strip_prefix('+') {
            return Self::steps(steps).map(Self::Half);
        }
        if let Some(steps) = text.strip_prefix('-') {
            return Self::steps(steps).map(|steps| Self::Half(-steps));
        }
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|percent| is_plain && (1..=100).contains(percent)).map(Self::Percent)
    }

    fn steps(text: &str) -> Option<i8> {
        text.parse().ok().filter(|steps| text.len() == 1 && (1..=9).contains(steps))
    }

    /// The fewest points that an opponent needs, given the possible points.
    pub fn least(self, most: Points) -> Points {
        match self {
            // Rounded up: half of 1.5 points is reached with 0.8.
            Self::Half(steps) => Points((most.0.div_ceil(2)).saturating_add_signed(5 * i32::from(steps))),
            Self::Percent(percent) => Points((most.0 * u32::from(percent)).div_ceil(100)),
        }
    }
}

impl FromStr for TieBreak {
    type Err = TieBreakError;

    /// Reads an acronym with modifiers; lower case, and `GE` for `REP`, are accepted too.
    fn from_str(text: &str) -> Result<Self, TieBreakError> {
        let upper = text.trim().to_ascii_uppercase();
        let mut parts = upper.split('/');
        let acronym = parts.next().unwrap_or_default();
        let acronym = if acronym == "GE" { "REP" } else { acronym };
        let about = CRITERIA.iter().find(|about| about.acronym == acronym);
        let about = about.ok_or_else(|| TieBreakError::Unknown { text: text.chars().take(40).collect() })?;
        let mut tie_break = Self::from(about.criterion);
        let mut seen = BTreeSet::new();
        for modifier in parts {
            tie_break.modify(modifier)?;
            // A cut and a median say the same in two ways.
            let letter = modifier.chars().next().map(|letter| if letter == 'M' { 'C' } else { letter });
            if !seen.insert(letter) {
                return Err(TieBreakError::Contradiction { text: text.chars().take(40).collect() });
            }
        }
        Ok(tie_break)
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.criterion.acronym())?;
        match (self.cut_low, self.cut_high) {
            (0, _) => {}
            (low, 0) => write!(f, "/C{low}")?,
            (low, _) => write!(f, "/M{low}")?,
        }
        match self.limit {
            Limit::Half(0) => {}
            Limit::Half(steps) => write!(f, "/L{steps:+}")?,
            Limit::Percent(percent) => write!(f, "/L{percent}")?,
        }
        for (is_on, modifier) in [(self.counts_forfeits, "/P"), (self.is_fore, "/F"), (self.is_reversed, "/R")] {
            if is_on {
                f.write_str(modifier)?;
            }
        }
        self.unrated.map_or(Ok(()), |rating| write!(f, "/U{rating}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_goes_both_ways() {
        for text in ["DE", "DE/P", "WIN", "BH", "BH/C1", "BH/C2/P", "BH/M1", "FB/M2", "SB/C1", "PS/C2", "AOB/F"]
            .into_iter()
            .chain(["KS", "KS/L+1", "KS/L-3", "KS/L60", "ARO/C1/U1400", "TPR", "TPN/R", "RTNG/R/U1000", "REP", "STD"])
        {
            let tie_break: TieBreak = text.parse().unwrap();
            assert_eq!(tie_break.to_string(), text);
            let json = serde_json::to_string(&tie_break).unwrap();
            assert_eq!(serde_json::from_str::<TieBreak>(&json).unwrap(), tie_break);
        }
        assert_eq!(" bh/c1".parse::<TieBreak>().unwrap().to_string(), "BH/C1");
        assert_eq!("GE".parse::<TieBreak>().unwrap().to_string(), "REP");
    }

    #[test]
    fn refusals_say_what_there_is() {
        let refused = |text: &str| text.parse::<TieBreak>().unwrap_err().to_string();
        assert!(refused("BUCHHOLZ").contains("there are DE, WIN, WON, BPG"));
        assert_eq!(refused("WIN/C1"), r#"WIN takes no modifier "C1"; it takes none"#);
        assert!(refused("BH/C0").ends_with("it takes /C1 to /C9, /M1 to /M9, /P"));
        for text in ["BH/C1/M1", "BH/M1/C2", "BH/C1/C2", "KS/L+1/L60", "BH/P/P"] {
            assert!(refused(text).starts_with(&format!("{text} contradicts itself")), "{text}");
        }
        for text in
            ["", "/", "BH/", "BH/C", "BH/C10", "BH/C+1", "BH/Px", "KS/L", "KS/L0", "KS/L101", "KS/L+10", "ARO/U0"]
        {
            assert!(text.parse::<TieBreak>().is_err(), "{text}");
        }
    }

    #[test]
    fn tie_breaks_are_checked_against_the_tournament() {
        let check = |list: &[&str], most: u8, is_round_robin: bool| {
            let list: Vec<TieBreak> = list.iter().map(|text| text.parse().unwrap()).collect();
            TieBreak::check_all(&list, &Suitability { seats: 2..=most, is_round_robin }).map_err(|no| no.to_string())
        };
        assert_eq!(check(&["DE", "BH/C1", "BH", "DE"], 2, false), Ok(()));
        assert!(check(&["BH"], 2, true).unwrap_err().starts_with("BH must not be used in a round robin"));
        assert!(check(&["BH", "TPR"], 4, false).unwrap_err().starts_with("TPR is defined for tables of two seats"));
        assert_eq!(check(&["SB", "SB"], 2, false), Err("SB is in the list twice".to_owned()));
        assert_eq!(check(&["RTNG", "RTNG/R"], 2, false), Err("RTNG/R is in the list twice".to_owned()));
    }
}

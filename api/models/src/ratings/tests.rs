//! Figures from other implementations, calibration on games of known strength, and rating games again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use plybook_events::LogId;
use plybook_generator::{GeneratedLog, Plan};
use plybook_rules::kinds;
use plybook_store::{Append, Options, Store};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use super::game::{Key, RatedGame, RatedSeat};
use super::model::{FOLDER, Ratings, VERSION};
use super::skill::{Method, Skill};
use super::timeline::Timeline;
use crate::catalogue::Catalogue;
use crate::snapshot::SnapshotFile;

fn skill(value: f64, deviation: f64, volatility: f64) -> Skill {
    Skill { value, deviation, volatility }
}

/// The lines of a file of known figures: the values of each player before and after a game.
fn known(name: &str) -> Vec<[Vec<Vec<f64>>; 2]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/ratings").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.starts_with("# Source: "));
    let player = |word: &str| word.split('/').map(|number| number.parse().unwrap()).collect();
    let side = |text: &str| text.split_whitespace().map(player).collect();
    let line = |line: &str| line.split_once(" -> ").map(|(before, after)| [side(before), side(after)]).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(line).collect()
}

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() < tolerance, "{found} is not {wanted}");
}

/// Glickman, *Example of the Glicko-2 system* (2022): three games in one rating period.
#[test]
fn the_papers_example_comes_out_as_in_the_paper() {
    let rating = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
    let games = [
        (rating(1400.0, 30.0), Outcomes::WIN),
        (rating(1550.0, 100.0), Outcomes::LOSS),
        (rating(1700.0, 300.0), Outcomes::LOSS),
    ];
    let config = Glicko2Config { tau: 0.5, ..Glicko2Config::new() };
    let after = glicko2_rating_period(&rating(1500.0, 200.0), &games, &config);
    close(after.rating, 1464.06, 0.01);
    close(after.deviation, 151.52, 0.01);
    close(after.volatility, 0.059_99, 0.000_01);
}

#[test]
fn games_of_two_are_rated_as_by_another_implementation_of_glicko_2() {
    let games = known("glicko-2.txt");
    assert!(games.len() > 10);
    for [before, after] in games {
        let players: Vec<(Skill, u8)> = before.iter().map(|p| (skill(p[0], p[1], p[2]), p[3] as u8)).collect();
        for (found, wanted) in Method::Glicko2.rate(&players).into_iter().zip(after) {
            close(found.value, wanted[0], 1e-3);
            close(found.deviation, wanted[1], 1e-3);
            close(found.volatility, wanted[2], 1e-5);
        }
    }
}

#[test]
fn games_of_more_are_rated_as_by_another_implementation_of_weng_lin() {
    let games = known("weng-lin.txt");
    assert!(games.iter().any(|[before, _]| before.len() == 13));
    for [before, after] in games {
        // openskill adds to deviations when it rates.
        let grown = |p: &Vec<f64>| skill(p[0], p[1].hypot(3.5), 0.06);
        let players: Vec<(Skill, u8)> = before.iter().map(|p| (grown(p), p[2] as u8)).collect();
        // Of many comparisons, three count.
        let weight = (3.0 / (players.len() as f64 - 1.0)).min(1.0);
        for ((found, wanted), (before, _)) in Method::WengLin.rate(&players).into_iter().zip(after).zip(players) {
            close(found.value - before.value, weight * (wanted[0] - before.value), 1e-3);
            let gone = |after: f64| 1.0 - (after / before.deviation).powi(2);
            // The floors of the two differ.
            close(gone(found.deviation), weight * gone(wanted[1]), if wanted[1] < 5.0 { 1e-3 } else { 1e-6 });
        }
    }
}

#[test]
fn a_game_of_many_leaves_much_uncertain() {
    for seats in [3, 7, 13] {
        let mut players = vec![(skill(1500.0, 60.0, 0.06), 2); seats];
        players[0] = (Skill::default(), 1);
        let after = Method::WengLin.rate(&players)[0];
        assert!(after.deviation > 200.0 && after.value < 2000.0, "{seats}: {after:?}");
    }
}

#[test]
fn a_pause_makes_a_rating_less_certain_and_never_more_than_at_first() {
    const WEEK: i64 = 7 * 86_400_000;
    for method in [Method::Glicko2, Method::WengLin] {
        let settled = skill(1700.0, 60.0, 0.06);
        let after = |weeks: i64| method.grown(settled, weeks * WEEK).deviation;
        assert!(after(0) < after(1) && after(1) < after(52) && after(1_000_000) <= 350.0, "{method:?}");
        assert_eq!(method.grown(settled, -5).deviation.to_bits(), after(0).to_bits(), "{method:?}");
        assert_eq!(method.grown(settled, WEEK).value.to_bits(), settled.value.to_bits());
    }
    close(Method::Glicko2.grown(skill(1700.0, 60.0, 0.06), 52 * WEEK).deviation, 96.2, 0.1);
}

/// Numbers that look random but are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Strictly between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.below(1 << 30) as f64 + 0.5) / f64::from(1 << 30)
    }

    /// Strengths distributed as among people.
    fn strength(&mut self) -> f64 {
        1500.0 + 250.0 * ((0..12).map(|_| self.unit()).sum::<f64>() - 6.0)
    }
}

fn id(n: u64) -> LogId {
    LogId::from_bytes(u128::from(n).to_be_bytes())
}

fn game(n: u64, at_ms: i64, seats: &[(u64, u8)]) -> (LogId, Option<RatedGame>) {
    let seat = |(player, place): &(u64, u8)| RatedSeat { player: id(*player), place: *place };
    (id(n), Some(RatedGame { key: (at_ms, id(n)), seats: seats.iter().map(seat).collect() }))
}

/// Expectations in tenths: their number, their mean, and the mean of the results.
type Reliability = BTreeMap<u64, (u32, f64, f64)>;

fn count(table: &mut Reliability, expected: f64, came: f64) {
    let tenth = table.entry((expected * 10.0) as u64).or_default();
    *tenth = (tenth.0 + 1, tenth.1 + expected, tenth.2 + came);
}

/// Prints the table, and checks each tenth that has enough expectations.
fn check(name: &str, table: &Reliability, tolerance: f64) {
    println!("{name}\n| expected | how often | mean of the expected | what came |\n|---|---:|---:|---:|");
    for (tenth, (often, expected, came)) in table {
        let (expected, came) = (expected / f64::from(*often), came / f64::from(*often));
        println!("| 0.{tenth} to {:.1} | {often} | {expected:.3} | {came:.3} |", (tenth + 1) as f64 / 10.0);
        assert!(
            *often < 400 || (expected - came).abs() < tolerance,
            "{name}: {expected:.3} was expected, {came:.3} came"
        );
    }
    assert!(table.values().filter(|(often, ..)| *often >= 400).count() >= 5, "{name}: too few to tell");
}

/// Games between two of 100 players of known strength, one every ten minutes. The first quarter is not
/// counted.
#[test]
fn expected_scores_of_two_are_calibrated() {
    const GAMES: u64 = 20_000;
    let mut dice = Dice(3);
    let strengths: Vec<f64> = (0..100).map(|_| dice.strength()).collect();
    let mut timeline = Timeline::new(Method::Glicko2);
    let mut table = Reliability::new();
    for n in 0..GAMES {
        let one = dice.below(100);
        let other = (one + 1 + dice.below(99)) % 100;
        let at_ms = n as i64 * 600_000;
        let apart = strengths[one as usize] - strengths[other as usize];
        let chance = 1.0 / (1.0 + 10_f64.powf(-apart / 400.0));
        // One game in five is drawn if the chances are even, fewer if they are not.
        let draws = 0.8 * chance * (1.0 - chance);
        let drawn = dice.unit();
        let score =
            if drawn < chance - draws / 2.0 { 1.0 } else { f64::from(u8::from(drawn < chance + draws / 2.0)) / 2.0 };
        if n >= GAMES / 4 {
            count(&mut table, timeline.expected(&[id(one), id(other)], at_ms)[0], score);
        }
        let place = |score: f64| 3 - (2.0 * score) as u8;
        timeline.update([game(1_000 + n, at_ms, &[(one, place(score)), (other, place(1.0 - score))])]);
    }
    check("two players, Glicko-2", &table, 0.04);
}

/// Games among some of 100 players of known strength. Of any two, the stronger finishes ahead with the same
/// probability, whoever else plays.
fn check_chances(seats: usize, games: u64) {
    let mut dice = Dice(5);
    let strengths: Vec<f64> = (0..100).map(|_| dice.strength()).collect();
    let mut timeline = Timeline::new(Method::WengLin);
    let mut table = Reliability::new();
    for n in 0..games {
        let mut players: Vec<u64> = Vec::new();
        while players.len() < seats {
            let player = dice.below(100);
            if !players.contains(&player) {
                players.push(player);
            }
        }
        let at_ms = n as i64 * 600_000;
        // Gumbel noise with a scale of 400 / ln 10 points.
        let shown: Vec<f64> =
            players.iter().map(|player| strengths[*player as usize] - 173.7 * (-dice.unit().ln()).ln()).collect();
        let place = |mine: f64| 1 + shown.iter().filter(|other| **other > mine).count() as u8;
        let places: Vec<u8> = shown.iter().map(|mine| place(*mine)).collect();
        if n >= games / 4 {
            let ids: Vec<LogId> = players.iter().map(|player| id(*player)).collect();
            for (expected, place) in timeline.expected(&ids, at_ms).into_iter().zip(&places) {
                count(&mut table, expected, f64::from(u8::from(*place == 1)));
            }
        }
        let seats: Vec<(u64, u8)> = players.into_iter().zip(places).collect();
        timeline.update([game(1_000 + n, at_ms, &seats)]);
    }
    check(&format!("{seats} players, Weng–Lin"), &table, 0.04);
}

#[test]
fn chances_of_four_are_calibrated() {
    check_chances(4, 15_000);
}

#[test]
fn chances_of_thirteen_are_calibrated() {
    check_chances(13, 8_000);
}

/// Everything in a timeline, floats as their bits.
fn told(timeline: &Timeline) -> Vec<String> {
    let bits = |skill: Skill| {
        format!("{:x} {:x} {:x}", skill.value.to_bits(), skill.deviation.to_bits(), skill.volatility.to_bits())
    };
    let mut told: Vec<String> = timeline
        .players()
        .map(|(player, form)| {
            let curve =
                timeline.history(player, usize::MAX).into_iter().map(|(key, skill)| format!("{key:?} {}", bits(skill)));
            format!("{player} {} {} {} {:?}", bits(form.skill), form.games, form.last_ms, curve.collect::<Vec<_>>())
        })
        .collect();
    told.sort();
    told
}

#[test]
fn whatever_comes_late_changes_or_goes_the_ratings_are_those_of_the_games_in_their_order() {
    for method in [Method::Glicko2, Method::WengLin] {
        let mut dice = Dice(7);
        let mut timeline = Timeline::new(method);
        let mut games: BTreeMap<u64, (i64, Vec<(u64, u8)>)> = BTreeMap::new();
        let mut averages: BTreeMap<LogId, Option<f32>> = BTreeMap::new();
        for step in 0..150 {
            let mut changes = Vec::new();
            for _ in 0..=dice.below(4) {
                let n = 100 + dice.below(60);
                if dice.below(4) == 0 {
                    games.remove(&n);
                    changes.push((id(n), None));
                } else {
                    let first = dice.below(12);
                    let seats = (0..if method == Method::Glicko2 { 2 } else { 2 + dice.below(4) })
                        .map(|seat| ((first + seat) % 12, 1 + dice.below(3) as u8))
                        .collect::<Vec<_>>();
                    // Some end at the same moment.
                    let at_ms = dice.below(40) as i64 * 86_400_000;
                    changes.push(game(n, at_ms, &seats));
                    games.insert(n, (at_ms, seats));
                }
            }
            averages.extend(timeline.update(changes));
            let mut fresh = Timeline::new(method);
            let all = fresh.update(games.iter().map(|(n, (at_ms, seats))| game(*n, *at_ms, seats)));
            assert_eq!(told(&timeline), told(&fresh), "step {step}");
            averages.retain(|id, average| average.is_some() || fresh.history(*id, 1).is_empty());
            for (game, average) in all {
                assert_eq!(averages.get(&game).copied().flatten().map(f32::to_bits), average.map(f32::to_bits));
            }
        }
        timeline.update(games.keys().map(|n| (id(*n), None)));
        assert!(told(&timeline).is_empty());
    }
}

#[test]
fn a_rating_before_a_game_is_that_after_the_one_before() {
    const WEEK: i64 = 7 * 86_400_000;
    let mut timeline = Timeline::new(Method::Glicko2);
    timeline.update([game(101, 0, &[(1, 1), (2, 2)]), game(102, 4 * WEEK, &[(1, 2), (2, 1)])]);
    let key = |n: u64, at_ms: i64| -> Key { (at_ms, id(n)) };
    assert_eq!(timeline.form_before(id(1), key(101, 0)), None);
    let before = timeline.form_before(id(1), key(102, 4 * WEEK)).unwrap();
    let first = timeline.history(id(1), 2)[0].1;
    assert!(before.games == 1 && before.skill.value > 1500.0);
    assert_eq!(before.skill.value.to_bits(), first.value.to_bits());
    assert!(before.skill.deviation > first.deviation, "four weeks have passed");
    assert_eq!(timeline.form_before(id(3), key(103, 9 * WEEK)), None);
}

/// What is said of all players of all kinds.
fn said(ratings: &Ratings, catalogue: &Catalogue) -> Vec<String> {
    let mut said = Vec::new();
    for rules in kinds() {
        let kind = rules.about().kind;
        for ranked in ratings.ranking(kind) {
            said.push(format!("{kind} {ranked:?} {:?}", ratings.history(kind, ranked.player, usize::MAX)));
        }
    }
    let known = catalogue.known();
    said.extend(known.games.all().map(|game| format!("{} {:?}", game.id, known.games.row(game.id))));
    said
}

#[test]
fn a_start_goes_on_from_what_was_saved() {
    let dir = tempfile::tempdir().unwrap();
    let plan = Plan::new(120, 3, None);
    let logs: Vec<_> = (0..120).map(|n| plan.game(n).unwrap()).collect();
    let open = || Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
    let append = |store: &Store, some: &[GeneratedLog]| {
        for log in some {
            let append = Append { log: log.log, expected: None, events: log.events.clone() };
            store.log().append_together(&[append]).unwrap();
        }
    };
    let expected = |store: &Store| {
        let fresh = Store::in_memory().unwrap();
        let entries = store.log().entries(0, usize::MAX).unwrap();
        for entry in entries {
            let head = fresh.log().head(entry.log);
            fresh.log().append(entry.log, head.as_ref(), vec![entry.bytes.to_vec()]).unwrap();
        }
        let catalogue = Catalogue::open(&fresh).unwrap();
        let ratings = Ratings::open(&fresh, &catalogue).unwrap();
        ratings.wait();
        said(&ratings, &catalogue)
    };
    {
        let store = open();
        let catalogue = Catalogue::open(&store).unwrap();
        let ratings = Ratings::open(&store, &catalogue).unwrap();
        append(&store, &logs[..80]);
        ratings.wait();
        drop(ratings);
        // Without the ratings of these games.
        catalogue.save();
        append(&store, &logs[80..]);
    }
    let folder = dir.path().join("sled/ratings");
    let snapshot = folder.join("snapshot");
    let whole = fs::read(&snapshot).unwrap();
    for damage in [None, Some(whole.len() / 3)] {
        let store = open();
        if let Some(at) = damage {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&snapshot, bytes).unwrap();
        }
        let saved = SnapshotFile::open(&store, FOLDER, VERSION.to_owned()).unwrap().unwrap();
        let saved = saved.read::<BTreeMap<String, Timeline>>();
        assert_eq!(saved.is_some(), damage.is_none());
        assert!(saved.is_none_or(|(kinds, position)| !kinds.is_empty() && position > 0));
        let catalogue = Catalogue::open(&store).unwrap();
        let ratings = Ratings::open(&store, &catalogue).unwrap();
        ratings.wait();
        assert_eq!(said(&ratings, &catalogue), expected(&store));
        drop(ratings);
        // As after a kill: what was saved before.
        fs::write(&snapshot, &whole).unwrap();
    }
}

//! Random tournaments of every format through their logs: the promises of the format hold, and every log
//! verifies.
//!
//! `PLYBOOK_TOURNAMENTS=1000 cargo test --release -p plybook-tournaments --test tournaments log::` plays a thousand of
//! each.

use std::collections::{BTreeMap, BTreeSet};

use plybook_events::Event;
use plybook_events::body::Bye;
use plybook_tournaments::log::{ResultSource, Round, Tournament, verify};
use plybook_tournaments::replay::differences;
use plybook_tournaments::trf::{Report, Version};
use plybook_tournaments::{
    Engine, Format, Free, Groups, KnockOut, Level, Pods, Reached, RoundRobin, Swiss, System, files,
};

use crate::common::logged::{Logged, Shown, pairs};
use crate::common::numbers::Numbers;
use crate::common::tournaments;

const FOR_TWO: &[&str] = &["DE", "BH/C1", "SB", "WIN", "ARO/U1400", "PS"];
const OTHERS: &[&str] = &["DE", "SB", "WIN", "PS", "TPN"];

/// Plays random tournaments of a format, and checks what holds for all of them.
fn play(first_seed: u64, make: impl Fn(&mut Numbers) -> (Format, (u8, u8), usize)) -> Vec<Logged> {
    let tie_breaks = |format: &Format| match format {
        Format::Swiss(_) => FOR_TWO,
        _ => OTHERS,
    };
    let play = |seed| {
        let mut numbers = Numbers(first_seed + seed);
        let (format, seats, entrants) = make(&mut numbers);
        let mut logged = Logged::new(&format, seats, entrants, tie_breaks(&format), numbers);
        logged.play(400);
        check_log(&logged);
        logged.tournament.rounds.iter().for_each(|round| check_round(&logged.tournament, round));
        check_games(&logged.tournament);
        logged
    };
    (0..tournaments()).map(play).collect()
}

/// The log verifies, with every pairing, and replaying it up to any moment gives what was shown then.
fn check_log(logged: &Logged) {
    let verified = verify(logged.tournament.id, &logged.lines, usize::MAX);
    assert_eq!(verified.fault, None);
    assert!(verified.unchecked.is_empty(), "{:?}", verified.unchecked);
    assert_eq!(verified.tournament.as_ref(), Some(&logged.tournament));
    let events: Vec<Event> = logged.lines.iter().map(|line| Event::parse(line).unwrap()).collect();
    for (count, shown) in &logged.shown {
        assert_eq!(Shown::of(&Tournament::fold(&events[..*count]).unwrap()), *shown, "after {count} events");
    }
}

/// Everybody who takes part in a round is there once.
fn check_round(tournament: &Tournament, round: &Round) {
    let mut here = BTreeSet::new();
    for entrant in round.everybody() {
        assert!(here.insert(entrant), "{entrant} is in round {} twice", round.number);
    }
    if !matches!(tournament.rules.format, Format::Swiss(_) | Format::Pods(_) | Format::Free(_)) {
        return;
    }
    let there = tournament.entrants().filter(|entrant| entrant.takes_part(round.number));
    assert_eq!(here, there.map(|entrant| entrant.number).collect(), "round {}", round.number);
}

/// Every table has a game, no game is at two tables, and no table is without a result unless it is adjourned.
fn check_games(tournament: &Tournament) {
    let mut games = BTreeSet::new();
    for table in tournament.rounds.iter().flat_map(|round| &round.tables) {
        assert!(!table.games.is_empty() && (table.result.is_some() || table.adjourned.is_some()), "{table:?}");
        for game in &table.games {
            assert!(games.insert(game.id), "{} is there twice", game.id);
        }
    }
}

/// How often any two entrants were at a table that was not decided by forfeit.
fn meetings(tournament: &Tournament, rounds: usize) -> BTreeMap<(u16, u16), usize> {
    let mut met = BTreeMap::new();
    for table in tournament.rounds.iter().take(rounds).flat_map(|round| &round.tables) {
        if table.result.as_ref().is_none_or(|result| result.source != ResultSource::Forfeit) {
            for pair in pairs(&table.seats) {
                *met.entry(pair).or_insert(0) += 1;
            }
        }
    }
    met
}

/// Nobody meets anybody twice unless that was forced, and nobody has two byes of the pairing.
fn check_swiss(logged: &Logged) {
    let tournament = &logged.tournament;
    for (pair, times) in meetings(tournament, usize::MAX) {
        assert!(times == 1 || logged.forced.contains(&pair), "{pair:?} met {times} times");
    }
    let mut had = BTreeSet::new();
    for bye in tournament.rounds.iter().flat_map(|round| &round.byes).filter(|bye| bye.bye == Bye::Pairing) {
        assert!(had.insert(bye.entrant), "{} has two byes", bye.entrant);
    }
}

fn swiss(system: System) -> impl Fn(&mut Numbers) -> (Format, (u8, u8), usize) {
    move |numbers| {
        let (rounds, is_accelerated) = (numbers.from(1, 7) as u16, numbers.percent(30));
        (Format::Swiss(Swiss { rounds, system, is_accelerated }), (2, 2), numbers.from(4, 40))
    }
}

#[test]
fn dutch_swiss() {
    play(10_000, swiss(System::Dutch)).iter().for_each(check_swiss);
}

#[test]
fn fast_swiss() {
    play(20_000, swiss(System::Fast)).iter().for_each(check_swiss);
}

#[test]
fn round_robins() {
    let make = |numbers: &mut Numbers| {
        let cycles = numbers.from(1, 3) as u8;
        (Format::RoundRobin(RoundRobin { cycles }), (2, 2), numbers.from(2, 11))
    };
    for logged in play(30_000, make) {
        let Format::RoundRobin(RoundRobin { cycles }) = logged.tournament.rules.format else { unreachable!() };
        let mut met: BTreeMap<(u16, u16), usize> = BTreeMap::new();
        for table in logged.tournament.rounds.iter().flat_map(|round| &round.tables) {
            for pair in pairs(&table.seats) {
                *met.entry(pair).or_default() += 1;
            }
        }
        let has_stayed = |entrant: u16| {
            let rounds = logged.tournament.rounds.len() as u32;
            logged
                .tournament
                .entrant(entrant)
                .is_some_and(|entrant| (1..=rounds).all(|round| entrant.takes_part(round)))
        };
        for ((one, other), times) in &met {
            assert!(*times <= usize::from(cycles), "{one} and {other} met {times} times in {cycles} cycles");
        }
        // Entrants who were present throughout have met all others who were.
        let stayed: Vec<u16> =
            (1..=logged.tournament.entrants.len() as u16).filter(|number| has_stayed(*number)).collect();
        for pair in pairs(&stayed) {
            assert_eq!(met.get(&pair), Some(&usize::from(cycles)), "{pair:?}");
        }
    }
}

#[test]
fn pods() {
    let make = |numbers: &mut Numbers| {
        let (rounds, size) = (numbers.from(1, 5) as u16, numbers.from(3, 5) as u8);
        (Format::Pods(Pods { rounds, size, smallest: None, largest: None, step: None }), (3, 13), numbers.from(6, 30))
    };
    for logged in play(40_000, make) {
        let tournament = &logged.tournament;
        let mut had: BTreeMap<u16, usize> = BTreeMap::new();
        for (index, round) in tournament.rounds.iter().enumerate() {
            let byes: Vec<u16> =
                round.byes.iter().filter(|bye| bye.bye == Bye::Pairing).map(|bye| bye.entrant).collect();
            let playing = round.tables.iter().flat_map(|table| &table.seats);
            let fewest = playing.map(|entrant| had.get(entrant).copied().unwrap_or(0)).min().unwrap_or(0);
            for entrant in &byes {
                let own = had.get(entrant).copied().unwrap_or(0);
                assert!(own <= fewest, "{entrant} has another bye in round {}", round.number);
            }
            for entrant in byes {
                *had.entry(entrant).or_default() += 1;
            }
            if !round.is_changed {
                check_pods(&tournament.rounds[index], &meetings(tournament, index));
            }
        }
    }
}

/// In small rounds, nobody meets again if all could be seated without that.
fn check_pods(round: &Round, met: &BTreeMap<(u16, u16), usize>) {
    let mut all: Vec<u16> = round.tables.iter().flat_map(|table| &table.seats).copied().collect();
    let has_rematch = round.tables.iter().flat_map(|table| pairs(&table.seats)).any(|pair| met.contains_key(&pair));
    if all.len() > 12 || !has_rematch {
        return;
    }
    all.sort_unstable();
    let sizes: Vec<usize> = round.tables.iter().map(|table| table.seats.len()).collect();
    assert!(!can_be_seated(&all, &sizes, met), "round {}: a rematch could be avoided", round.number);
}

/// Whether entrants can be seated at tables of these sizes so that nobody meets again.
fn can_be_seated(left: &[u16], sizes: &[usize], met: &BTreeMap<(u16, u16), usize>) -> bool {
    let Some((first, others)) = left.split_first() else { return true };
    let mut tried = BTreeSet::new();
    sizes.iter().enumerate().any(|(at, size)| {
        if !tried.insert(*size) {
            return false;
        }
        let mut rest = sizes.to_vec();
        rest.remove(at);
        tables(vec![*first], others, *size, met).into_iter().any(|table| {
            let left: Vec<u16> = left.iter().copied().filter(|entrant| !table.contains(entrant)).collect();
            can_be_seated(&left, &rest, met)
        })
    })
}

/// Every table of a size that these can be completed to without a rematch.
fn tables(seats: Vec<u16>, others: &[u16], size: usize, met: &BTreeMap<(u16, u16), usize>) -> Vec<Vec<u16>> {
    if seats.len() == size {
        return vec![seats];
    }
    let fits = |other: u16| seats.iter().all(|seat| !met.contains_key(&((*seat).min(other), (*seat).max(other))));
    let next = (0..others.len()).filter(|at| fits(others[*at]));
    next.flat_map(|at| tables([seats.as_slice(), &[others[at]]].concat(), &others[at + 1..], size, met)).collect()
}

fn knock_out(numbers: &mut Numbers) -> KnockOut {
    let level =
        if numbers.percent(50) { Level::Replay } else { Level::HigherSeed { after_replays: numbers.below(3) as u8 } };
    KnockOut { best_of: numbers.from(1, 4) as u8, has_third_place: numbers.percent(50), level }
}

/// Somebody has won, unless nobody came to the final.
fn check_bracket(logged: &Logged) {
    let standings = logged.tournament.standings(u32::MAX).unwrap();
    let first: Vec<_> = standings.rows.iter().filter(|row| row.place == Some(1)).collect();
    let has_winner = first.len() == 1 && first[0].reached == Some(Reached::Winner);
    let has_none = first.iter().all(|row| row.reached == Some(Reached::Final { is_out: true }));
    assert!(has_winner || has_none, "{standings:?}");
}

#[test]
fn knock_outs() {
    let make = |numbers: &mut Numbers| (Format::KnockOut(knock_out(numbers)), (2, 2), numbers.from(2, 17));
    play(50_000, make).iter().for_each(check_bracket);
}

#[test]
fn groups() {
    let make = |numbers: &mut Numbers| {
        let (groups, advance) = (numbers.from(2, 3), numbers.from(1, 2));
        let (cycles, knock_out) = (numbers.from(1, 2) as u8, knock_out(numbers));
        let entrants = numbers.from(groups * (advance + 2), groups * 6);
        let format = Groups { groups: groups as u8, advance: advance as u8, cycles, knock_out };
        (Format::Groups(format), (2, 2), entrants)
    };
    play(60_000, make).iter().for_each(check_bracket);
}

#[test]
fn free() {
    play(70_000, |numbers| (Format::Free(Free::default()), (2, 2), numbers.from(2, 20)));
}

/// Exports can be read by others: the same rounds, paired in the same way, accelerated or not.
fn check_reports(first_seed: u64, engine: Engine, make: impl Fn(&mut Numbers) -> (Format, (u8, u8), usize)) {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(first_seed + seed);
        let (format, seats, entrants) = make(&mut numbers);
        let mut logged = Logged::new(&format, seats, entrants, OTHERS, numbers);
        logged.is_plain = true;
        logged.play(400);
        for version in [Version::Trf16, Version::Trf26] {
            let text = files::report(&logged.tournament, version).unwrap();
            let report = Report::parse(text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
            let go_on = |_: usize, _: usize| std::ops::ControlFlow::Continue(());
            assert_eq!(differences(&report, engine, &go_on), [], "seed {seed}\n{text}");
            let code = report.text("192").and_then(Engine::of_code);
            assert!(code.is_none_or(|named| named == engine), "{code:?}");
        }
    }
}

#[test]
fn reports_of_dutch_tournaments_are_paired_alike() {
    check_reports(80_000, Engine::Dutch, swiss(System::Dutch));
}

#[test]
fn reports_of_fast_tournaments_are_paired_alike() {
    check_reports(90_000, Engine::Fast, swiss(System::Fast));
}

#[test]
fn reports_of_round_robins_are_paired_alike() {
    check_reports(100_000, Engine::Berger, |numbers| {
        let cycles = numbers.from(1, 3) as u8;
        (Format::RoundRobin(RoundRobin { cycles }), (2, 2), numbers.from(2, 11))
    });
}

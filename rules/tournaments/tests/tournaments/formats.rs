//! Random tournaments of every format: the promises of each format hold in every round.

use std::collections::BTreeMap;

use plybook_tournaments::{
    Bracket, ByeKind, EntrantNumber, Format, FormatReason, Groups, KnockOut, Level, PairingError, Pods, Reached,
    Reason, Round, RoundRobin, Swiss, System, TableResult,
};

use crate::common::numbers::Numbers;
use crate::common::played::{Played, Trouble};
use crate::common::tournaments;

type Pairs = BTreeMap<(EntrantNumber, EntrantNumber), Vec<EntrantNumber>>;

/// For every two entrants who met, who had the first seat each time.
fn meetings(played: &Played) -> Pairs {
    let mut pairs = Pairs::new();
    for table in played.history.rounds.iter().flat_map(|round| &round.tables) {
        for (at, one) in table.seats.iter().enumerate() {
            for other in &table.seats[at + 1..] {
                pairs.entry((*one.min(other), *one.max(other))).or_default().push(table.seats[0]);
            }
        }
    }
    pairs
}

/// Plays until the format says that it is over; returns the number of rounds.
fn play_out(played: &mut Played, trouble: Trouble, over: &PairingError) -> usize {
    for round in 0..400 {
        match played.play(trouble) {
            Ok(_) => check_standings(played),
            Err(error) => {
                assert_eq!(error, *over);
                return round;
            }
        }
    }
    panic!("{:?} does not end", played.format);
}

/// Places are in order, and everybody who was ever there has a row.
fn check_standings(played: &Played) {
    let rounds = played.history.rounds.len();
    let standings = played.format.standings(&played.history, &played.rules, rounds).unwrap();
    assert!(standings.rows.iter().filter_map(|row| row.place).is_sorted());
    let there = played.history.entrants.iter().filter(|entrant| entrant.withdrew_after != Some(0));
    let there = there.filter(|entrant| usize::from(entrant.entered_after) <= rounds).count();
    assert_eq!(standings.rows.len(), there);
    let first = standings.rows.iter().filter(|row| row.place == Some(1)).count();
    assert!(first > 0 || standings.rows.iter().all(|row| row.place.is_none()));
}

#[test]
fn in_round_robins_everybody_meets_everybody() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(seed);
        let cycles = numbers.from(1, 3) as u8;
        let entrants = numbers.from(2, 13);
        let mut played = Played::new(Format::RoundRobin(RoundRobin { cycles }), 2..=2, entrants, numbers);
        let absence = if seed % 2 == 0 { 0 } else { 5 };
        let rounds = entrants.next_multiple_of(2).saturating_sub(1) * usize::from(cycles);
        let trouble = Trouble { absence, ..Trouble::default() };
        assert_eq!(play_out(&mut played, trouble, &PairingError::AllPaired(rounds)), rounds);
        let pairs = meetings(&played);
        assert_eq!(pairs.len(), entrants * (entrants - 1) / 2);
        for ((one, other), firsts) in pairs {
            assert_eq!(firsts.len(), usize::from(cycles), "{one:?} and {other:?}");
            let turned = firsts.windows(2).all(|pair| pair[0] != pair[1]);
            assert!(turned, "seats change from one cycle to the next");
        }
        for entrant in played.here() {
            let seats = played.history.rounds.iter().flat_map(|round| &round.tables);
            let firsts = seats.filter(|table| table.seats.contains(&entrant)).map(|table| table.seats[0] == entrant);
            let firsts: Vec<bool> = firsts.collect();
            let first = firsts.iter().filter(|first| **first).count();
            assert!((2 * first).abs_diff(firsts.len()) <= 1, "seats are even for {entrant:?}: {firsts:?}");
            // Two cycles in the order of the handbook never give the same seat three times in a row.
            if cycles <= 2 {
                assert!(!firsts.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]), "{firsts:?}");
            }
        }
    }
}

#[test]
fn who_leaves_a_round_robin_early_is_struck_out() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(1_000 + seed);
        let entrants = numbers.from(4, 12);
        let mut played = Played::new(Format::RoundRobin(RoundRobin { cycles: 1 }), 2..=2, entrants, numbers);
        let trouble = Trouble { absence: 3, withdrawal: 3, late_entry: 0 };
        let rounds = entrants.next_multiple_of(2) - 1;
        play_out(&mut played, trouble, &PairingError::AllPaired(rounds));
        let standings = played.format.standings(&played.history, &played.rules, rounds).unwrap();
        for row in &standings.rows {
            let facts = &played.history.entrants[row.entrant.index()];
            let is_early = 2 * played.history.played(row.entrant, rounds) < entrants - 1;
            assert_eq!(row.place.is_none(), facts.withdrew_after.is_some() && is_early, "{row:?}");
        }
        // A group's points come only from games within it.
        let struck =
            |entrant: &EntrantNumber| standings.rows.iter().any(|row| row.entrant == *entrant && row.place.is_none());
        let tables = played.history.rounds.iter().flat_map(|round| &round.tables);
        let counted = tables.filter(|table| !table.seats.iter().any(struck));
        let given: u32 = counted.flat_map(|table| table.result.as_ref().unwrap().points()).map(|points| points.0).sum();
        let got: u32 = standings.rows.iter().map(|row| row.points.0).sum();
        assert_eq!(got, given);
    }
}

#[test]
fn knock_outs_end_with_one_winner() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(2_000 + seed);
        let level = if numbers.percent(50) {
            Level::Replay
        } else {
            Level::HigherSeed { after_replays: numbers.below(3) as u8 }
        };
        let knock_out = KnockOut { best_of: numbers.from(1, 4) as u8, has_third_place: numbers.percent(50), level };
        let entrants = numbers.from(2, 20);
        let has_third_place = knock_out.has_third_place && entrants > 2;
        let mut played = Played::new(Format::KnockOut(knock_out), 2..=2, entrants, numbers);
        let trouble = Trouble { absence: 2, withdrawal: 1, late_entry: 0 };
        let mut lost: Vec<EntrantNumber> = Vec::new();
        loop {
            let round = played.history.rounds.len();
            match played.play(trouble) {
                Ok((pairing, _)) => {
                    assert!(!pairing.tables.is_empty() || !pairing.byes.is_empty());
                    for seat in pairing
                        .tables
                        .iter()
                        .filter(|table| !is_third_place(&table.reasons))
                        .flat_map(|table| &table.seats)
                    {
                        assert!(!lost.contains(seat), "{seat:?} has lost and plays in round {}", round + 1);
                    }
                }
                Err(error) => {
                    assert_eq!(error, PairingError::Decided);
                    break;
                }
            }
            check_standings(&played);
            let standings = played.format.standings(&played.history, &played.rules, round + 1).unwrap();
            let out = |reached: Reached| {
                matches!(reached, Reached::Stage { is_out: true, .. } | Reached::Final { is_out: true })
            };
            check_bracket(&played, &played.format.bracket(&played.history, &played.rules).unwrap().unwrap());
            lost = standings.rows.iter().filter(|row| row.reached.is_some_and(out)).map(|row| row.entrant).collect();
        }
        let rows = played.format.standings(&played.history, &played.rules, usize::MAX).unwrap().rows;
        let at = |reached: Reached| rows.iter().filter(|row| row.reached == Some(reached)).count();
        assert_eq!(at(Reached::Winner), 1);
        assert_eq!(at(Reached::Final { is_out: true }), 1);
        assert_eq!(at(Reached::ThirdPlace { has_lost: Some(false) }), usize::from(has_third_place));
    }
}

/// Every game belongs to one match, between its sides, and scores come from the games.
fn check_bracket(played: &Played, bracket: &Bracket<'_>) {
    let matches = || bracket.stages.iter().flat_map(|stage| &stage.matches);
    let mut tables: Vec<(u32, u32)> = matches().flat_map(|entry| entry.tables.iter().copied()).collect();
    tables.sort_unstable();
    let all = (1..).zip(&played.history.rounds);
    let all: Vec<_> =
        all.flat_map(|(round, of)| (1..=of.tables.len() as u32).map(move |table| (round, table))).collect();
    assert_eq!(tables, all);
    for entry in matches() {
        assert_eq!(entry.score[0] + entry.score[1], 2 * entry.games);
        for (round, table) in &entry.tables {
            let seats = &played.history.rounds[*round as usize - 1].tables[*table as usize - 1].seats;
            assert!(seats.iter().all(|seat| entry.sides.contains(&Some(*seat))));
        }
    }
}

fn is_third_place(reasons: &[Reason]) -> bool {
    reasons.iter().any(|reason| matches!(reason, Reason::Format(FormatReason::Match { is_third_place: true, .. })))
}

#[test]
fn groups_are_played_out_before_the_knock_out() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(3_000 + seed);
        let (groups, advance) = (numbers.from(2, 5), numbers.from(1, 3));
        let cycles = numbers.from(1, 2) as u8;
        let entrants = numbers.from(groups * (advance + 1), groups * 6);
        let format = Groups { groups: groups as u8, advance: advance as u8, cycles, knock_out: KnockOut::default() };
        let mut played = Played::new(Format::Groups(format.clone()), 2..=2, entrants, numbers);
        let group_rounds = format.group_rounds(&played.history);
        let dealt = format.dealt(&played.history);
        let trouble = Trouble { absence: 2, ..Trouble::default() };
        for _ in 0..group_rounds {
            played.play(trouble).unwrap();
            check_standings(&played);
        }
        let pairs = meetings(&played);
        for group in &dealt {
            for (at, one) in group.iter().enumerate() {
                for other in &group[at + 1..] {
                    assert_eq!(pairs[&(*one, *other)].len(), usize::from(cycles));
                }
            }
        }
        let standings = format.group_standings(&played.history, &played.rules, group_rounds).unwrap();
        let through: Vec<_> =
            standings.iter().flat_map(|group| group.rows.iter().take(advance)).map(|row| row.entrant).collect();
        play_out(&mut played, trouble, &PairingError::Decided);
        let in_bracket = played.history.rounds[group_rounds..].iter().flat_map(Round::everybody);
        let mut in_bracket: Vec<_> = in_bracket.map(|(entrant, _)| entrant).collect();
        in_bracket.sort();
        in_bracket.dedup();
        let mut expected = through;
        expected.sort();
        assert_eq!(in_bracket, expected);
        // In the first stage, nobody meets somebody from their own group, if at most two of each advance.
        if advance <= 2 {
            let group_of = |entrant: EntrantNumber| dealt.iter().position(|group| group.contains(&entrant));
            for table in &played.history.rounds[group_rounds].tables {
                assert_ne!(group_of(table.seats[0]), group_of(table.seats[1]));
            }
        }
    }
}

#[test]
fn in_swiss_tournaments_nobody_meets_twice() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(8_000 + seed);
        let entrants = numbers.from(8, 40);
        let rounds = numbers.from(2, 6) as u16;
        let swiss = Swiss { rounds, system: System::Dutch, is_accelerated: numbers.percent(30) };
        let mut played = Played::new(Format::Swiss(swiss), 2..=2, entrants, numbers);
        let trouble = Trouble { absence: 4, withdrawal: 1, late_entry: 10 };
        for _ in 0..rounds {
            let Ok((pairing, available)) = played.play(trouble) else { break };
            assert_eq!(2 * pairing.tables.len() + pairing.byes.len(), available.len());
            assert_eq!(pairing.byes.len(), available.len() % 2);
            check_standings(&played);
        }
        let byes = played.history.rounds.iter().flat_map(|round| &round.byes).map(|bye| bye.entrant);
        let mut byes: Vec<_> = byes.collect();
        byes.sort();
        assert!(byes.windows(2).all(|two| two[0] != two[1]), "nobody has two byes: {byes:?}");
        // Entrants who did not come have not met their opponents.
        let tables = played.history.rounds.iter().flat_map(|round| &round.tables);
        let mut met = Pairs::new();
        for table in tables.filter(|table| matches!(table.result, Some(TableResult::Played(_)))) {
            let (one, other) = (table.seats[0].min(table.seats[1]), table.seats[0].max(table.seats[1]));
            met.entry((one, other)).or_default().push(one);
        }
        assert!(met.values().all(|games| games.len() == 1), "{met:?}");
        assert_eq!(played.play(Trouble::default()).unwrap_err(), PairingError::AllPaired(usize::from(rounds)));
    }
}

#[test]
fn pods_seat_everybody_once() {
    for seed in 0..tournaments() {
        let mut numbers = Numbers(4_000 + seed);
        let size = numbers.from(3, 6) as u8;
        let rounds = numbers.from(2, 6) as u16;
        let pods = Pods { rounds, size, smallest: None, largest: None, step: None };
        let entrants = numbers.from(6, 40);
        let mut played = Played::new(Format::Pods(pods.clone()), 2..=13, entrants, numbers);
        let trouble = Trouble { absence: 4, withdrawal: 2, late_entry: 10 };
        for _ in 0..rounds {
            let Ok((pairing, available)) = played.play(trouble) else { break };
            let seated: usize = pairing.tables.iter().map(|table| table.seats.len()).sum();
            assert_eq!(seated + pairing.byes.len(), available.len());
            assert!(pairing.tables.iter().all(|table| (3..=usize::from(size)).contains(&table.seats.len())));
            assert!(pairing.byes.len() < 3, "at most as many sit out as have no table");
            check_standings(&played);
        }
        check_byes(&played);
    }
}

/// Nobody has a second bye as long as another present entrant had none.
fn check_byes(played: &Played) {
    let mut byes = vec![0; played.history.entrants.len()];
    for round in &played.history.rounds {
        let here = |entrant: &usize| round.everybody().any(|(there, _)| there.index() == *entrant);
        for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing) {
            let least = (0..byes.len()).filter(here).map(|entrant| byes[entrant]).min().unwrap();
            assert_eq!(byes[bye.entrant.index()], least, "{bye:?} in {round:?}");
        }
        for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing) {
            byes[bye.entrant.index()] += 1;
        }
    }
}

#[test]
fn pods_repeat_no_meeting_that_can_be_avoided() {
    for seed in 0..tournaments() / 5 {
        let numbers = Numbers(5_000 + seed);
        let (entrants, size) = [(9, 3), (8, 4), (12, 3), (12, 4)][seed as usize % 4];
        let pods = Pods { rounds: 5, size, smallest: Some(size), largest: None, step: None };
        let mut played = Played::new(Format::Pods(pods), 3..=4, entrants, numbers);
        for _ in 0..5 {
            let met = meetings(&played);
            played.play(Trouble::default()).unwrap();
            let repeats = played
                .history
                .rounds
                .last()
                .unwrap()
                .tables
                .iter()
                .map(|table| repeats(&met, &table.seats))
                .sum::<usize>();
            let all: Vec<_> = (0..entrants).map(EntrantNumber::from_index).collect();
            assert_eq!(repeats.min(1), fewest(&met, &all, usize::from(size)).min(1), "seed {seed}");
        }
    }
}

fn repeats(met: &Pairs, seats: &[EntrantNumber]) -> usize {
    let mut repeats = 0;
    for (at, one) in seats.iter().enumerate() {
        for other in &seats[at + 1..] {
            repeats += met.get(&(*one.min(other), *one.max(other))).map_or(0, Vec::len);
        }
    }
    repeats
}

/// The smallest number of repeated meetings over all ways to seat these at tables of one size; stops at 0.
fn fewest(met: &Pairs, left: &[EntrantNumber], size: usize) -> usize {
    let Some((first, others)) = left.split_first() else { return 0 };
    let mut best = usize::MAX;
    for choice in choices(others, size - 1) {
        let table: Vec<_> = std::iter::once(*first).chain(choice.iter().copied()).collect();
        let own = repeats(met, &table);
        if own >= best {
            continue;
        }
        let rest: Vec<_> = others.iter().copied().filter(|other| !choice.contains(other)).collect();
        best = best.min(own + fewest(met, &rest, size));
        if best == 0 {
            return 0;
        }
    }
    best
}

fn choices(of: &[EntrantNumber], count: usize) -> Vec<Vec<EntrantNumber>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, first) in of.iter().enumerate() {
        for mut rest in choices(&of[at + 1..], count - 1) {
            rest.insert(0, *first);
            all.push(rest);
        }
    }
    all
}

#[test]
fn pods_keep_seats_even() {
    let pods = Pods { rounds: 8, size: 4, smallest: None, largest: None, step: None };
    let mut played = Played::new(Format::Pods(pods), 4..=4, 32, Numbers(6_000));
    for _ in 0..8 {
        played.play(Trouble::default()).unwrap();
    }
    for entrant in played.here() {
        let had = played.history.seats_had(entrant);
        for seat in 1..=4 {
            let times = had.iter().filter(|had| **had == seat).count();
            assert!((1..=3).contains(&times), "{entrant:?} had {had:?}");
        }
    }
}

#[test]
fn forfeits_are_those_of_the_absent() {
    let mut played = Played::new(Format::RoundRobin(RoundRobin::default()), 2..=2, 6, Numbers(7_000));
    played.play(Trouble { absence: 30, ..Trouble::default() }).unwrap();
    let tables = &played.history.rounds[0].tables;
    assert!(tables.iter().any(|table| matches!(table.result, Some(TableResult::Forfeit(_)))));
    assert_eq!(tables.len(), 3);
}

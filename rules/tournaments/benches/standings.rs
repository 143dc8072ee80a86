//! Standings of a thousand entrants after nine rounds with five tie-breaks, in CPU time of one core.
//!
//! `cargo bench -p plybook-tournaments --bench standings`

use std::time::Duration;

use plybook_tournaments::{
    Bye, ByeKind, Entrant, EntrantNumber, History, Points, Round, Scoring, Standings, StandingsRules, Table,
    TableResult,
};

const ENTRANTS: usize = 1_000;
const ROUNDS: usize = 9;
const RUNS: usize = 101;
const TIE_BREAKS: [&str; 5] = ["DE", "BH/C1", "BH", "SB", "TPR"];

/// The most time that standings may take.
const GOAL: Duration = Duration::from_millis(10);

fn main() {
    let history = history();
    let rules = StandingsRules {
        scoring: Scoring::default(),
        seats: 2,
        is_round_robin: false,
        tie_breaks: TIE_BREAKS
            .iter()
            .map(|text| text.parse().expect("the tie-breaks are written as they should"))
            .collect(),
        teams: Vec::new(),
    };
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = cpu();
            let standings = Standings::after(&history, &rules, ROUNDS).expect("the history is in order");
            let took = cpu().saturating_sub(start);
            check(&standings);
            took
        })
        .collect();
    times.sort();
    let (median, worst) = (times[RUNS / 2], times[RUNS - 1]);
    let verdict = if median <= GOAL { "met" } else { "LOST" };
    println!("| entrants | rounds | tie-breaks | median ms on one core | max ms | goal | |");
    println!("|---:|---:|---|---:|---:|---:|---|");
    println!(
        "| {ENTRANTS} | {ROUNDS} | {} | {:.2} | {:.2} | 10 ms | {verdict} |",
        TIE_BREAKS.join(", "),
        1000.0 * median.as_secs_f64(),
        1000.0 * worst.as_secs_f64()
    );
}

/// The CPU time of this thread, which other programs do not change much.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Everybody has a row, places ascend, and the points are those that were given.
fn check(standings: &Standings) {
    assert_eq!(standings.rows.len(), ENTRANTS);
    assert!(standings.rows.iter().map(|row| row.place).is_sorted());
    let points: u32 = standings.rows.iter().map(|row| row.points.0).sum();
    // Each round gives a point to every table, a point for every full bye, and five tenths for half-point
    // ones.
    assert!(points as usize <= 10 * ROUNDS * (ENTRANTS / 2 + 10));
    assert!(standings.rows.iter().all(|row| row.figures.len() == TIE_BREAKS.len()));
}

/// A tournament in which neighbours by score meet, with some byes and forfeits.
fn history() -> History {
    let entrants = (0..ENTRANTS).map(|number| Entrant {
        name: format!("Player {number}"),
        rating: Some(2_700 - number as u16),
        ..Entrant::default()
    });
    let mut history = History { rounds_planned: Some(ROUNDS as u16), entrants: entrants.collect(), rounds: Vec::new() };
    let mut scores = vec![0; ENTRANTS];
    let mut random = 1_u64;
    let mut draw = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for _ in 0..ROUNDS {
        let mut order: Vec<usize> = (0..ENTRANTS).collect();
        order.sort_by_cached_key(|entrant| (std::cmp::Reverse(scores[*entrant]), draw(1_000)));
        let mut round = Round::default();
        let (away, here) = order.split_at(6);
        for entrant in away {
            let entrant = EntrantNumber::from_index(*entrant);
            round.byes.push(Bye { entrant, kind: ByeKind::Half, points: Points::HALF });
        }
        for pair in here.chunks_exact(2) {
            let points = [[10, 0], [5, 5], [0, 10]][draw(3) as usize].map(Points);
            let result = if draw(50) == 0 { TableResult::Forfeit } else { TableResult::Played };
            let seats = pair.iter().map(|entrant| EntrantNumber::from_index(*entrant)).collect();
            round.tables.push(Table { seats, result: Some(result(points.to_vec())) });
        }
        for (entrant, points) in round.everybody() {
            scores[entrant.index()] += points.0;
        }
        history.rounds.push(round);
    }
    history
}

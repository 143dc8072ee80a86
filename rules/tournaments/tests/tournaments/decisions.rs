//! Decisions about a tournament, one by one, and what follows from them.

use std::ops::ControlFlow;

use plybook_events::Hash;
use plybook_events::body::{
    AbsenceAnnounced, Adjourned, Bye, EntrantBye, EntrantEdited, Forfeited, TableReseated, TournamentSettings,
};
use plybook_tournaments::log::{Broken, Command, NewEntrant, TableStatus, Tournament};
use plybook_tournaments::trf::{Report, Version};
use plybook_tournaments::{Format, KnockOut, Pods, Points, Reached, RoundRobin, Standings, Swiss, System, files};

use crate::common::logged::Logged;
use crate::common::numbers::Numbers;

fn logged(format: &Format, entrants: usize) -> Logged {
    Logged::new(format, (2, 2), entrants, &[], Numbers(7))
}

fn swiss(rounds: u16) -> Format {
    Format::Swiss(Swiss { rounds, system: System::Dutch, is_accelerated: false })
}

fn by_hand(round: u32, tables: &[[u16; 2]], byes: Option<Vec<EntrantBye>>) -> Command {
    let tables = tables.iter().map(|table| table.to_vec()).collect();
    Command::ChangePairing { round, tables, byes, is_forced: true }
}

fn open(logged: &mut Logged, round: u32) {
    logged.done(Command::OpenRound { round, salt: Hash([round as u8; 32]) });
}

/// Pairs a round by the system, and opens it.
fn begin(logged: &mut Logged, round: u32) {
    let pairing = logged.tournament.pairing_input().pair(&logged.tournament.rules, &|_, _| ControlFlow::Continue(()));
    logged.done(Command::Pair(pairing.unwrap().paired));
    open(logged, round);
}

fn enter(round: u32, table: u32, ranking: &[&[u8]]) -> Command {
    enter_at(round, table, ranking, false)
}

fn enter_at(round: u32, table: u32, ranking: &[&[u8]], at_table: bool) -> Command {
    Command::EnterResult { round, table, ranking: ranking.iter().map(|group| group.to_vec()).collect(), at_table }
}

/// The entrant with a rank wins, of two.
fn wins(logged: &Logged, round: u32, table: u32, winner: u16) -> Command {
    let seats = &logged.tournament.round(round).unwrap().table(table).unwrap().seats;
    enter(round, table, if seats[0] == winner { &[&[1], &[2]] } else { &[&[2], &[1]] })
}

fn now(tournament: &Tournament) -> Standings {
    tournament.standings(tournament.last_played()).unwrap()
}

fn refused(logged: &Logged, command: &Command) -> String {
    logged.tournament.decide(command.clone()).map_or_else(
        |why| why.to_string(),
        |bodies| {
            let mut other = logged.tournament.clone();
            let event = |body| plybook_events::Event {
                at: other.updated_at,
                by: plybook_events::By::Arbiter,
                log: other.id,
                prev: Hash::ZERO,
                seq: other.events,
                body,
                who: None,
                signature: None,
                request: None,
            };
            let event = event(bodies[0].clone());
            other.apply(&event).expect_err("it is refused").why.to_string()
        },
    )
}

/// A walkover in the final counts once its round is closed, as a bye does in a Swiss tournament.
#[test]
fn a_round_without_a_game_is_over_once_it_is_closed() {
    let mut cup = logged(&Format::KnockOut(KnockOut::default()), 4);
    begin(&mut cup, 1);
    let ranks = cup.tournament.ranks();
    let by_rank = |rank: usize| ranks.entrants()[rank - 1];
    for table in 1..=2 {
        let seats = cup.tournament.round(1).unwrap().table(table).unwrap().seats.clone();
        let best = *seats.iter().min_by_key(|entrant| ranks.rank(**entrant)).unwrap();
        let command = wins(&cup, 1, table, best);
        cup.done(command);
    }
    cup.done(Command::CloseRound(1));
    cup.done(Command::Withdraw { entrant: by_rank(1), from_round: None, reason: None });
    begin(&mut cup, 2);
    assert_eq!(cup.tournament.last_played(), 1, "it may still be undone");
    cup.done(Command::CloseRound(2));
    cup.done(Command::Finish);
    let standings = now(&cup.tournament);
    let first: Vec<_> = standings.rows.iter().filter(|row| row.place == Some(1)).collect();
    assert_eq!((first.len(), first[0].entrant.0, first[0].reached), (1, 2, Some(Reached::Winner)));
    let winner = cup.tournament.entrant(by_rank(2)).unwrap().details.name.clone();
    assert!(files::feed(&cup.tournament, "l", "f").contains(&format!("Won by {winner}<")));

    let mut club = logged(&swiss(2), 4);
    club.done(by_hand(1, &[[1, 2], [3, 4]], None));
    open(&mut club, 1);
    for table in 1..=2 {
        club.done(enter(1, table, &[&[1, 2]]));
    }
    club.done(Command::CloseRound(1));
    club.done(by_hand(2, &[], Some(vec![EntrantBye { bye: Bye::Pairing, entrant: 4 }])));
    open(&mut club, 2);
    club.done(Command::CloseRound(2));
    let first = &now(&club.tournament).rows[0];
    assert_eq!((club.tournament.ranks().entrant(first.entrant), first.points), (4, Points(15)));
    assert_eq!(
        files::standings_csv(&club.tournament, 2),
        files::standings_csv(&club.tournament, club.tournament.last_played())
    );
}

#[test]
fn who_withdrew_does_not_advance() {
    let mut cup = logged(&Format::KnockOut(KnockOut::default()), 8);
    begin(&mut cup, 1);
    let ranks = cup.tournament.ranks();
    for table in 1..=4 {
        let seats = cup.tournament.round(1).unwrap().table(table).unwrap().seats.clone();
        let best = *seats.iter().min_by_key(|entrant| ranks.rank(**entrant)).unwrap();
        let command = wins(&cup, 1, table, best);
        cup.done(command);
    }
    cup.done(Command::CloseRound(1));
    // Both of one semi-final.
    for rank in [2, 3] {
        let entrant = ranks.entrants()[rank - 1];
        cup.done(Command::Withdraw { entrant, from_round: None, reason: None });
    }
    begin(&mut cup, 2);
    let first = cup.tournament.round(2).unwrap().table(1).unwrap().seats.clone();
    let command = wins(&cup, 2, 1, first[0]);
    cup.done(command);
    cup.done(Command::CloseRound(2));
    let bracket = cup.tournament.bracket().unwrap().unwrap();
    assert!(bracket.is_decided(), "the only one left has won");
    let standings = now(&cup.tournament);
    assert_eq!(standings.rows[0].reached, Some(Reached::Winner));
    assert_eq!(cup.tournament.ranks().entrant(standings.rows[0].entrant), first[0]);
    assert!(standings.rows.iter().filter(|row| row.reached == Some(Reached::Winner)).count() == 1);
}

#[test]
fn a_pairing_by_hand_keeps_the_byes_that_were_announced() {
    let mut club = logged(&swiss(3), 5);
    club.done(Command::AnnounceAbsence(AbsenceAnnounced { entrant: 1, round: 1, bye: Bye::Half }));
    let tables = [[4, 2], [5, 3]];
    // Leaving it out deliberately is a warning.
    let warnings = club.tournament.warnings(1, &[vec![4, 2], vec![5, 3]], &[]);
    assert_eq!(warnings.iter().map(|warning| warning.rule).collect::<Vec<_>>(), [Broken::ByeLost]);
    assert!(warnings[0].text.contains("announced a half-point bye for round 1 and gets nothing"), "{warnings:?}");
    club.done(by_hand(1, &tables, None));
    let half = EntrantBye { bye: Bye::Half, entrant: 1 };
    assert_eq!(club.tournament.round(1).unwrap().byes, [half]);
    // Who plays after all has no bye.
    club.done(by_hand(1, &[[1, 2], [5, 3]], None));
    assert_eq!(club.tournament.round(1).unwrap().byes, []);
    club.done(by_hand(1, &tables, Some(vec![EntrantBye { bye: Bye::Zero, entrant: 1 }])));
    assert!(club.tournament.round(1).unwrap().breaks[0].contains("gets a zero-point bye"));
}

/// C.04.2, 2.3.
#[test]
fn ranks_are_kept_once_the_fourth_round_is_paired() {
    let mut club = logged(&swiss(6), 12);
    let rate = |club: &mut Logged, entrant: u16, rating: u16| {
        let mut details = club.tournament.entrant(entrant).unwrap().details.clone();
        details.rating = Some(rating);
        club.done(Command::EditEntrant(EntrantEdited { entrant, details }));
    };
    for round in 1..=4 {
        if round == 4 {
            rate(&mut club, 11, 2_700);
            assert_eq!(club.tournament.ranks().rank(11).0, 1);
        }
        begin(&mut club, round);
        let tables = club.tournament.round(round).unwrap().tables.len() as u32;
        for table in 1..=tables {
            club.done(enter(round, table, &[&[1], &[2]]));
        }
        club.done(Command::CloseRound(round));
    }
    let kept = club.tournament.ranks();
    rate(&mut club, 12, 2_800);
    let details =
        plybook_events::body::EntrantDetails { name: "Late".to_owned(), rating: Some(2_900), ..Default::default() };
    let player = plybook_events::LogId::from_bytes([9; 16]);
    club.done(Command::Enter(vec![NewEntrant { player, details, from_round: None, points: 20 }]));
    assert_eq!(club.tournament.ranks().entrants()[..12], *kept.entrants());
    assert_eq!(club.tournament.ranks().rank(13).0, 13);
    begin(&mut club, 5);
    assert_eq!(club.tournament.ranks().entrants()[..12], *kept.entrants());
}

#[test]
fn a_result_is_corrected_at_any_time_and_the_round_says_so() {
    let mut club = logged(&swiss(2), 4);
    begin(&mut club, 1);
    club.done(enter(1, 1, &[&[1], &[2]]));
    club.done(Command::Adjourn(Adjourned { round: 1, table: 2, until: None }));
    club.done(Command::CloseRound(1));
    begin(&mut club, 2);
    let paired = club.tournament.round(2).unwrap().tables.clone();
    club.done(enter(1, 1, &[&[2], &[1]]));
    club.done(enter(1, 2, &[&[1], &[2]]));
    assert_eq!(club.tournament.round(2).unwrap().tables, paired, "later pairings stay");
    let noted = |club: &Logged| {
        let of =
            |result: &Option<plybook_tournaments::log::TableResult>| result.as_ref().map(|found| found.ranking.clone());
        let round = club.tournament.round(1).unwrap();
        round
            .corrections
            .iter()
            .map(|each| (each.table, of(&each.before), of(&each.after), each.paired))
            .collect::<Vec<_>>()
    };
    let (first, second) = (vec![vec![1], vec![2]], vec![vec![2], vec![1]]);
    assert_eq!(noted(&club), [(1, Some(first.clone()), Some(second), 2), (2, None, Some(first), 2)]);
    // What is put back was no correction.
    club.done(enter(1, 1, &[&[1], &[2]]));
    assert_eq!(noted(&club).len(), 1);
    for table in 1..=2 {
        club.done(enter(2, table, &[&[1, 2]]));
    }
    club.done(Command::CloseRound(2));
    club.done(Command::Finish);
    club.done(enter(2, 1, &[&[1], &[2]]));
    club.done(Command::Forfeit(Forfeited { round: 2, table: 1, seats: vec![1, 2], reason: None }));
    assert_eq!(
        refused(&club, &Command::Adjourn(Adjourned { round: 1, table: 1, until: None })),
        "the tournament is over"
    );
}

#[test]
fn a_tournament_with_an_adjourned_game_is_not_finished() {
    let mut club = logged(&swiss(1), 2);
    begin(&mut club, 1);
    club.done(Command::Adjourn(Adjourned { round: 1, table: 1, until: None }));
    assert_eq!(club.tournament.round(1).unwrap().adjourned(), [1]);
    club.done(Command::CloseRound(1));
    assert_eq!(refused(&club, &Command::Finish), "round 1: no result yet at table 1");
    club.done(enter(1, 1, &[&[1], &[2]]));
    club.done(Command::Finish);
}

#[test]
fn a_table_changes_its_own_entry_and_no_other() {
    let mut club = logged(&swiss(1), 2);
    begin(&mut club, 1);
    let table = |club: &Logged| club.tournament.round(1).unwrap().tables[0].clone();
    club.done(enter_at(1, 1, &[&[1], &[2]], true));
    club.done(enter_at(1, 1, &[&[1], &[2]], true));
    assert_eq!(table(&club).disputed, None);
    club.done(enter_at(1, 1, &[&[2], &[1]], true));
    assert_eq!(table(&club).disputed, Some(vec![vec![1], vec![2]]));
    assert_eq!(
        refused(&club, &Command::CloseRound(1)),
        "round 1: different results were entered at table 1: say which one counts"
    );
    // Both agree.
    club.done(enter_at(1, 1, &[&[2], &[1]], true));
    assert_eq!(table(&club).disputed, None);
    club.done(enter_at(1, 1, &[&[1, 2]], true));
    club.done(enter(1, 1, &[&[1, 2]]));
    assert_eq!(table(&club).disputed, None, "the organiser has decided");
    let why = refused(&club, &enter_at(1, 1, &[&[1], &[2]], true));
    assert!(why.contains("the result of table 1 is the organiser's"), "{why}");
    club.done(Command::ClearResult { round: 1, table: 1, reason: None });
    assert_eq!(club.tournament.round(1).unwrap().status_of(&table(&club)), TableStatus::Playing);
    club.done(enter_at(1, 1, &[&[1], &[2]], true));
    club.done(Command::CloseRound(1));
}

/// A draw against somebody who left early is shown, and counts nowhere.
#[test]
fn struck_results_count_nowhere() {
    let mut club = logged(&Format::RoundRobin(RoundRobin { cycles: 2 }), 4);
    begin(&mut club, 1);
    for table in 1..=2 {
        club.done(enter(1, table, &[&[1, 2]]));
    }
    club.done(Command::CloseRound(1));
    let seats = club.tournament.round(1).unwrap().table(1).unwrap().seats.clone();
    let (gone, other) = (seats[0], seats[1]);
    club.done(Command::Withdraw { entrant: gone, from_round: None, reason: None });
    let cards = club.tournament.cards(u32::MAX);
    for entrant in [gone, other] {
        let cell = &cards[usize::from(entrant) - 1][0];
        assert!(cell.is_struck && cell.end.is_some());
        assert_eq!((cell.points, cell.score), (Some(Points::ZERO), Points::ZERO));
    }
    for row in now(&club.tournament).rows {
        let entrant = club.tournament.ranks().entrant(row.entrant);
        assert_eq!(cards[usize::from(entrant) - 1].last().unwrap().score, row.points);
    }
    let crosstable = files::crosstable_csv(&club.tournament, 1).unwrap();
    assert_eq!(crosstable.matches("0.5S").count(), 2, "{crosstable}");
}

#[test]
fn the_points_of_late_entrants_are_those_of_byes() {
    let mut club = logged(&swiss(5), 4);
    let enters = |club: &Logged, points: u32| {
        let details = plybook_events::body::EntrantDetails { name: "Late".to_owned(), ..Default::default() };
        let player = plybook_events::LogId::from_bytes([8; 16]);
        Command::Enter(vec![NewEntrant { player, details, from_round: Some(club.tournament.next_round() + 2), points }])
    };
    for points in [3, 7, 25] {
        assert!(club.tournament.decide(enters(&club, points)).is_err() || points == 25, "{points}");
    }
    let late = enters(&club, 15);
    club.done(late);
    begin(&mut club, 1);
    for table in 1..=2 {
        club.done(enter(1, table, &[&[1], &[2]]));
    }
    files::report(&club.tournament, Version::Trf26).unwrap();
}

/// What `bbpPairings` and `JaVaFo` read: who is not there, in the column of the round, and no round that is being played.
#[test]
fn a_report_for_pairing_programs_says_who_is_absent() {
    let mut club = logged(&swiss(4), 6);
    begin(&mut club, 1);
    for table in 1..=3 {
        club.done(enter(1, table, &[&[1], &[2]]));
    }
    club.done(Command::CloseRound(1));
    club.done(Command::Withdraw { entrant: 3, from_round: None, reason: None });
    club.done(Command::AnnounceAbsence(AbsenceAnnounced { entrant: 4, round: 2, bye: Bye::Half }));
    let text = files::report(&club.tournament, Version::Trf16).unwrap();
    let rank = |entrant: u16| club.tournament.ranks().rank(entrant).0;
    let line = |entrant: u16| text.lines().find(|line| line.starts_with(&format!("001 {:>4}", rank(entrant)))).unwrap();
    assert!(line(3).trim_end().ends_with("0000 - Z") && line(4).trim_end().ends_with("0000 - H"), "{text}");
    assert!(!text.contains("XXZ"), "{text}");
    let report = Report::parse(text.as_bytes()).unwrap();
    assert_eq!(report.history.rounds.len(), 1);
    let input = club.tournament.pairing_input();
    assert_eq!(report.available().into_iter().collect::<Vec<_>>(), input.available);
    begin(&mut club, 2);
    let running = files::report(&club.tournament, Version::Trf16).unwrap();
    assert_eq!(Report::parse(running.as_bytes()).unwrap().history.rounds.len(), 1, "{running}");
}

/// Whoever does not come to a table of four leaves it; the others play, and it can be undone.
#[test]
fn at_a_larger_table_the_others_play_without_an_absentee() {
    let pods = Format::Pods(Pods { rounds: 2, size: 4, smallest: None, largest: None, step: None });
    let mut club = Logged::new(&pods, (2, 6), 8, &[], Numbers(7));
    begin(&mut club, 1);
    let before = club.tournament.round(1).unwrap().tables[0].seats.clone();
    let reseat = |table: u32, seats: &[u16], game: u8| Command::Reseat {
        reseated: TableReseated { round: 1, table, seats: seats.to_vec() },
        game: plybook_events::LogId::from_bytes([game; 16]),
    };
    club.done(reseat(1, &before[1..], 1));
    let round = club.tournament.round(1).unwrap().clone();
    assert_eq!((&round.tables[0].seats[..], round.byes.len(), round.byes[0].entrant), (&before[1..], 1, before[0]));
    let other = round.tables[1].seats[0];
    assert!(refused(&club, &reseat(1, &[before[1], other], 2)).contains("plays in round 1 already"));
    assert!(refused(&club, &reseat(1, &before[1..2], 2)).contains("has 1 seats, but 2 to 4 are played with"));
    club.done(reseat(1, &before, 3));
    assert_eq!(club.tournament.round(1).unwrap().byes, []);
    club.done(reseat(1, &before[1..], 4));
    club.done(enter(1, 1, &[&[2], &[1, 3]]));
    assert!(refused(&club, &reseat(1, &before, 5)).contains("has a result"));
    club.done(enter(1, 2, &[&[1], &[2], &[3], &[4]]));
    club.done(Command::CloseRound(1));
    let standings = now(&club.tournament);
    let of = |entrant: u16| {
        let rank = club.tournament.ranks().rank(entrant);
        standings.rows.iter().find(|row| row.entrant == rank).unwrap().points
    };
    assert_eq!((of(before[0]), of(before[2]), of(before[1])), (Points::ZERO, Points(30), Points(7)));
}

/// A report says which tie-breaks were announced at the start.
#[test]
fn tie_breaks_that_change_are_in_the_report() {
    let mut club = logged(&swiss(3), 4);
    let edit = |club: &mut Logged, tie_breaks: &[&str]| {
        let tie_breaks = tie_breaks.iter().map(|code| (*code).to_owned()).collect();
        let settings = plybook_events::body::TournamentSettings { tie_breaks, ..club.tournament.settings.clone() };
        club.done(Command::Edit(Box::new(settings)));
    };
    let remarks = |club: &Logged| {
        let text = files::report(&club.tournament, Version::Trf26).unwrap();
        text.lines().filter(|line| line.starts_with("###")).map(str::to_owned).collect::<Vec<_>>()
    };
    edit(&mut club, &["BH"]);
    begin(&mut club, 1);
    edit(&mut club, &["SB"]);
    edit(&mut club, &["SB", "BH"]);
    assert_eq!(remarks(&club), ["### Tie-breaks up to round 1: BH"]);
    edit(&mut club, &["BH"]);
    assert_eq!(remarks(&club), Vec::<String>::new(), "it is what was announced again");
}

/// Partners get the points of their team, share a place, and are no opponents of each other.
#[test]
fn partners_win_together_and_are_no_opponents() {
    let pods = Format::Pods(Pods { rounds: 2, size: 4, smallest: None, largest: None, step: None });
    let mut club = Logged::new(&pods, (3, 4), 4, &["BH", "SB", "DE"], Numbers(7));
    let edited = |club: &Logged, teams: &[&[u8]]| {
        let teams = teams.iter().map(|team| team.to_vec()).collect();
        Command::Edit(Box::new(TournamentSettings { teams, ..club.tournament.settings.clone() }))
    };
    let wrong: [&[&[u8]]; 5] = [&[&[1]], &[&[3, 1]], &[&[1, 3], &[3, 4]], &[&[1, 5]], &[&[0, 1]]];
    for wrong in wrong {
        let why = "`teams`: a team is two or more seats, ascending, and no seat is in two";
        assert_eq!(refused(&club, &edited(&club, wrong)), why, "{wrong:?}");
    }
    club.done(edited(&club, &[&[1, 3], &[2, 4]]));
    begin(&mut club, 1);
    assert!(refused(&club, &edited(&club, &[&[1, 2], &[3, 4]])).contains("teams"));
    let seats = club.tournament.round(1).unwrap().tables[0].seats.clone();
    let together = "partners win, lose and share a place together: the teams are [[1, 3], [2, 4]]";
    assert_eq!(refused(&club, &enter(1, 1, &[&[1], &[3], &[2, 4]])), together);
    let forfeit =
        |seats: &[u8]| Command::Forfeit(Forfeited { round: 1, table: 1, seats: seats.to_vec(), reason: None });
    assert_eq!(refused(&club, &forfeit(&[2])), together);
    club.tournament.clone().decide(forfeit(&[2, 4])).unwrap();
    club.done(enter(1, 1, &[&[1, 3], &[2, 4]]));
    let standings = now(&club.tournament);
    let row = |seat: u8| {
        let rank = club.tournament.ranks().rank(seats[usize::from(seat) - 1]);
        standings.rows.iter().find(|row| row.entrant == rank).unwrap()
    };
    // Each beats two and shares a place with one: 2½ of 3. The opponents have ½ each, and the partner does not count.
    for (seat, points, bh, sb) in [(1, "2.5", "0.5", "0.5"), (3, "2.5", "0.5", "0.5"), (2, "0.5", "2.5", "0.0")] {
        let figures = row(seat).figures[..2].iter().map(|figure| figure.amount.unwrap().to_string());
        assert_eq!(row(seat).points.to_string(), points);
        assert_eq!(figures.collect::<Vec<_>>(), [bh, sb], "{seat}");
        assert!(row(seat).figures[2].terms.is_empty(), "those who are tied are partners");
    }
    let table = files::crosstable_csv(&club.tournament, 1).unwrap();
    assert_eq!(table.matches("2.5").count(), 2 + 4, "two have the points, and each against two: {table}");
}

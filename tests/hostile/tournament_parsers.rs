//! The parsers of tournaments, fed like those of games: report files, settings and logs. Whatever is parsed
//! is also paired, ranked, shown and written.

use std::ops::ControlFlow;

use plybook_api::service::Service;
use plybook_events::body::{EntrantDetails, TournamentSettings};
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::Store;
use plybook_tournaments::log::{Command, Draft, NewEntrant, Tournament, verify};
use plybook_tournaments::trf::{Report, Version};
use plybook_tournaments::{Engine, dutch, fast, files, replay};

use crate::parsers::{self, Corpus, data, repeat};
use crate::recording::Dice;
use crate::tournament::play;

/// With more entrants, nothing is paired here: that would test the speed of pairing.
const PAIRED_MAX: usize = 40;

/// The players entered into a tournament with parsed settings.
const ENTRANTS: u16 = 9;

/// A written report can be read again.
fn rewritten(report: &Report, version: Version) -> Option<Report> {
    let text = report.write(version).ok()?;
    let read = Report::parse(text.as_bytes());
    Some(read.unwrap_or_else(|why| panic!("what is written is read: {why}\n{text}")))
}

/// A parsed report is paired, or refused with a reason. Once written and read, it stays the same.
fn report(input: &[u8]) {
    let Ok(report) = Report::parse(input) else { return };
    for version in [Version::Trf16, Version::Trf26] {
        let Some(written) = rewritten(&report, version) else { continue };
        assert_eq!(rewritten(&written, version).as_ref(), Some(&written), "what was written is written as it was");
    }
    if report.history.entrants.len() > PAIRED_MAX || report.history.rounds.len() > PAIRED_MAX {
        return;
    }
    let options = dutch::Options {
        initial_seat: report.initial_seat,
        forbidden: report.forbidden_in(report.history.rounds.len() as u16 + 1),
        win: report.scoring.win,
        draw: report.scoring.draw,
        loss: report.scoring.loss,
        ..dutch::Options::new(report.available())
    };
    for paired in [dutch::pair(&report.history, &options), fast::pair(&report.history, &options)] {
        let Ok(paired) = paired else { continue };
        let mut seated: Vec<_> = paired.everybody().collect();
        seated.sort_unstable();
        assert!(seated.is_sorted_by(|one, other| one < other), "nobody is paired twice");
        assert!(seated.iter().all(|entrant| options.available.contains(entrant)), "who is absent is not paired");
    }
    for engine in [Engine::Dutch, Engine::Fast, Engine::Berger] {
        replay::differences(&report, engine, &|_, _| ControlFlow::Continue(()));
    }
}

/// Parsed settings begin a tournament whose first round is paired, or refused with a reason.
fn settings(input: &[u8]) {
    let Ok(settings) = serde_json::from_slice::<TournamentSettings>(input) else { return };
    let at = Timestamp::from_millis(1_790_000_000_000).unwrap();
    let id = LogId::from_bytes([1; 16]);
    let Ok(mut draft) = Draft::create(id, at, None, Body::TournamentCreated(settings)) else { return };
    let entrant = |n: u16| NewEntrant {
        player: LogId::from_bytes(u128::from(n + 2).to_be_bytes()),
        details: EntrantDetails { name: format!("P{n}"), rating: Some(1_000 + n), ..EntrantDetails::default() },
        from_round: None,
        points: 0,
    };
    draft.command(By::Arbiter, Command::Enter((0..ENTRANTS).map(entrant).collect())).unwrap();
    let tournament = draft.tournament();
    if let Ok(computed) = tournament.pairing_input().pair(&tournament.rules, &|_, _| ControlFlow::Continue(())) {
        draft.command(By::Arbiter, Command::Pair(computed.paired)).expect("what is paired fits");
        let _ = draft.command(By::Arbiter, Command::OpenRound { round: 1, salt: Hash::ZERO });
    }
    let (tournament, lines) = draft.finish();
    assert_eq!(verify(id, &lines, PAIRED_MAX).fault, None, "what was drafted verifies");
    show(&tournament);
}

/// The events of a parsed log are applied one after another, with a chain of their own: an event that does
/// not fit changes nothing, and the fold can be shown and verified.
fn log(input: &[u8]) {
    let mut events = input.split(|byte| *byte == b'\n').filter_map(|line| Event::parse(line).ok());
    let Some(first) = events.next().map(|first| Event { seq: 0, prev: Hash::ZERO, ..first }) else { return };
    let Ok(mut tournament) = Tournament::begin(&first) else { return };
    let mut lines = vec![first.to_bytes().expect("it was read")];
    for event in events.filter(|event| event.log == first.log) {
        let prev = Hash::of_event(lines.last().expect("there is one"));
        let event = Event { at: event.at.max(tournament.updated_at), seq: tournament.events, prev, ..event };
        let before = tournament.clone();
        if tournament.apply(&event).is_ok() {
            lines.extend(event.to_bytes());
        } else {
            assert_eq!(tournament, before, "what does not fit changes nothing");
        }
    }
    // In a changed log, the system would pair some rounds differently; nothing else is wrong with it.
    let fault = verify(first.log, &lines, PAIRED_MAX).fault;
    assert!(fault.as_ref().is_none_or(|(_, why)| why.contains("round")), "{fault:?}");
    show(&tournament);
}

/// Everything that can be shown of a tournament.
fn show(tournament: &Tournament) {
    if tournament.entrants.len() > PAIRED_MAX {
        return;
    }
    tournament.status();
    files::entrants_csv(tournament);
    files::calendar(tournament, "http://localhost/");
    files::feed(tournament, "http://localhost/", "http://localhost/feed");
    for version in [Version::Trf16, Version::Trf26] {
        if let Ok(text) = files::report(tournament, version) {
            Report::parse(text.as_bytes()).unwrap_or_else(|why| panic!("what is written is read: {why}\n{text}"));
        }
    }
    for round in 0..=tournament.rounds.len() as u32 + 1 {
        tournament.cards(round);
        let _ = files::standings_csv(tournament, round);
        let _ = files::crosstable_csv(tournament, round);
        let _ = files::progress_csv(tournament, round);
        files::pairings_csv(tournament, round);
    }
    for round in &tournament.rounds {
        let tables: Vec<Vec<u16>> = round.tables.iter().map(|table| table.seats.clone()).collect();
        tournament.warnings(round.number, &tables, &round.byes);
    }
}

/// The log of a tournament that was played here.
fn played(kind: &str) -> Vec<u8> {
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let mut first = None;
    play(&service, kind, &mut Dice(7), &mut |logs| {
        first.get_or_insert(logs[0]);
    });
    let lines = service.log().read(first.expect("it was written"), 0).unwrap();
    lines.iter().flat_map(|line| [line, &b"\n"[..]].concat()).collect()
}

#[test]
fn no_report_settings_or_log_panics_a_tournament() {
    let reports = Corpus::new("report", parsers::files(&data("tournaments/dutch")));
    let all_settings = Corpus::new("tournament-settings", []);
    let logs = Corpus::new("tournament", [played("triangulate")]);
    let done = repeat(3, |dice| {
        reports.feed(dice, &mut report);
        all_settings.feed(dice, &mut settings);
        logs.feed(dice, &mut log);
    });
    println!("{done} reports, settings and logs of tournaments");
}

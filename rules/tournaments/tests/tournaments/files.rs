//! A tournament's files, from a log with names that look like something else.

use plybook_events::body::{
    AbsenceAnnounced, Bye, Entered, EntrantBye, EntrantDetails, Forfeited, Nothing, OfRound, Paired, ResultRecorded,
    RoundOpened, SeatRange, TournamentSettings, Withdrawn,
};
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_tournaments::files::{
    ENTRIES_MAX, calendar, crosstable_csv, entrants_csv, feed, outcome, pairings_csv, progress_csv, report,
    standings_csv,
};
use plybook_tournaments::log::Tournament;
use plybook_tournaments::trf::{Report, Version};
use serde_json::{Value, json};

fn object(value: Value) -> serde_json::Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn settings() -> TournamentSettings {
    TournamentSettings {
        name: "Club; open, 2026".to_owned(),
        kind: "triangulate".to_owned(),
        seats: SeatRange { least: 2, most: 2 },
        format: object(json!({"format": "swiss", "rounds": 3})),
        scoring: object(json!({"by": "result", "win": 10, "draw": 5, "loss": 0})),
        tie_breaks: vec!["BH".to_owned(), "SB".to_owned()],
        rounds_at: vec!["2026-11-22T09:00:00.000Z".parse().unwrap(), "2026-11-22T13:30:00.000Z".parse().unwrap()],
        place: Some("Hall <A> & B".to_owned()),
        time_control: Some("90 minutes".to_owned()),
        ..TournamentSettings::default()
    }
}

/// Five entrants; round 1 has a win, a draw and a bye, round 2 a forfeit, a table without result and a bye.
fn bodies() -> Vec<Body> {
    let mut bodies = vec![Body::TournamentCreated(settings())];
    let names = ["=cmd|' /C calc'!A0", "Bert \"B\" <b>", "Cleo, Ann", "Dan & Eve", "Émile"];
    for (number, name) in (1..).zip(names) {
        let details =
            EntrantDetails { name: name.to_owned(), rating: Some(2000 - 10 * number), ..EntrantDetails::default() };
        let player = LogId::from_bytes([number as u8; 16]);
        bodies.push(Body::Entered(Entered { entrant: number, player, details, from_round: None, points: None }));
    }
    let round = |number: u32, tables: &[[u16; 2]], left: u16| {
        let tables = tables.iter().map(|table| table.to_vec()).collect();
        let byes = vec![EntrantBye { bye: Bye::Pairing, entrant: left }];
        let salt = Hash([number as u8; 32]);
        [
            Body::Paired(Paired { round: number, engine: None, tables, byes }),
            Body::RoundOpened(RoundOpened { round: number, salt }),
        ]
    };
    let result = |round: u32, table: u32, ranking: Vec<Vec<u8>>| {
        Body::ResultRecorded(ResultRecorded { round, table, ranking, record: None, at_table: false })
    };
    bodies.extend(round(1, &[[1, 3], [4, 2]], 5));
    bodies.push(result(1, 1, vec![vec![1], vec![2]]));
    bodies.push(result(1, 2, vec![vec![1, 2]]));
    bodies.push(Body::RoundClosed(OfRound { round: 1 }));
    bodies.extend(round(2, &[[5, 1], [2, 3]], 4));
    bodies.push(Body::Forfeited(Forfeited { round: 2, table: 1, seats: vec![1], reason: None }));
    bodies
}

fn folded(bodies: Vec<Body>) -> Tournament {
    let log = LogId::from_bytes([7; 16]);
    let events: Vec<Event> = (0..)
        .zip(bodies)
        .map(|(seq, body)| Event {
            at: Timestamp::from_millis(1_795_000_000_000 + 60_000 * seq as i64).unwrap(),
            by: By::Arbiter,
            log,
            prev: Hash::ZERO,
            seq,
            body,
            who: None,
            signature: None,
            request: None,
        })
        .collect();
    Tournament::fold(&events).unwrap()
}

#[test]
fn standings_are_a_table() {
    let text = standings_csv(&folded(bodies()), 2).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines[0], "\u{feff}place,number,name,rating,club,country,points,BH,SB");
    // Number 1 beat number 3, then won by forfeit: a dummy with at most the points of number 5, who had a bye.
    assert_eq!(lines[1], "1,1,'=cmd|' /C calc'!A0,1990,,,2.0,1.0,1.0");
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[6], "");
    assert!(lines.iter().any(|line| line.contains("\"Bert \"\"B\"\" <b>\"")));
}

#[test]
fn other_tables_tell_the_same() {
    let tournament = folded(bodies());
    assert_eq!(entrants_csv(&tournament).lines().count(), 6);
    let crosstable = crosstable_csv(&tournament, 2).unwrap();
    assert_eq!(crosstable.lines().next(), Some("\u{feff}place,number,name,points,1,4,5,2,3"));
    assert_eq!(crosstable.lines().nth(1), Some("1,1,'=cmd|' /C calc'!A0,2.0,*,,1.0F,,1.0"));
    let progress = progress_csv(&tournament, 2).unwrap();
    assert_eq!(progress.lines().next(), Some("\u{feff}place,number,name,points,round 1,round 2"));
    assert!(progress.contains("3 s1 1.0 (1.0),5 s2 1.0F (2.0)"), "{progress}");
    assert!(progress.contains("2 s1 0.5 (0.5),bye 1.0 (1.5)"), "{progress}");
    assert!(progress.contains("3 s1 ? (0.5)"), "{progress}");
    let pairings = pairings_csv(&tournament, 2).unwrap();
    assert_eq!(pairings.lines().next(), Some("\u{feff}table,number 1,seat 1,points 1,number 2,seat 2,points 2,result"));
    assert_eq!(pairings.lines().nth(1), Some("1,5,Émile,0.0,1,'=cmd|' /C calc'!A0,1.0,– +"));
    assert_eq!(pairings.lines().last(), Some(",4,Dan & Eve,1.0,,,,bye"));
    assert_eq!(pairings_csv(&tournament, 3), None);
}

#[test]
fn outcomes_are_a_few_characters() {
    let tournament = folded(bodies());
    let outcomes: Vec<String> = tournament.rounds.iter().flat_map(|round| &round.tables).map(outcome).collect();
    assert_eq!(outcomes, ["1–0", "½–½", "– +", ""]);
}

#[test]
fn a_calendar_has_the_rounds_that_have_a_time() {
    let text = calendar(&folded(bodies()), "https://example.org/t");
    assert!(text.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && text.ends_with("END:VCALENDAR\r\n"));
    assert_eq!(text.matches("BEGIN:VEVENT").count(), 2);
    assert!(
        text.contains(
            "DTSTART:20261122T133000Z\r\nDTEND:20261122T180000Z\r\nSUMMARY:Club\\; open\\, 2026: round 2\r\n"
        ),
        "{text}"
    );
    // Round 1 ends when round 2 begins, and round 2 takes as long.
    assert!(text.contains("DTSTART:20261122T090000Z\r\nDTEND:20261122T133000Z\r\n"), "{text}");
    assert!(text.contains("LOCATION:Hall <A> & B\r\n"));
    assert!(text.split("\r\n").all(|line| line.len() <= 75));
    // Without start times and opened rounds, the tournament itself is the only event.
    let planned = TournamentSettings {
        rounds_at: Vec::new(),
        starts_at: Some("2026-12-24T10:00:00.000Z".parse().unwrap()),
        ..settings()
    };
    let text = calendar(&folded(vec![Body::TournamentCreated(planned)]), "https://example.org/t");
    assert_eq!(text.matches("DTSTART:20261224T100000Z").count(), 1);
}

#[test]
fn a_feed_is_sound_xml_with_the_latest_first() {
    let mut bodies = bodies();
    bodies.push(Body::ResultRecorded(ResultRecorded {
        round: 2,
        table: 2,
        ranking: vec![vec![2], vec![1]],
        record: None,
        at_table: true,
    }));
    bodies.push(Body::RoundClosed(OfRound { round: 2 }));
    bodies.push(Body::TournamentFinished(Nothing {}));
    let text = feed(&folded(bodies), "https://example.org/t?a=1&b=2", "https://example.org/t/feed.atom");
    let (mut titles, mut path) = (Vec::new(), Vec::new());
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut words = String::new();
    loop {
        match reader.read_event().expect("the feed is sound XML") {
            quick_xml::events::Event::Start(start) => {
                path.push(start.name().as_ref().to_owned());
                words.clear();
            }
            quick_xml::events::Event::Text(text) => words += &text,
            quick_xml::events::Event::GeneralRef(reference) => words += &format!("&{};", &*reference),
            quick_xml::events::Event::End(end) => {
                assert_eq!(path.pop().unwrap(), end.name().as_ref());
                if end.name().as_ref() == "title" && path.len() == 2 {
                    titles.push(std::mem::take(&mut words));
                }
            }
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert!(path.is_empty());
    assert_eq!(titles[0], "Won by =cmd|&apos; /C calc&apos;!A0");
    assert_eq!(titles[1], "Round 2 is over");
    assert_eq!(titles[2], "Round 2, table 2: Bert &quot;B&quot; &lt;b&gt; 0–1 Cleo, Ann");
    assert_eq!(titles.last().unwrap(), "Round 1 is paired");
    assert_eq!(titles.len(), 9);
    assert!(titles.len() <= ENTRIES_MAX);
    assert!(text.contains("href=\"https://example.org/t?a=1&amp;b=2\""));
}

/// The lines of a report without the spaces at their ends.
fn lines_of(tournament: &Tournament, version: Version) -> Vec<String> {
    let text = report(tournament, version).unwrap();
    let read = Report::parse(text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(read.write(version).unwrap().lines().count(), text.lines().count(), "everything is read back\n{text}");
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A federation rates by the days of a report, which are those of the hall.
#[test]
fn days_are_those_of_the_tournaments_time_zone() {
    let mut bodies = bodies();
    let Body::TournamentCreated(settings) = &mut bodies[0] else { unreachable!() };
    settings.time_zone = Some("America/Los_Angeles".to_owned());
    settings.starts_at = Some("2026-11-28T03:00:00.000Z".parse().unwrap());
    settings.rounds_at = vec!["2026-11-28T03:00:00.000Z".parse().unwrap(), "2026-11-28T17:00:00.000Z".parse().unwrap()];
    let found = lines_of(&folded(bodies), Version::Trf26);
    assert!(found.contains(&"042 2026/11/27".to_owned()), "{found:?}");
    assert!(found.contains(&format!("132 {:87}26/11/27  26/11/28", "")), "{found:?}");
}

#[test]
fn a_report_says_all_that_it_has_a_place_for() {
    let mut bodies = bodies();
    let Body::TournamentCreated(settings) = &mut bodies[0] else { unreachable!() };
    settings.format = object(json!({"format": "swiss", "rounds": 3, "is_accelerated": true}));
    settings.time_control = Some("5400+30".to_owned());
    settings.rounds_at.push("2026-11-23T09:00:00.000Z".parse().unwrap());
    for (body, country) in bodies[1..].iter_mut().zip(["AT", "GB", "CH"]) {
        let Body::Entered(entered) = body else { unreachable!() };
        entered.details.country = Some(country.to_owned());
    }
    bodies.push(Body::AbsenceAnnounced(AbsenceAnnounced { entrant: 1, round: 3, bye: Bye::Half }));
    bodies.push(Body::Withdrawn(Withdrawn { entrant: 2, from_round: 3, reason: None }));
    let tournament = folded(bodies);
    let same = [
        "012 Club; open, 2026",
        "022 Hall <A> & B",
        "042 2026/11/22",
        "062 5",
        "072 5",
        "092 Individual: Swiss-System (accelerated)",
        "122 5400+30",
    ];
    let dates = format!("132 {:87}26/11/22  26/11/22  26/11/23", "");
    let entrants = [
        "001    1      =cmd|' /C calc'!A0                1990 AUT                         2.0    1     3 w 1     5 b +",
        "001    2      Bert \"B\" <b>                      1980                             0.5    4     4 b =     3 w",
        "001    3      Cleo, Ann                         1970 SUI                         0.0    5     1 b 0     2 b",
        "001    4      Dan & Eve                         1960                             1.5    2     2 w =  0000 - U",
        "001    5      Émile                             1950                             1.0    3  0000 - U     1 w -",
    ];
    let found = lines_of(&tournament, Version::Trf26);
    let codes = ["192 FIDE_DUTCH_2025_BAKU", "202 BH,SB", "212 PTS,BH,SB", "222 5400+30", "142 3", "152 W"];
    let after =
        ["250       1.0   1   1    1    1", "250       0.5   2   2    1    1", "240 H   3    1", "240 Z   3    2"];
    let all = [same.as_slice(), &[dates.as_str()], &codes, &entrants].concat();
    assert_eq!(found[..all.len()], all);
    assert_eq!(found[found.len() - 2..], after[2..]);
    assert_eq!(found.iter().filter(|line| line.starts_with("250")).count(), 8, "four of five are in the upper half");
    assert_eq!(
        found.iter().filter(|line| line.starts_with("250")).take(2).collect::<Vec<_>>(),
        after[..2].iter().collect::<Vec<_>>()
    );
    let found = lines_of(&tournament, Version::Trf16);
    // Round 2 is being played, so it is left out.
    let expected = [
        "001    1      =cmd|' /C calc'!A0                1990 AUT                         1.0    1     3 w 1",
        "XXA    1  1.0  0.5",
        "240 Z   3    2",
    ];
    assert!(expected.iter().all(|line| found.iter().any(|found| found == line)), "{found:#?}");
    assert!(!found.iter().any(|line| line.starts_with("192") || line.starts_with("250")), "{found:#?}");
}

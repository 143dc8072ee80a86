//! `tests/data/records/tournament*.ndjson`: tournaments with every type of event, and the games that they speak of.

use plybook_api::service::Importing;
use plybook_events::body::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, Bye, EntrantDetails, EntrantEdited, Forfeited, GameHead, GameOpened,
    ResultRecorded, ResultRemoved, Resumed, SeatEntry, SeatRange, TableOpened, TournamentSettings,
};
use plybook_events::{Body, By, Hash, LogId, Outcome, Timestamp};
use plybook_rules::log::Command as Do;
use plybook_tournaments::log::{Command, Draft, NewEntrant, Tournament, ranking_of, verify};
use serde_json::{Value, json};

use crate::golden::{Golden, all, compare};
use crate::load::service;
use crate::recorder::{Recorder, id, new_game};

/// The log of a tournament that is being recorded, and its games.
struct Recorded {
    name: &'static str,
    tournament: Tournament,
    lines: Vec<Vec<u8>>,
    games: Vec<(String, Recorder)>,
}

/// 2026-01-01T13:00:00.000Z, and an event every two seconds from there.
fn time(seq: u64) -> Timestamp {
    Timestamp::from_millis(1_767_272_400_000 + 2_000 * seq as i64).expect("it is in this century")
}

fn object(value: Value) -> serde_json::Map<String, Value> {
    serde_json::from_value(value).expect("it is an object")
}

fn settings(name: &str, format: Value) -> TournamentSettings {
    TournamentSettings {
        name: name.to_owned(),
        kind: "triangulate".to_owned(),
        seats: SeatRange { least: 2, most: 2 },
        format: object(format),
        scoring: object(json!({"by": "result", "win": 10, "draw": 5, "loss": 0})),
        tie_breaks: ["BH/C1", "SB", "DE"].map(str::to_owned).into(),
        half_byes: Some(1),
        half_byes_until: Some(2),
        ..TournamentSettings::default()
    }
}

fn entrant(name: &str, rating: Option<u16>) -> NewEntrant {
    let details = EntrantDetails { name: name.to_owned(), rating, ..EntrantDetails::default() };
    NewEntrant { player: id(name), details, from_round: None, points: 0 }
}

impl Recorded {
    fn begin(name: &'static str, settings: TournamentSettings) -> Self {
        let draft =
            Draft::create(id(name), time(0), None, Body::TournamentCreated(settings)).expect("the settings are right");
        let (tournament, lines) = draft.finish();
        Self { name, tournament, lines, games: Vec::new() }
    }

    fn run_as(&mut self, by: By, command: Command) {
        let prev = Hash::of_event(self.lines.last().expect("a log is not empty"));
        let mut draft = Draft::resume(self.tournament.clone(), prev, time(self.tournament.events), None);
        let told = format!("{}: {command:?}", self.name);
        draft.command(by, command).unwrap_or_else(|why| panic!("{told}: {why}"));
        let (tournament, lines) = draft.finish();
        self.tournament = tournament;
        self.lines.extend(lines);
    }

    fn run(&mut self, command: Command) {
        self.run_as(By::Arbiter, command);
    }

    /// Pairs the next round by the tournament's system.
    fn pair(&mut self) {
        let input = self.tournament.pairing_input();
        let computed = input.pair(&self.tournament.rules, &|_, _| std::ops::ControlFlow::Continue(()));
        self.run(Command::Pair(computed.expect("it can be paired").paired));
    }

    /// Opens a round, with its games.
    fn open(&mut self, round: u32, salt: &str) {
        self.run(Command::OpenRound { round, salt: Hash::of_event(salt.as_bytes()) });
        let tables = self.tournament.round(round).expect("it is open").tables.clone();
        for (table, found) in (1..).zip(tables) {
            if found.result.is_none() {
                self.game(round, table, found.game().expect("it has a game"));
            }
        }
    }

    /// Begins the game of a table.
    fn game(&mut self, round: u32, table: u32, game: LogId) {
        let seats = &self.tournament.round(round).and_then(|round| round.table(table)).expect("it is there").seats;
        let entry = |number: &u16| {
            let entrant = self.tournament.entrant(*number).expect("it is entered");
            SeatEntry { name: entrant.details.name.clone(), player: Some(entrant.player) }
        };
        let mut created = new_game("triangulate", false);
        created.seats = seats.iter().map(entry).collect();
        (created.tournament, created.round, created.table) = (Some(self.tournament.id), Some(round), Some(table));
        let name = format!("{}-{round}-{table}-{}", self.name, self.games.len());
        self.games.push((name.clone(), Recorder::begin_as(game, &name, &json!({}), created)));
    }

    fn recorder(&mut self, game: LogId) -> &mut Recorder {
        let found = self.games.iter_mut().find(|(_, recorder)| recorder.replay().log() == game);
        &mut found.expect("the game was begun").1
    }

    fn game_at(&self, round: u32, table: u32) -> LogId {
        self.tournament.round(round).and_then(|round| round.table(table)?.game()).expect("the table has a game")
    }

    /// Does something in the game of a table, and tells the tournament.
    fn tell(&mut self, round: u32, table: u32, game: LogId, command: Do) {
        let recorder = self.recorder(game);
        recorder.run(command);
        let (seq, hash) = recorder.head();
        let replay = recorder.replay();
        let record = Some(GameHead { game, seq, hash });
        let reason = replay.voided().map(str::to_owned);
        let outcome = replay.end().map(|end| end.outcome.clone()).filter(|_| reason.is_none());
        let seats = replay.created().seats.len() as u8;
        self.run_as(
            By::Service,
            match outcome {
                Some(outcome) => {
                    let ranking = ranking_of(&outcome, seats);
                    Command::FeedResult(ResultRecorded { round, table, ranking, record, at_table: false })
                }
                None => Command::FeedRemoval(ResultRemoved { round, table, record, reason }),
            },
        );
    }

    /// Plays a few plies of the game of a table, then ends it.
    fn play(&mut self, round: u32, table: u32, command: Do) {
        let game = self.game_at(round, table);
        self.recorder(game).play(3);
        self.tell(round, table, game, command);
    }

    /// Games that were opened and not needed are void, as the service leaves them.
    fn void_the_rest(&mut self) {
        for (_, game) in &mut self.games {
            if game.replay().end().is_none() && game.replay().voided().is_none() {
                game.run(Do::Void { reason: "it was not needed".to_owned() });
            }
        }
    }

    fn check(&mut self) {
        self.void_the_rest();
        let text = |lines: &[Vec<u8>]| {
            let line = |line: &Vec<u8>| String::from_utf8_lossy(line).into_owned() + "\n";
            lines.iter().map(line).collect::<String>()
        };
        let found = verify(self.tournament.id, &self.lines, usize::MAX);
        assert_eq!((found.fault, found.unchecked.as_slice()), (None, &[][..]), "{}", self.name);
        compare(&format!("records/{}.ndjson", self.name), &text(&self.lines));
        for (name, game) in &self.games {
            compare(&format!("records/{name}.ndjson"), &game.text());
        }
    }
}

#[test]
fn a_swiss_tournament_in_which_everything_happens() {
    let first = settings("Frog Open", json!({"format": "swiss", "rounds": 2}));
    let mut log = Recorded::begin("tournament", first.clone());
    log.run(Command::Edit(Box::new(TournamentSettings {
        name: "“Frog” Open, Växjö".to_owned(),
        place: Some("Växjö".to_owned()),
        time_control: Some("30 minutes".to_owned()),
        description: Some("Bring a board.".to_owned()),
        starts_at: Some(time(0)),
        ends_at: Some(time(90_000)),
        rounds_at: vec![time(1_800), time(9_000)],
        tags: object(json!({"league": "north"})),
        ..first
    })));
    let names = [("Ada", Some(1900)), ("Ben", Some(1850)), ("Cleo", None), ("Dan", Some(1700)), ("Eve", Some(1650))];
    log.run(Command::Enter(names.map(|(name, rating)| entrant(name, rating)).into()));
    log.run(Command::Enter(vec![entrant("Eva", None)]));
    log.run(Command::RemoveEntry(6));
    let details =
        EntrantDetails { rating: Some(1750), club: Some("Växjö".to_owned()), ..entrant("Cleo", None).details };
    log.run(Command::EditEntrant(EntrantEdited {
        entrant: 3,
        details: EntrantDetails { country: Some("SE".to_owned()), ..details },
    }));
    log.run(Command::AnnounceAbsence(AbsenceAnnounced { entrant: 1, round: 1, bye: Bye::Half }));
    log.run(Command::CancelAbsence(AbsenceCancelled { entrant: 1, round: 1 }));
    log.run(Command::AnnounceAbsence(AbsenceAnnounced { entrant: 5, round: 2, bye: Bye::Half }));
    log.pair();
    log.run(Command::Unpair(1));
    log.pair();
    log.open(1, "too early");
    log.run(Command::UnopenRound(1));
    log.void_the_rest();
    log.open(1, "round 1");
    log.play(1, 1, Do::Resign(2));
    log.run(Command::Adjourn(Adjourned { round: 1, table: 2, until: Some("after lunch".to_owned()) }));
    log.run(Command::Resume(Resumed { round: 1, table: 2 }));
    log.run(Command::EnterResult { round: 1, table: 2, ranking: vec![vec![1], vec![2]], at_table: true });
    log.run(Command::ClearResult { round: 1, table: 2, reason: Some("the other table".to_owned()) });
    log.play(1, 2, Do::Adjudicate { outcome: Outcome::draw("agreed") });
    log.run(Command::CloseRound(1));
    log.run(Command::ReopenRound(1));
    log.run(Command::CloseRound(1));
    log.run(Command::Withdraw { entrant: 4, from_round: None, reason: Some("ill".to_owned()) });
    log.run(Command::Return { entrant: 4, from_round: None });
    let late = NewEntrant { from_round: Some(2), points: 5, ..entrant("Late", Some(1800)) };
    log.run(Command::Enter(vec![late]));
    log.pair();
    let paired = log.tournament.round(2).expect("it is paired").clone();
    let mut tables: Vec<Vec<u16>> = paired.tables.iter().map(|table| table.seats.clone()).collect();
    tables[0].reverse();
    log.run(Command::ChangePairing { round: 2, tables, byes: Some(paired.byes), is_forced: true });
    log.open(2, "round 2");
    let wrong = log.game_at(2, 1);
    log.play(2, 1, Do::Resign(1));
    log.tell(2, 1, wrong, Do::Void { reason: "the wrong board".to_owned() });
    let again = id("tournament-again");
    log.run(Command::OpenGame(GameOpened { round: 2, table: 1, game: again }));
    log.game(2, 1, again);
    log.play(2, 1, Do::Resign(2));
    if log.tournament.round(2).expect("it is open").tables.len() > 1 {
        log.run(Command::Forfeit(Forfeited { round: 2, table: 2, seats: vec![2], reason: Some("absent".to_owned()) }));
    }
    log.run(Command::CloseRound(2));
    log.run(Command::Finish);
    log.run(Command::Reopen);
    log.run(Command::Finish);
    // The outcome of a game is corrected after all is over.
    let first = log.game_at(1, 1);
    log.tell(1, 1, first, Do::Adjudicate { outcome: Outcome::win(vec![2], "looked again") });
    log.check();
}

#[test]
fn a_list_of_games() {
    let mut log = Recorded::begin("tournament-list", settings("Club evenings", json!({"format": "free"})));
    log.run(Command::Enter(vec![entrant("Ada", Some(1900)), entrant("Ben", Some(1850))]));
    let game = id("tournament-list-game");
    log.run(Command::OpenTable(TableOpened { round: 1, table: 1, seats: vec![2, 1], game }));
    log.game(1, 1, game);
    log.play(1, 1, Do::Resign(1));
    log.check();
}

fn is_tournament(golden: &Golden) -> bool {
    matches!(golden.events()[0].body, Body::TournamentCreated(_))
}

/// With its games, a tournament is taken in, is verified together with them, and has the same bytes again.
#[test]
fn golden_tournaments_are_imported_with_their_games() {
    let (tournaments, others): (Vec<Golden>, Vec<Golden>) =
        all().into_iter().filter(|golden| golden.name().contains("tournament")).partition(is_tournament);
    assert_eq!(tournaments.len(), 2);
    let service = service();
    for game in &others {
        service
            .import_log(&game.text, &Importing::of(&game.text))
            .unwrap_or_else(|why| panic!("{}: {why}", game.name()));
    }
    for golden in &tournaments {
        service
            .import_tournament(&golden.text, &Importing::of(&golden.text).source)
            .unwrap_or_else(|why| panic!("{}: {why}", golden.name()));
        let lines = service.log().read(golden.id(), 0).expect("it can be read");
        assert_eq!(lines.iter().map(|line| &**line).collect::<Vec<_>>(), golden.lines(), "nothing was added");
        let verified =
            service.verify_tournament(golden.id(), &plybook_api::load::Meter::unlimited()).expect("it can be read");
        assert_eq!((verified.fault, verified.events as usize), (None, lines.len()), "{}", golden.name());
    }
}

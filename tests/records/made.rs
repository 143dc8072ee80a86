//! `tests/data/records/*.ndjson`: every type of event, and every way in which the service ends a game.

use plybook_events::body::{
    Annotated, Arranged, Created, Ended, Fork, Imported, PlayerCreated, PlayerEdited, PlayerKeyAdded, PlayerKeyRemoved,
    PlayerMerged, PlayerUnmerged, Rolls, SeatEntry,
};
use plybook_events::{Actor, Body, By, Decider, Event, Hash, Outcome, PublicKey, Timestamp, Who};
use plybook_rules::Viewer;
use plybook_rules::log::Command;
use serde_json::json;

use crate::golden::compare;
use crate::recorder::{Lines, Recorder, derived, id, new_game};

/// Homelands of Thrones, for seat 1 and 2.
const SETUPS: [&str; 2] = [
    "setup:ffppwpmfp/pmmpppwFf/pffppwwwf/mpmfpfpww:Ba3Wa4Sb2Cb3Xc2Lc3Sd2Td3De2Re4Lf4Rg1Eh1:paffwgmh",
    "setup:ppfppmwpw/fwppmffww/pFwpmfffp/mpwppfmfp:Ta8Db6Rb7Sb9Bc6Cc8Ed8Lf7Sf8Lf9Rg7Xh9Wi8:fbpfwhmi",
];

/// Records and compares `tests/data/records/<name>.ndjson`.
fn check(name: &str, text: &str) {
    compare(&format!("records/{name}.ndjson"), text);
}

/// A game of Triangulate after some plies.
fn triangulate(name: &str, plies: usize) -> Recorder {
    let mut game = Recorder::begin(name, &json!({}), new_game("triangulate", false));
    game.play(plies);
    game
}

fn annotate(by: By, ply: u32, comment: Option<&str>, glyphs: &[&str]) -> Command {
    let glyphs = glyphs.iter().map(ToString::to_string).collect();
    Command::Annotate { by, annotated: Annotated { ply, comment: comment.map(str::to_owned), glyphs } }
}

fn take_back(to_ply: u32) -> Command {
    Command::TakeBack { to_ply, reason: "touched by mistake".to_owned() }
}

#[test]
fn the_example_of_the_format() {
    let mut created = new_game("triangulate", false);
    created.seats = ["Ada", "Ben"].map(|name| SeatEntry { name: name.to_owned(), player: None }).into();
    let mut game = Recorder::begin("example", &json!({}), created);
    game.play(2);
    game.run(Command::Resign(1));
    check("example", &game.text());
}

#[test]
fn a_game_that_was_imported_in_two_parts() {
    let mut game = triangulate("resignation", 3);
    game.run(Command::Resign(2));
    let text = game.text();
    let lines: Vec<&str> = text.lines().collect();
    let log = game.replay().log();
    let mut marks = Lines::of(Imported::marks_of(log), Hash::ZERO);
    for (first, last, source) in [(0, 2, None), (3, 4, Some("round1.ndjson"))] {
        let file = Hash::of_parts(&[lines[..=last].join("\n").as_bytes()]);
        let head = Hash::of_event(lines[last].as_bytes());
        let source = source.map(str::to_owned);
        let mark = Imported { log, first, last: last as u64, head, file, source };
        marks.add_of(Some(Who::Operator), By::Service, Body::Imported(mark));
    }
    check("imported", &marks.text());
}

#[test]
fn a_player() {
    let mut log = Lines::new("player", Hash::ZERO);
    log.add(By::Service, Body::PlayerCreated(PlayerCreated { name: "Zoë “Frog” Ånström".to_owned() }));
    check("player", &log.text());
}

#[test]
fn a_player_who_is_edited_and_merged() {
    let mut log = Lines::new("player-merged", Hash::ZERO);
    log.add(By::Service, Body::PlayerCreated(PlayerCreated { name: "Zoe Anstrom".to_owned() }));
    log.add(
        By::Arbiter,
        Body::PlayerEdited(PlayerEdited {
            name: Some("Zoë Ånström".to_owned()),
            club: Some("Växjö".to_owned()),
            country: Some("SE".to_owned()),
            links: Some(vec!["https://example.org/zoe".to_owned()]),
        }),
    );
    log.add(
        By::Arbiter,
        Body::PlayerEdited(PlayerEdited {
            club: Some(String::new()),
            links: Some(Vec::new()),
            ..PlayerEdited::default()
        }),
    );
    log.add(By::Arbiter, Body::PlayerMerged(PlayerMerged { into: id("player") }));
    log.add(By::Arbiter, Body::PlayerUnmerged(PlayerUnmerged {}));
    check("player-merged", &log.text());
}

#[test]
fn a_game_that_was_played_earlier_and_is_not_rated() {
    let mut created = new_game("triangulate", false);
    (created.played, created.unrated) = ("2025-12-24".parse().ok(), true);
    let mut game = Recorder::begin("played", &json!({}), created);
    game.play(2);
    game.run(Command::Resign(1));
    check("played", &game.text());
}

fn taken_back() -> Recorder {
    let mut created = new_game("triangulate", false);
    created.seats = vec![
        SeatEntry { name: "Zoë “Frog” Ånström".to_owned(), player: Some(id("player")) },
        SeatEntry { name: "O'Neil \\ \"Sam\"".to_owned(), player: None },
    ];
    (created.tournament, created.round, created.table) = (Some(id("tournament")), Some(2), Some(1));
    created.tags = serde_json::from_str(r#"{"board":"north","hall":3}"#).expect("it is an object");
    let mut game = Recorder::begin("taken-back", &json!({}), created);
    let listed = |game: &Recorder| game.replay().position().legal(Actor::Seat(1)).expect("it is listed");
    let first = listed(&game)[0].clone();
    game.act(Actor::Seat(1), &first, Some(299_000));
    game.play(3);
    // No command takes the two controls; what was imported may have them.
    let comment = Some("Why?\nA \"quiet\" ply\u{1f}\u{7f} – 静かな手 🐸".to_owned());
    let glyphs = ["?!", "±"].map(str::to_owned).to_vec();
    game.add(By::Arbiter, Body::Annotated(Annotated { ply: 2, comment, glyphs }));
    game.run(annotate(By::Seat(2), 0, Some("Before the start."), &[]));
    game.run(take_back(1));
    game.run(annotate(By::Seat(2), 0, None, &[]));
    game.play(2);
    game
}

#[test]
fn a_takeback_and_annotations() {
    check("taken-back", &taken_back().text());
}

#[test]
fn a_draw_declined_and_a_draw_agreed() {
    let mut game = triangulate("draw-agreed", 2);
    game.run(Command::OfferDraw(1));
    game.run(Command::AnswerDraw { seat: 2, accept: false });
    game.play(1);
    game.run(Command::OfferDraw(2));
    game.run(Command::AnswerDraw { seat: 1, accept: true });
    check("draw-agreed", &game.text());
}

#[test]
fn a_draw_offer_that_stands() {
    let mut game = triangulate("draw-offered", 1);
    game.run(Command::OfferDraw(2));
    check("draw-offered", &game.text());
}

#[test]
fn a_resignation() {
    let mut game = triangulate("resignation", 3);
    game.run(Command::Resign(2));
    check("resignation", &game.text());
}

#[test]
fn a_clock_that_ran_out() {
    let mut game = triangulate("time", 3);
    game.run(Command::FlagFall(1));
    check("time", &game.text());
}

#[test]
fn a_seat_that_left() {
    let mut game = triangulate("abandonment", 2);
    let outcome = Outcome::win(vec![1], "abandonment");
    game.add(By::Arbiter, Body::Ended(Ended { decided_by: Decider::Abandonment, outcome, seed: None }));
    check("abandonment", &game.text());
}

#[test]
fn an_adjudication_and_its_correction() {
    let mut game = triangulate("corrected", 2);
    game.run(Command::Adjudicate { outcome: Outcome::win(vec![1], "seat 2 was late") });
    check("adjudicated", &triangulate_adjudicated().text());
    game.run(Command::Adjudicate { outcome: Outcome::draw("both were late") });
    check("corrected", &game.text());
}

fn triangulate_adjudicated() -> Recorder {
    let mut game = triangulate("adjudicated", 2);
    let ranking = Some(vec![vec![2], vec![1]]);
    let outcome = Outcome { ranking, ..Outcome::win(vec![2], "seat 1 was late") };
    game.run(Command::Adjudicate { outcome });
    game
}

#[test]
fn a_game_that_goes_on_after_its_end() {
    let mut game = triangulate("reopened", 3);
    game.run(Command::Resign(1));
    game.run(take_back(2));
    game.play(1);
    game.run(Command::Void { reason: "the hall was evacuated".to_owned() });
    game.run(annotate(By::Arbiter, 1, None, &["!"]));
    check("reopened", &game.text());
}

#[test]
fn a_game_without_seed_that_is_void() {
    let mut game = triangulate("void", 1);
    game.run(Command::Void { reason: "the wrong board".to_owned() });
    check("void", &game.text());
}

#[test]
fn a_line() {
    let parent = taken_back();
    let text = parent.text();
    let bytes = text.lines().nth(1).expect("the game has a first ply").as_bytes();
    let event = Event::parse(bytes).expect("it was just written");
    let hash = Hash::of_event(bytes);
    let mut created = parent.replay().created().clone();
    created.fork = Some(Fork { game: event.log, ply: 1, seq: event.seq, hash });
    created.name = Some("What if 2 had jumped?".to_owned());
    let mut log = Lines::new("line", hash);
    log.add(By::Service, Body::Created(created));
    check("line", &log.text());
}

/// A line of Thrones, from a game that is over: what was sealed there is open here, and battles are rolled
/// from the line's own seed.
#[test]
fn a_line_that_is_played_on_and_arranged() {
    let mut parent = Recorder::begin("line-parent", &json!({}), new_game("thrones", false));
    parent.act(Actor::Seat(1), SETUPS[0], None);
    parent.act(Actor::Seat(2), SETUPS[1], None);
    parent.play(5);
    parent.run(Command::Resign(1));
    check("line-parent", &parent.text());
    let mut line = Recorder::branch("line-arranged", &parent, 4, "a first try");
    let arranged =
        |name: Option<&str>, hidden, rank| Command::Arrange(Arranged { name: name.map(str::to_owned), hidden, rank });
    line.run(arranged(Some("The “quiet” way"), None, None));
    line.run(annotate(By::Arbiter, 2, Some("Laid out well."), &["!"]));
    line.run(arranged(None, Some(true), Some(-2)));
    line.play(4);
    line.run(take_back(5));
    line.run(arranged(Some(""), Some(false), None));
    line.play(30);
    check("line-arranged", &line.text());
}

#[test]
fn fair_rolls_of_a_game_that_is_adjudicated() {
    let mut game = Recorder::begin("fair-rolls", &json!({"players": 3}), new_game("triforce", false));
    let is_fair = |game: &Recorder| game.replay().mainline().iter().filter(|ply| ply.is_fair).count();
    while is_fair(&game) < 4 {
        let plies = game.replay().mainline().len();
        game.play(1);
        assert_eq!(game.replay().mainline().len(), plies + 1, "the game ended with few rolls");
    }
    game.run(Command::Adjudicate { outcome: Outcome::draw("the hall closes") });
    check("fair-rolls", &game.text());
}

#[test]
fn fair_rolls_to_which_two_of_three_seats_contribute() {
    let mut game = Recorder::begin("fair-rolls-entropy", &json!({"players": 3}), new_game("triforce", false));
    game.run(Command::AddEntropy { seat: 3, entropy: derived("entropy", "3") });
    game.play(2);
    game.run(Command::AddEntropy { seat: 1, entropy: derived("entropy", "1") });
    while !game.replay().mainline().last().is_some_and(|ply| ply.is_fair) {
        game.play(1);
    }
    game.run(take_back(game.replay().mainline().len() as u32 - 1));
    game.roll();
    game.run(Command::Adjudicate { outcome: Outcome::draw("the hall closes") });
    check("fair-rolls-entropy", &game.text());
}

#[test]
fn fair_rolls_of_a_game_that_is_void() {
    let created = Created { rolls: Some(Rolls::Fair), ..new_game("triforce", false) };
    let mut game = Recorder::begin("fair-rolls-void", &json!({"players": 3}), created);
    while !game.replay().mainline().last().is_some_and(|ply| ply.is_fair) {
        game.play(1);
    }
    game.run(take_back(game.replay().mainline().len() as u32 - 1));
    game.roll();
    game.run(Command::Void { reason: "a seat was taken twice".to_owned() });
    check("fair-rolls-void", &game.text());
}

#[test]
fn sealed_submissions_revealed_by_the_rules_and_at_the_end() {
    let created = || new_game("triforce-building", false);
    let mut game = Recorder::begin("sealed", &json!({"players": 7}), created());
    game.play(7 + 3);
    assert!(game.replay().sealed().count() >= 4, "the setup and the second round are sealed");
    check("sealed-running", &game.text());
    let ranking = Some(vec![vec![1, 2, 3, 4], vec![5, 6, 7]]);
    game.run(Command::Adjudicate { outcome: Outcome { ranking, ..Outcome::win(vec![1, 2, 3, 4], "time is up") } });
    assert_eq!(game.replay().sealed().count(), 0, "the end opens all");
    check("sealed", &game.text());
}

/// What chance gives and not everybody sees: a deal in a game of partners, and places as round 1 opens.
#[test]
fn what_chance_seals() {
    let fair = |kind| Created { rolls: Some(Rolls::Fair), ..new_game(kind, false) };
    let setup = json!({"players": 4, "teams": true, "pledges": "dealt", "heaps": [3, 4, 5]});
    let mut game = Recorder::begin("dealt", &setup, fair("heaps"));
    game.run(Command::AddEntropy { seat: 2, entropy: derived("entropy", "dealt") });
    game.play(11);
    assert!(game.replay().sealed().count() >= 1, "the deal is sealed");
    game.run(Command::Adjudicate { outcome: Outcome::win(vec![1, 3], "time is up") });
    check("dealt", &game.text());
    let mut game = Recorder::begin("drawn-late", &json!({"players": 7, "drawLate": true}), fair("triforce-building"));
    game.play(10);
    game.run(Command::Adjudicate { outcome: Outcome::win(vec![1], "time is up") });
    check("drawn-late", &game.text());
}

/// Deadlines that the setup gives, that the arbiter moves and lifts, and a round that is closed.
#[test]
fn a_game_with_deadlines() {
    let setup = json!({"players": 7, "deadlines": {"before": "1s", "round": "30s"}, "drawLate": false});
    let mut game = Recorder::begin("deadline", &setup, new_game("triforce-building", false));
    game.start_clock();
    game.play(9);
    let due = Timestamp::parse_lenient("2026-01-02T12:00:00Z").ok();
    game.run(Command::SetDeadline { due, reason: "a strike of trains".to_owned() });
    game.run(Command::CloseRound);
    game.run(Command::SetDeadline { due: None, reason: "everybody is here".to_owned() });
    game.run(take_back(8));
    game.run(Command::Adjudicate { outcome: Outcome::win(vec![1], "time is up") });
    check("deadline", &game.text());
}

/// Start cells and labels, or who begins: drawn from the seed, which the end publishes.
#[test]
fn setups_that_are_drawn() {
    let adjudicate =
        |game: &mut Recorder| game.run(Command::Adjudicate { outcome: Outcome::win(vec![1], "time is up") });
    for (name, is_open) in [("drawn", true), ("drawn-sealed", false)] {
        let mut game = Recorder::draw(name, &json!({"players": 7}), new_game("triforce-building", is_open));
        game.play(9);
        assert_eq!(game.replay().created().drawn, ["labels", "starts"]);
        adjudicate(&mut game);
        check(name, &game.text());
    }
    let setup = json!({"players": 5, "first": "drawn"});
    let mut game = Recorder::draw("drawn-first", &setup, new_game("triforce", false));
    game.play(4);
    assert_eq!(game.replay().created().drawn, ["first"]);
    adjudicate(&mut game);
    check("drawn-first", &game.text());
    let given = Recorder::draw("given", &json!({"players": 5, "first": 4}), new_game("triforce", false));
    assert!(given.replay().created().drawn.is_empty() && given.replay().position().to_act().contains(Actor::Seat(4)));
}

#[test]
fn sealed_setups_of_two_seats() {
    let mut game = Recorder::begin("sealed-setups", &json!({}), new_game("thrones", false));
    for (seat, action) in (1..).zip(SETUPS) {
        game.act(Actor::Seat(seat), action, None);
    }
    game.play(22);
    game.run(Command::Resign(1));
    assert_eq!(game.replay().sealed().count(), 0, "the end opens all");
    check("sealed-setups", &game.text());
}

#[test]
fn a_game_of_which_some_is_signed() {
    let mut game = triangulate("signed", 2);
    game.sign(true);
    game.play(2);
    game.run(annotate(By::Arbiter, 3, Some("Zoë: 静か"), &["!"]));
    game.sign(false);
    game.play(1);
    game.run(Command::OfferDraw(2));
    game.sign(true);
    game.run(Command::AnswerDraw { seat: 1, accept: false });
    game.run(take_back(4));
    game.run(Command::Resign(2));
    game.run(Command::Adjudicate { outcome: Outcome::draw("both were late") });
    check("signed", &game.text());
}

/// What somebody signs, the end of the game puts after what it reveals, and adds the seed to it.
#[test]
fn a_game_of_which_all_is_signed() {
    let created = Created { signed: true, ..new_game("thrones", false) };
    let mut game = Recorder::begin("signed-all", &json!({}), created);
    for (seat, action) in (1..).zip(SETUPS) {
        game.act(Actor::Seat(seat), action, None);
    }
    game.play(6);
    game.run(Command::Resign(1));
    check("signed-all", &game.text());
    let created = Created { signed: true, ..new_game("thrones", false) };
    let mut game = Recorder::begin("signed-sealed", &json!({}), created);
    game.act(Actor::Seat(2), SETUPS[1], Some(5_000));
    game.run(Command::Resign(1));
    check("signed-sealed", &game.text());
    // What is submitted for a player who has left is signed by nobody.
    let created = Created { signed: true, ..new_game("triforce-building", false) };
    let mut game = Recorder::begin("signed-left", &json!({"players": 7}), created);
    game.run(Command::Resign(3));
    game.play(9);
    game.run(Command::Void { reason: "the hall was evacuated".to_owned() });
    check("signed-left", &game.text());
}

/// What is submitted once the deadline is over follows from it, and is signed by nobody.
#[test]
fn a_signed_game_with_deadlines() {
    let setup = json!({"players": 7, "deadlines": {"before": "1s", "round": "12s"}, "drawLate": false});
    let created = Created { signed: true, ..new_game("triforce-building", true) };
    let mut game = Recorder::begin("signed-deadline", &setup, created);
    game.start_clock();
    game.play(9);
    let due = Timestamp::parse_lenient("2026-01-01T12:00:22Z").ok();
    game.run(Command::SetDeadline { due, reason: "the hall closes".to_owned() });
    game.run(annotate(By::Arbiter, 9, Some("Two seats are in."), &[]));
    game.run(annotate(By::Arbiter, 9, None, &[]));
    game.run(Command::CloseRound);
    game.play(2);
    game.run(Command::Adjudicate { outcome: Outcome::win(vec![1], "time is up") });
    let signed = game.text().lines().filter(|line| line.contains("\"signature\":")).count();
    assert_eq!(signed, 9 + 3 + 2 + 1, "the five that were closed are not");
    check("signed-deadline", &game.text());
}

#[test]
fn a_player_with_keys() {
    let mut log = Lines::new("player-keys", Hash::ZERO);
    log.add(By::Service, Body::PlayerCreated(PlayerCreated { name: "Greta".to_owned() }));
    let [first, second] = ["first", "second"].map(|name| PublicKey(derived("key", name).0));
    log.add(By::Arbiter, Body::PlayerKeyAdded(PlayerKeyAdded { key: first }));
    log.add(By::Arbiter, Body::PlayerKeyAdded(PlayerKeyAdded { key: second }));
    log.add(By::Arbiter, Body::PlayerKeyRemoved(PlayerKeyRemoved { key: first }));
    check("player-keys", &log.text());
}

/// A game that starts from the middle of another, and a line of it in which other pieces are set up.
#[test]
fn positions_that_are_set_up() {
    let other = triangulate("set-up-other", 12);
    let position = |ply| Some(other.replay().position_at(ply).expect("it has this ply").to_json(Viewer::All));
    let created = Created { position: position(12).map(Box::new), ..new_game("triangulate", false) };
    let mut game = Recorder::begin("set-up", &json!({}), created);
    game.play(6);
    check("set-up", &game.text());
    let mut line = Recorder::branch_from("set-up-line", &game, 4, position(9));
    line.play(5);
    check("set-up-line", &line.text());
    let mut below = Recorder::branch("set-up-line-below", &line, 4, "from the same position");
    below.play(3);
    check("set-up-line-below", &below.text());
}

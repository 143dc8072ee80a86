//! What is found through sets and orders is what a plain scan finds.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{
    Acted, Arranged, Corrected, Created, Ended, Fork, Reopened, SeatEntry, TakenBack, Unvoided, Voided,
};
use plybook_events::{Body, By as Author, Decider, Event, Hash, LogId, Outcome, Timestamp, UNRECORDED};
use plybook_rules::log::Status;
use roaring::RoaringBitmap;
use serde_json::json;

use crate::catalogue::games::KnownGames;
use crate::catalogue::selection::Excerpt;
use crate::catalogue::{Order, OrderKey, Summary};
use crate::columns::Distribution;
use crate::filter::{Audience, Filter};
use crate::results::{GameResult, Results};

/// Numbers that look random but are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn maybe<T>(&mut self, one_in: u64, some: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (self.below(one_in) == 0).then(|| some(self))
    }
}

const KINDS: [&str; 3] = ["one", "two", "many"];

fn id(n: u64) -> LogId {
    // Not in the order of creation.
    LogId::from_bytes(u128::from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)).to_be_bytes())
}

fn at(hour: u64) -> Timestamp {
    Timestamp::from_millis(3_600_000 * hour as i64).unwrap()
}

fn created(dice: &mut Dice, games: u64) -> Created {
    let seats = 1 + dice.below(3);
    let seat =
        |dice: &mut Dice| SeatEntry { name: String::new(), player: dice.maybe(2, |dice| id(1_000 + dice.below(6))) };
    let tags = [("event", json!(dice.below(3))), ("site", json!("a=b")), ("a=b", json!("c")), ("rated", json!(true))];
    Created {
        kind: KINDS[dice.below(3) as usize].to_owned(),
        rules: "v1".to_owned(),
        setup: json!({ "seats": seats, "variant": (["x", "y"][dice.below(2) as usize]), "drawn": [dice.below(4), null] }),
        seats: (0..seats).map(|_| seat(dice)).collect(),
        fork: dice.maybe(4, |dice| Fork { game: id(dice.below(games.max(1))), ply: 0, seq: 0, hash: Hash::ZERO }),
        owner: dice.maybe(3, |dice| id(1_000 + dice.below(3))),
        tournament: dice.maybe(2, |dice| id(2_000 + dice.below(3))),
        round: dice.maybe(2, |dice| dice.below(3) as u32 + 1),
        tags: tags.into_iter().filter(|_| dice.below(2) == 0).map(|(name, value)| (name.to_owned(), value)).collect(),
        ..Created::default()
    }
}

fn outcome(dice: &mut Dice) -> Outcome {
    let reason = ["line", "time", UNRECORDED][dice.below(3) as usize];
    match dice.below(4) {
        0 => Outcome::draw(reason),
        winner => Outcome::win(vec![winner as u8], reason),
    }
}

fn body(dice: &mut Dice) -> Body {
    let reason = String::new();
    match dice.below(14) {
        0 => Body::Voided(Voided { reason, seed: None }),
        1 => Body::Unvoided(Unvoided { reason }),
        2 => Body::Reopened(Reopened { reason }),
        3 => Body::TakenBack(TakenBack { to_ply: 1, reason }),
        4 => Body::Corrected(Corrected { outcome: outcome(dice), reason }),
        5 | 6 => Body::Arranged(Arranged { name: None, hidden: Some(dice.below(2) == 0), rank: None }),
        7..=9 => {
            let decided_by = [Decider::Rules, Decider::Arbiter, Decider::Time][dice.below(3) as usize];
            Body::Ended(Ended { decided_by, outcome: outcome(dice), seed: None })
        }
        _ => Body::Acted(Acted { action: "a".to_owned(), clock_ms: None, fair: false }),
    }
}

fn event(log: LogId, seq: u64, at: Timestamp, body: Body) -> Event {
    Event { at, by: Author::Service, log, prev: Hash::ZERO, seq, body, who: None, signature: None, request: None }
}

/// Games that were begun and changed at random.
fn games(dice: &mut Dice, steps: u64) -> KnownGames {
    let mut games = KnownGames::default();
    let mut begun = 0;
    for step in 0..steps {
        let log = id(dice.below(begun.max(1)));
        match dice.below(12) {
            0..=3 => {
                let (created, begun_at) = (created(dice, begun), dice.maybe(4, |dice| at(step + dice.below(9))));
                let stated_at = at(dice.maybe(5, |dice| dice.below(step + 1)).unwrap_or(step));
                games.apply(&event(id(begun), 0, stated_at, Body::Created(created)), begun_at, |player| player);
                begun += 1;
            }
            4 => games.note_import(log),
            5 => games.set_rating(log, dice.maybe(2, |dice| dice.below(9) as f32 * 0.5 - 1.0)),
            6 => {
                let [from, to] = [0, 0].map(|_| id(1_000 + dice.below(6)));
                games.reseat(from, |player| if player == from { to } else { player });
            }
            _ => {
                let seq = games.get(log).map_or(1, |game| game.standing.events);
                games.apply(&event(log, seq, at(step), body(dice)), None, |player| player);
            }
        }
        if dice.below(5) == 0 {
            games.settle();
            // Whatever is kept of these games must not be told of later ones.
            for known in KINDS.iter().filter_map(|kind| games.rows().kind(kind)) {
                known.results(known.summed());
                known.reasons(known.summed()).count();
                known.durations_ms(known.summed());
            }
        }
    }
    games.settle();
    games
}

fn filter(dice: &mut Dice, games: &KnownGames) -> Filter {
    // Filters with many conditions find next to nothing.
    let rarely = 1 + dice.below(6);
    let player = |dice: &mut Dice| id(1_000 + dice.below(6));
    let hour = |dice: &mut Dice| at(dice.below(400));
    let players: Vec<LogId> = (0..dice.below(8).saturating_sub(5)).map(|_| player(dice)).collect();
    let tags = ["event=1", "event", "site", "site=a=b", "a=b", "a=b=c", "rated=true", "none"];
    Filter {
        kind: dice.maybe(3 * rarely, |dice| ["one", "two", "many", "none"][dice.below(4) as usize].to_owned()),
        is_analysis: dice.maybe(2 * rarely, |dice| dice.below(2) == 0),
        is_imported: dice.maybe(8 * rarely, |dice| dice.below(2) == 0),
        audience: dice.maybe(3 * rarely, |dice| match dice.below(3) {
            0 => Audience::Everybody,
            1 => Audience::Owner(player(dice)),
            _ => Audience::Recorder,
        }),
        status: dice
            .maybe(6 * rarely, |dice| [Status::Running, Status::Finished, Status::Void][dice.below(3) as usize]),
        without_void: dice.below(4) == 0,
        without_unrecorded: dice.below(4) == 0,
        without_unplayed: dice.below(4) == 0,
        tournament: dice.maybe(8 * rarely, |dice| id(2_000 + dice.below(4))),
        seat: dice.maybe(4 * rarely, |dice| dice.below(3) as u8 + 1).filter(|_| !players.is_empty()),
        players,
        winner: dice.maybe(10 * rarely, player),
        reason: dice.maybe(10 * rarely, |dice| ["line", "time", "none"][dice.below(3) as usize].to_owned()),
        since: dice.maybe(6 * rarely, hour),
        until: dice.maybe(6 * rarely, hour),
        ply_min: dice.maybe(8 * rarely, |dice| dice.below(3) as u32),
        ply_max: dice.maybe(8 * rarely, |dice| dice.below(5) as u32),
        rating_min: dice.maybe(12 * rarely, |dice| dice.below(5) as f64 - 1.5),
        rating_max: dice.maybe(12 * rarely, |dice| dice.below(5) as f64 - 1.5),
        setup: dice.maybe(10 * rarely, |dice| json!({ "variant": "x", "drawn": [dice.below(4), null] })),
        tags: (0..dice.below(6).saturating_sub(3)).map(|_| tags[dice.below(8) as usize].to_owned()).collect(),
        winning_seat: dice.maybe(10 * rarely, |dice| dice.below(3) as u8 + 1),
        decided_by: dice.maybe(10 * rarely, |_| Decider::Arbiter),
        round: dice.maybe(10 * rarely, |dice| dice.below(3) as u32 + 1),
        among: dice.maybe(10 * rarely, |dice| {
            let half =
                |kind: &str| (0..games.rows().of(kind).len() as u32).filter(|n| n % 2 == 0).collect::<RoaringBitmap>();
            Arc::new(KINDS.iter().take(dice.below(4) as usize).map(|kind| ((*kind).to_owned(), half(kind))).collect())
        }),
    }
}

/// Whether a player won a game; nobody wins a void game.
fn is_won_by(game: &Summary, player: LogId) -> bool {
    let winners = game.counted_outcome().into_iter().flat_map(|outcome| &outcome.winners);
    let mut players = winners.filter_map(|seat| game.players.get(usize::from(*seat).checked_sub(1)?));
    players.any(|sitter| *sitter == Some(player))
}

/// Whether a filter accepts a game, as its members say.
fn accepts(filter: &Filter, game: &Summary, games: &KnownGames) -> bool {
    let Filter { among, players, .. } = filter;
    let number = games.number(game.id).unwrap();
    let row = games.row(game.id).unwrap();
    let has_tag = |asked: &String| match asked.split_once('=') {
        None => game.tags.contains_key(asked),
        Some((name, wanted)) => game.tags.get(name).is_some_and(|value| match value.as_str() {
            Some(text) => text == wanted,
            None => format!("{value}") == wanted,
        }),
    };
    let is_hidden_from = |audience: Audience| match audience {
        Audience::Everybody => game.is_hidden(),
        Audience::Owner(player) => game.is_hidden() && game.owner != Some(player),
        Audience::Recorder => false,
    };
    let members = filter.setup.iter().flat_map(|setup| setup.as_object().unwrap());
    let rating = row.rating().map(f64::from);
    filter.kind.as_ref().is_none_or(|kind| *kind == game.kind)
        && filter.is_analysis.is_none_or(|is_line| is_line == game.fork.is_some())
        && filter.is_imported.is_none_or(|is_imported| is_imported == game.is_imported)
        && !filter.audience.is_some_and(is_hidden_from)
        && filter.status.is_none_or(|status| status == game.standing.status())
        && !(filter.without_void && game.standing.is_void())
        && !(filter.without_unrecorded && game.standing.is_unrecorded())
        && !(filter.without_unplayed && game.standing.is_unplayed())
        && filter.tournament.is_none_or(|tournament| game.tournament == Some(tournament))
        && players.iter().all(|player| game.players.contains(&Some(*player)))
        && filter.seat.is_none_or(|seat| game.players.get(seat as usize - 1) == Some(&Some(players[0])))
        && filter.winner.is_none_or(|winner| is_won_by(game, winner))
        && filter.reason.as_ref().is_none_or(|reason| game.standing.outcome().is_some_and(|o| o.reason == *reason))
        && filter.since.is_none_or(|since| game.played_at() >= since)
        && filter.until.is_none_or(|until| game.played_at() < until)
        && filter.ply_min.is_none_or(|fewest| game.standing.ply >= fewest)
        && filter.ply_max.is_none_or(|most| game.standing.ply <= most)
        && filter.rating_min.is_none_or(|least| rating.is_some_and(|rating| rating >= least))
        && filter.rating_max.is_none_or(|most| rating.is_some_and(|rating| rating <= most))
        && members.into_iter().all(|(name, value)| game.setup.get(name) == Some(value))
        && filter.tags.iter().all(has_tag)
        && filter
            .winning_seat
            .is_none_or(|seat| matches!(game.result(), GameResult::Won(won) if won & 1 << (seat - 1) != 0))
        && filter.decided_by.is_none_or(|by| game.standing.end.as_ref().is_some_and(|end| end.decided_by == by))
        && filter.round.is_none_or(|round| game.round == Some(round))
        && among.as_ref().is_none_or(|among| among.get(&game.kind).is_some_and(|numbers| numbers.contains(number)))
}

/// The place of a game in an order.
fn key(order: Order, game: &Summary) -> OrderKey {
    let (id, millis) = (game.id.to_bytes(), |at: Timestamp| at.as_millis());
    let backwards = id.map(|b| !b);
    match order {
        Order::CreatedDesc => (-millis(game.created_at), backwards),
        Order::CreatedAsc => (millis(game.created_at), id),
        Order::PlayedDesc => (-millis(game.played_at()), backwards),
        Order::PlayedAsc => (millis(game.played_at()), id),
        Order::FinishedDesc => (game.finished_at().map_or(i64::MAX, |end| -millis(end)), backwards),
        Order::PlyDesc => (-i64::from(game.standing.ply), backwards),
        Order::PlyAsc => (game.standing.ply.into(), id),
    }
}

/// The part of a whole list, and whether games come before and after it.
fn cut(list: &[OrderKey], excerpt: Excerpt) -> (Vec<OrderKey>, bool, bool) {
    let Excerpt { after, before, len, is_last } = excerpt;
    let from = after.map_or(0, |after| list.partition_point(|key| *key <= after));
    let to = before.map_or(list.len(), |before| list.partition_point(|key| *key < before)).max(from);
    let (from, to) = if is_last { (from.max(to.saturating_sub(len)), to) } else { (from, to.min(from + len)) };
    (list[from..to].to_vec(), from > 0, to < list.len())
}

#[test]
fn what_is_found_is_what_a_scan_finds() {
    let mut dice = Dice(17);
    let mut found_some = BTreeMap::new();
    for steps in [0, 1, 30, 300, 4_000] {
        let games = games(&mut dice, steps);
        let all: Vec<Arc<Summary>> = games.all().collect();
        for _ in 0..400 {
            let filter = filter(&mut dice, &games);
            let accepted = |game: &&Arc<Summary>| accepts(&filter, game, &games);
            let scanned: Vec<&Arc<Summary>> = all.iter().filter(accepted).collect();
            let selection = games.select(&filter);
            assert_eq!(selection.len(), scanned.len(), "{filter:?}");
            *found_some.entry(scanned.len().min(2)).or_insert(0) += 1;

            let find = games.finder(&filter);
            assert!(all.iter().all(|game| find(game.id).is_some() == accepted(&game)), "{filter:?}");
            let players: Vec<LogId> = (0..7).map(|n| id(1_000 + n)).collect();
            for player in players {
                let is_any = scanned.iter().any(|game| game.players.contains(&Some(player)));
                assert_eq!(selection.has_any_of(player), is_any, "{filter:?}");
            }
            for kind in KINDS {
                let number = |game: &&Arc<Summary>| games.number(game.id).unwrap();
                let mut numbers: RoaringBitmap = scanned.iter().filter(|game| game.kind == kind).map(number).collect();
                assert_eq!(games.matching(kind, &filter, None), numbers, "{filter:?}");
                let some: RoaringBitmap = (0..50).filter(|_| dice.below(3) == 0).collect();
                numbers &= &some;
                assert_eq!(games.matching(kind, &filter, Some(&some)), numbers, "{filter:?}");
            }

            let order = Order::ALL[dice.below(7) as usize];
            let mut list: Vec<OrderKey> = scanned.iter().map(|game| key(order, game)).collect();
            list.sort_unstable();
            let listed: Vec<OrderKey> =
                selection.list(order, None).into_iter().map(|id| key(order, &games.get(id).unwrap())).collect();
            assert_eq!(listed, list, "{filter:?} {order:?}");
            for _ in 0..6 {
                // Places of games, accepted or not, of no game, and beyond all of them.
                let mut place = || match dice.below(8) {
                    0..=2 => None,
                    3 if !list.is_empty() => Some(list[dice.below(list.len() as u64) as usize]),
                    4 | 5 if !all.is_empty() => Some(key(order, &all[dice.below(all.len() as u64) as usize])),
                    6 => Some((3_600_000 * dice.below(400) as i64 - 360_000_000, [9; 16])),
                    _ => Some((
                        [i64::MIN, i64::MAX][dice.below(2) as usize],
                        [[0; 16], [255; 16]][dice.below(2) as usize],
                    )),
                };
                let (after, before) = (place(), place());
                let len = [0, 1, 2, 7, 500][dice.below(5) as usize];
                let excerpt = Excerpt { after, before, len, is_last: dice.below(2) == 0 };
                let page = selection.page(order, excerpt);
                let keys: Vec<OrderKey> = page.games.iter().map(|game| order.key(game)).collect();
                let found = (keys, page.has_previous, page.has_next);
                assert_eq!(found, cut(&list, excerpt), "{filter:?} {order:?} {excerpt:?}");
            }
        }
    }
    assert!(found_some.values().all(|times| *times > 50), "none, one and several are found: {found_some:?}");
}

#[test]
fn what_is_counted_is_what_a_scan_counts() {
    let mut dice = Dice(23);
    for steps in [1, 30, 4_000] {
        let games = games(&mut dice, steps);
        for _ in 0..100 {
            let filter = filter(&mut dice, &games);
            for kind in KINDS {
                let Some(known) = games.rows().kind(kind) else { continue };
                let found = games.matching(kind, &filter, None);
                let scanned = || games.all().filter(|game| game.kind == kind && accepts(&filter, game, &games));
                let mut results = Results::default();
                let (mut reasons, mut months) = (BTreeMap::new(), BTreeMap::new());
                for game in scanned() {
                    results.add(game.result());
                    if let Some(outcome) = game.standing.outcome() {
                        *reasons.entry(outcome.reason.clone()).or_insert(0) += 1;
                    }
                    *months.entry(game.played_at().to_string()[..7].to_owned()).or_insert(0) += 1;
                    let (row, number) = (games.row(game.id).unwrap(), games.number(game.id).unwrap());
                    assert_eq!(row.id, game.id);
                    assert_eq!(known.is_of_tournament(number), game.tournament.is_some());
                    for (player, seat) in (0..7).flat_map(|n| (1..5).map(move |seat| (id(1_000 + n), seat))) {
                        let sits = game.players.get(usize::from(seat) - 1) == Some(&Some(player));
                        assert_eq!(known.is_seated(player, seat, number), sits);
                    }
                }
                let spread = |value: fn(&Summary) -> Option<f64>| {
                    Distribution::of(scanned().filter_map(|game| value(&game)).collect())
                };
                assert_eq!(known.plies(&found), spread(|game| Some(game.standing.ply.into())), "{filter:?}");
                let duration_ms = |game: &Summary| {
                    let end = game.standing.end.as_ref()?.at;
                    Some((end.as_millis() - game.stated_at.as_millis()) as f64)
                };
                assert_eq!(known.durations_ms(&found), spread(duration_ms), "{filter:?}");
                assert_eq!(known.results(&found), results, "{filter:?}");
                let counted = known.reasons(&found).map(|(reason, count)| (reason.to_owned(), count));
                assert!(counted.eq(reasons), "{filter:?}");
                let counted = known.months(&found).map(|(month, count)| (month.to_owned(), count));
                assert!(counted.eq(months), "{filter:?}");
            }
        }
        for known in KINDS.iter().filter_map(|kind| games.rows().kind(kind)) {
            let summed = || known.summed().iter().map(|number| games.get(known.rows().id(number)).unwrap());
            let counts = |game: &Arc<Summary>| {
                let standing = &game.standing;
                game.kind == known.name && game.fork.is_none() && !standing.is_void() && !standing.is_unrecorded()
            };
            assert_eq!(known.summed().len() as usize, games.all().filter(counts).count());
            let (mut results, mut reasons) = (Results::default(), BTreeMap::new());
            for game in summed() {
                results.add(game.result());
                if let Some(outcome) = game.standing.outcome() {
                    *reasons.entry(outcome.reason.clone()).or_insert(0) += 1;
                }
            }
            assert_eq!(known.results(known.summed()), results);
            let counted = known.reasons(known.summed()).map(|(reason, count)| (reason.to_owned(), count));
            assert!(counted.eq(reasons));
            let ended = summed().filter(|game| game.standing.end.is_some()).count();
            assert_eq!(known.durations_ms(known.summed()).count, ended);
        }
        assert!(
            steps < 4_000 || games.rows().kind("one").is_some_and(|one| one.months(&(0..1000).collect()).count() > 3)
        );
    }
}

#[test]
fn games_of_a_player_come_oldest_first() {
    let mut dice = Dice(3);
    let games = games(&mut dice, 2_000);
    for player in (0..7).map(|n| id(1_000 + n)) {
        let mut own: Vec<Arc<Summary>> = games.all().filter(|game| game.players.contains(&Some(player))).collect();
        own.sort_by_key(|game| (game.created_at, game.id));
        assert_eq!(games.of_player(player).collect::<Vec<_>>(), own);
    }
}

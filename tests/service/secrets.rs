//! Games in which seats know things that others do not, found among all kinds.

use plybook_api::access::Caller;
use plybook_events::Actor;
use plybook_rules::Viewer;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, kind_names, kinds, seat};
use plybook_api::access::Role;

/// All data that a caller can request about a game, as one text.
async fn all_told(house: &House, who: &Caller, id: &str) -> String {
    let records = "json: record(format: JSON) ndjson: record(format: NDJSON) text_: record(format: TEXT) svg: record(format: SVG)";
    let query = format!(
        "query($g: ID!) {{ game(id: $g) {{ {} {records} refold {{ ply verdict difference {{ why }} }} positions {{ position positionKey scene text prompts {{ seat kind description schema example dice {{ seat dice }} }} }} scenes }} games {{ nodes {{ setup tags }} }} }}",
        crate::house::ALL
    );
    let mut told = house.ask(who, &query, json!({ "g": id })).await.ok().to_string();
    let mut events =
        house.follow(who, "subscription($g: ID!) { gameEvents(game: $g) { body bytes } }", json!({ "g": id }));
    for _ in 0..=house.head(id).await {
        told += &crate::house::next(&mut events).await.ok().to_string();
    }
    told
}

/// Sealed contents, and the seeds of dice, appear in nothing that callers get who may not know them, until
/// the game is over; then all of it can be verified.
#[tokio::test]
async fn sealed_contents_are_shown_to_nobody_who_may_not_know() {
    let house = House::new();
    let mut checked = 0;
    for rules in kinds().iter().filter(|rules| rules.about().secrets) {
        let kind = rules.about().kind;
        let id = house.create(kind).await;
        house.play_on(&id, 14, &mut Dice(5)).await;
        let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
        let mainline = replay.mainline();
        let is_shown =
            |ply: usize| replay.shown(ply, Viewer::Public).is_some_and(|shown| *shown == *mainline[ply - 1].action);
        let shown: Vec<&str> =
            (1..=mainline.len()).filter(|ply| is_shown(*ply)).map(|ply| &*mainline[ply - 1].action).collect();
        // Another seat's open actions are shown, and texts as short as a word of a scene do not count.
        let long: Vec<(u8, String)> = (1..=mainline.len())
            .filter(|ply| !is_shown(*ply))
            .filter_map(|ply| match mainline[ply - 1].actor {
                Actor::Seat(seat) => Some((seat, mainline[ply - 1].action.to_string())),
                Actor::Chance => None,
            })
            .filter(|(_, action)| action.len() >= 6 && !shown.contains(&action.as_str()))
            .collect();
        checked += usize::from(!long.is_empty());
        let outsiders = [Caller::SPECTATOR, caller(Role::Recorder), seat(&crate::house::nobody(), 1)];
        for who in &outsiders {
            let told = all_told(&house, who, &id).await;
            for (_, action) in &long {
                assert!(!told.contains(action.as_str()), "{kind}: {action} is told to {who:?}");
            }
            let forbidden = "query($g: ID!, $v: String) { game(id: $g) { position(viewer: $v) { ply } } }";
            for viewer in ["all", "1"] {
                assert_eq!(house.ask(who, forbidden, json!({ "g": id, "v": viewer })).await.code(), "FORBIDDEN");
            }
        }
        for (seat_number, action) in &long {
            assert!(
                all_told(&house, &seat(&id, *seat_number), &id).await.contains(action.as_str()),
                "{kind}: a seat knows its own"
            );
        }
        house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { id } }", json!({ "g": id })).await;
        let told = all_told(&house, &Caller::SPECTATOR, &id).await;
        assert!(long.iter().all(|(_, action)| told.contains(action.as_str())), "{kind}: all is told at the end");
        assert_eq!(house.game(&id).await["verification"]["valid"], true, "{kind}");
    }
    assert!(checked > 0, "nothing was secret");
}

/// A caller who records for a seat learns nothing from a refusal that only the seat may know.
#[tokio::test]
async fn a_refusal_reveals_nothing_to_a_recorder() {
    let house = House::new();
    for kind in kind_names() {
        let rules = plybook_example::kind(kind).unwrap();
        let id = house.create(kind).await;
        let position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
        let Some(Actor::Seat(actor)) = position.to_act().iter().next() else { continue };
        let query = "mutation($g: ID!, $s: Int) { act(game: $g, seat: $s, action: \"xx\") { id } }";
        let why = |answer: crate::house::Answer| {
            assert_eq!(answer.code(), "ILLEGAL_ACTION");
            (answer.errors[0]["extensions"]["why"].clone(), answer.errors[0]["extensions"]["near"].clone())
        };
        let own = why(house.ask(&seat(&id, actor), query, json!({ "g": id, "s": actor })).await);
        let recorder = why(house.ask(&caller(Role::Recorder), query, json!({ "g": id, "s": actor })).await);
        assert_eq!(own == recorder, !rules.about().secrets, "{kind}: {own:?} {recorder:?}");
        assert!(own == recorder || recorder.1 == json!([]), "{kind}");
    }
}

/// The seeds of dice stay in the vault until the end of the game.
#[tokio::test]
async fn a_seed_is_published_only_at_the_end() {
    let house = House::new();
    for rules in kinds().iter().filter(|rules| rules.about().chance) {
        let id = house.create(rules.about().kind).await;
        let seed =
            |log: Vec<Value>| log.iter().find_map(|event| event["body"]["seed"]["seed"].as_str().map(str::to_owned));
        let log = |house: &House| {
            let lines = house.service.log().read(id.parse().unwrap(), 0).unwrap();
            lines.iter().map(|line| serde_json::from_slice(line).unwrap()).collect::<Vec<Value>>()
        };
        assert_eq!(seed(log(&house)), None);
        let before = all_told(&house, &Caller::ADMIN, &id).await;
        house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { id } }", json!({ "g": id })).await;
        let seed = seed(log(&house)).expect("the seed is published");
        assert!(!before.contains(&seed));
    }
}

/// Refused changes leave nothing in the vault; otherwise it would fill up with secrets that can never be
/// opened.
#[tokio::test]
async fn a_refused_submission_is_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let house = House::over(
        plybook_store::Store::open(dir.path(), &plybook_store::Options::default(), &mut |_, _| ()).unwrap(),
    );
    let vault = || std::fs::read(dir.path().join("vault")).unwrap();
    let mut sealed = 0;
    for rules in kinds().iter().filter(|rules| rules.about().secrets) {
        let kind = rules.about().kind;
        let id = house.create(kind).await;
        let position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
        let actor = position.to_act().iter().next().unwrap();
        let mut dice = Dice(1);
        let action = position.sample(actor, &mut |n| dice.below(n));
        if position.shown(Viewer::Public, actor, &action).as_deref() == Some(action.as_str()) {
            continue;
        }
        let (good, bad) = (crate::house::act_input(actor, &action), crate::house::act_input(actor, "nonsense"));
        let before = vault();
        assert_ne!(house.act_all(&id, &[good.clone(), bad]).await.code(), "OK", "{kind}");
        assert!(vault() == before, "{kind}");
        house.act_all(&id, &[good]).await.ok();
        assert!(vault().len() > before.len(), "{kind}");
        sealed += 1;
    }
    assert!(sealed > 0, "no kind seals its first action");
}

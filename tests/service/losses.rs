//! A vault that is missing, cut off or outdated: lost secrets are reported, and everything else continues.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plybook_api::access::Caller;
use plybook_api::service::Importing;
use plybook_rules::log::UnopenedCommitment;
use plybook_store::{Options, Store};
use serde_json::json;

use crate::house::{Dice, House, kinds, request};

const ACT: &str = "mutation($g: ID!, $a: String!) { act(game: $g, action: $a) { ply } }";
const READ: &str = "query($g: ID!) { game(id: $g) { ply position { toAct } } }";
const ROLL: &str = "mutation($g: ID!) { roll(game: $g) { ply } }";
const VOID: &str = "mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { id } }";

fn open(dir: &Path) -> House {
    House::over(Store::open(dir, &Options::default(), &mut |_, _| ()).unwrap())
}

/// Games of all kinds, some with plies: their ids, and those that commit to something they have not opened.
async fn fill(dir: &Path) -> (Vec<(String, &'static str)>, BTreeSet<String>) {
    let house = open(dir);
    let mut games = Vec::new();
    for rules in kinds() {
        for plies in [0, 3] {
            let id = house.create(rules.about().kind).await;
            house.play_on(&id, plies, &mut Dice(plies as u64)).await;
            games.push((id, rules.about().kind));
        }
        let over = house.create(rules.about().kind).await;
        house.get(VOID, json!({ "g": over })).await;
        games.push((over, rules.about().kind));
    }
    let unopened =
        |id: &String| !UnopenedCommitment::of(&house.service.events(id.parse().unwrap(), 0).unwrap()).is_empty();
    let commits = games.iter().map(|(id, _)| id.clone()).filter(unopened).collect();
    (games, commits)
}

fn lost(house: &House) -> BTreeSet<String> {
    house.service.losses().keys().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_missing_vault_is_noticed_and_named_by_game() {
    let dir = tempfile::tempdir().unwrap();
    let (games, commits) = fill(dir.path()).await;
    assert!(commits.len() >= 6, "kinds with dice or secrets: {commits:?}");
    assert!(open(dir.path()).service.losses().is_empty());
    let vault = fs::read(dir.path().join("vault")).unwrap();
    fs::remove_file(dir.path().join("vault")).unwrap();
    let house = open(dir.path());
    assert_eq!(lost(&house), commits);
    let mut codes = BTreeSet::new();
    for (id, kind) in &games {
        let lost = house.service.losses().get(&id.parse().unwrap());
        let answer = house.ask(&Caller::ADMIN, READ, json!({ "g": id })).await;
        let is_sealed = lost.is_some_and(|lost| lost.iter().any(|lost| !lost.is_seed));
        assert_eq!(answer.code(), if is_sealed { "SECRET_LOST" } else { "OK" }, "{kind}");
        if lost.is_some() {
            let answer = house.ask(&Caller::ADMIN, VOID, json!({ "g": id })).await;
            assert_eq!(answer.code(), "SECRET_LOST", "{kind}: its end would open what is lost");
            codes.insert(house.ask(&Caller::ADMIN, ROLL, json!({ "g": id })).await.code());
        }
    }
    assert!(codes.contains("SECRET_LOST") && !codes.contains("INTERNAL"), "{codes:?}");
    // A list shows all games; what needs a lost secret is null in one of them alone.
    let list = "{ games(first: 50) { nodes { id setup head { seq hash ply } signatures ply position { toAct } \
                signingPlace { seq } entropyFrom entropyAwaitedFrom } } }";
    let told = house.schema.execute(request(&Caller::ADMIN, list, json!({}))).await;
    let (errors, told) = (told.errors, told.data.into_json().unwrap());
    let listed = told["games"]["nodes"].as_array().unwrap();
    // Those of each kind that are void, in which nobody acted, are in no list.
    assert_eq!(listed.len(), games.len() - kinds().len());
    let whole = |node: &&serde_json::Value| !node["position"].is_null() && !node["setup"].is_null();
    assert!(listed.iter().all(|node| !node["head"].is_null() && !node["signatures"].is_null()), "{told}");
    assert!(listed.iter().filter(whole).count() + commits.len() >= listed.len(), "only their own fields: {told}");
    assert!(!errors.is_empty() && listed.iter().filter(whole).count() < listed.len());
    // Intact games continue, and so do new ones.
    let whole = house.create("triangulate").await;
    house.get(ACT, json!({ "g": whole, "a": "b1-b2" })).await;
    let (old, _) = games.iter().find(|(_, kind)| *kind == "triangulate").unwrap();
    house.get(ACT, json!({ "g": old, "a": "b1-b2" })).await;
    drop(house);
    // Once the vault is back, nothing is lost.
    let fresh = fs::read(dir.path().join("vault")).unwrap();
    fs::write(dir.path().join("vault"), [vault, fresh].concat()).unwrap();
    let house = open(dir.path());
    assert_eq!(lost(&house), BTreeSet::new());
    for id in &commits {
        house.get(VOID, json!({ "g": id })).await;
    }
}

/// Cut at every line, and with every secret exchanged: no loss goes unnoticed, and nothing else is named.
#[tokio::test]
async fn every_secret_that_is_lost_or_exchanged_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let (_, commits) = fill(dir.path()).await;
    let path = dir.path().join("vault");
    let vault = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = vault.split_inclusive('\n').collect();
    let log_of = |line: &str| line.split(' ').next().unwrap().to_owned();
    for kept in 0..lines.len() {
        fs::write(&path, lines[..kept].concat()).unwrap();
        let house = open(dir.path());
        let gone: BTreeSet<String> = lines[kept..].iter().map(|line| log_of(line)).collect();
        let expected: BTreeSet<String> = gone.intersection(&commits).cloned().collect();
        assert_eq!(lost(&house), expected, "{kept} of {} lines", lines.len());
    }
    fs::write(&path, &vault).unwrap();
    // A vault of the same games with other contents: every line is sound, but opens nothing.
    let house = open(dir.path());
    for line in &lines {
        let mut words = line.split(' ');
        let (log, key) = (words.next().unwrap().parse().unwrap(), words.next().unwrap());
        let store = plybook_store::Vault::open(&path, None).unwrap();
        store.put(log, key, &[7; 64]).unwrap();
    }
    drop(house);
    assert_eq!(lost(&open(dir.path())), commits);
}

/// The seed of a game recorded elsewhere was never here, so it is not lost.
#[tokio::test]
async fn an_imported_game_keeps_its_seed_elsewhere() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let rules = kinds().into_iter().find(|rules| rules.about().chance && !rules.about().secrets).unwrap();
    let house = open(here.path());
    let id = house.create(rules.about().kind).await;
    house.play_on(&id, 2, &mut Dice(1)).await;
    let lines = house.service.log().read(id.parse().unwrap(), 0).unwrap();
    let log: String = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect();
    drop(house);
    let house = open(there.path());
    house.service.import_log(&log, &Importing::of(&log)).unwrap();
    drop(house);
    let house = open(there.path());
    assert!(house.service.losses().is_empty(), "{:?}", house.service.losses());
    let code = house.ask(&Caller::ADMIN, ROLL, json!({ "g": id })).await.code();
    assert!(["BAD_INPUT", "NOT_YOUR_TURN"].contains(&code.as_str()), "{code}");
    house.get(VOID, json!({ "g": id })).await;
    drop(house);
    // If the vault is lost for good, importing the game again marks its secrets as kept elsewhere.
    fs::remove_file(here.path().join("vault")).unwrap();
    let house = open(here.path());
    assert_eq!(house.ask(&Caller::ADMIN, VOID, json!({ "g": id })).await.code(), "SECRET_LOST");
    house.service.import_log(&log, &Importing::of(&log)).unwrap();
    house.get(VOID, json!({ "g": id })).await;
}

//! Lines of analysis: forking, acting on them, who may, the lists and the tree of them.

use plybook_api::caller::{Caller, Role};
use plybook_events::Actor;
use plybook_rules::kinds;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, kind_names, nobody, player, seat, text};

const FORK: &str = "mutation($g: ID!, $p: Int!, $a: [String!], $n: String, $s: [String!]) {
    fork(game: $g, ply: $p, actions: $a, name: $n, assume: $s) { id } }";

/// What is asked of a line and of its game alike.
const MOVES: &str = "moves(first: 500) { nodes { ply seq game by action comment glyphs positionKey } }";

impl House {
    /// Forks as somebody; the answer.
    async fn try_fork(&self, who: &Caller, game: &str, ply: usize, more: Value) -> Answer {
        let mut variables = json!({ "g": game, "p": ply });
        for (name, value) in more.as_object().into_iter().flatten() {
            variables[name] = value.clone();
        }
        self.ask(who, FORK, variables).await
    }

    /// The id of a line that an administrator forks.
    async fn fork(&self, game: &str, ply: usize, more: Value) -> String {
        text(&self.try_fork(&Caller::ADMIN, game, ply, more).await.ok()["fork"]["id"])
    }

    async fn fields(&self, who: &Caller, game: &str, fields: &str) -> Value {
        let query = format!("query($g: ID!) {{ game(id: $g) {{ {fields} }} }}");
        self.ask(who, &query, json!({ "g": game })).await.ok()["game"].clone()
    }

    async fn moves(&self, game: &str) -> Vec<Value> {
        self.fields(&Caller::ADMIN, game, MOVES).await["moves"]["nodes"].as_array().unwrap().clone()
    }

    async fn tree(&self, game: &str, arguments: &str) -> Value {
        self.fields(&Caller::ADMIN, game, &format!("tree{arguments}")).await["tree"].clone()
    }

    /// A mutation of a game or a line, its arguments as text.
    async fn change(&self, who: &Caller, id: &str, what: &str) -> Answer {
        let (name, arguments) = what.split_once(' ').unwrap_or((what, ""));
        let id_name = if name == "arrangeLine" { "line" } else { "game" };
        let query = format!("mutation {{ {name}({id_name}: \"{id}\" {arguments}) {{ id ply status }} }}");
        self.ask(who, &query, json!({})).await
    }

    /// A random legal action of a game as it stands, as a word.
    async fn any_word(&self, id: &str, dice: &mut Dice) -> String {
        let replay = self.service.game(id.parse().unwrap()).unwrap().replay();
        let actor = replay.table().to_act().iter().next().unwrap();
        let token = replay.table().sample(actor, &mut |n| dice.below(n));
        match actor {
            Actor::Seat(seat) if replay.rules().about().simultaneous => format!("{seat}:{token}"),
            Actor::Chance if replay.rules().about().simultaneous => format!("chance:{token}"),
            _ => token,
        }
    }
}

/// Games of all kinds after some random actions, some of them void, which opens what was secret.
async fn games(house: &House, dice: &mut Dice) -> Vec<String> {
    let mut games = Vec::new();
    for rules in kinds() {
        for is_void in [false, true] {
            if rules.about().secrets && !is_void {
                continue;
            }
            let id = house.create(rules.about().kind).await;
            house.play(&id, 9, dice).await;
            if is_void {
                house.change(&Caller::ADMIN, &id, "voidGame reason: \"r\"").await.ok();
            }
            games.push(id);
        }
    }
    games
}

#[tokio::test]
async fn a_line_goes_on_from_any_ply_and_changes_nothing_else() {
    let house = House::new();
    let dice = &mut Dice(7);
    for game in games(&house, dice).await {
        let (before, moves) = (house.game(&game).await, house.moves(&game).await);
        for ply in 0..=moves.len() {
            let line = house.fork(&game, ply, json!({ "n": format!("from {ply}") })).await;
            assert_eq!(house.moves(&line).await, moves[..ply]);
            let fields = "origin name status ply forkedFrom { game { id } ply seq hash } position { positionKey } \
                events { nodes { seq type prev body } } seats { player { id } } verification { valid problem events }";
            let told = house.fields(&Caller::SPECTATOR, &line, fields).await;
            assert_eq!(told["origin"], "ANALYSIS");
            assert_eq!(told["name"], format!("from {ply}"));
            assert_eq!((&told["status"], &told["ply"]), (&json!("RUNNING"), &json!(ply)));
            let fork = &told["forkedFrom"];
            assert_eq!((&fork["game"]["id"], &fork["ply"]), (&json!(game), &json!(ply)));
            assert_eq!(told["events"]["nodes"][0]["prev"], fork["hash"]);
            let seq = fork["seq"].as_u64().unwrap() as usize;
            assert_eq!(before["events"]["nodes"][seq]["hash"], fork["hash"]);
            assert_eq!(seq, ply.checked_sub(1).map_or(0, |index| moves[index]["seq"].as_u64().unwrap() as usize));
            assert_eq!(told["verification"], json!({ "valid": true, "problem": null, "events": 1 }));
            // It goes on by itself.
            let word = house.any_word(&line, dice).await;
            let longer = house.fork(&line, ply, json!({ "a": [word] })).await;
            let went = house.moves(&longer).await;
            assert_eq!((went.len(), &went[..ply]), (ply + 1, &moves[..ply]));
            assert_eq!((&went[ply]["game"], &went[ply]["seq"]), (&json!(longer), &json!(1)));
            let parent = house.fields(&Caller::ADMIN, &longer, "forkedFrom { game { id } }").await;
            assert_eq!(parent["forkedFrom"]["game"]["id"], json!(game), "the game owns that ply");
        }
        assert_eq!(house.game(&game).await, before);
    }
}

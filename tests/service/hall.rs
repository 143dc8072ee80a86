//! A tournament to test with.

use plybook_api::access::Caller;
use plybook_events::{Event, LogId};
use serde_json::{Value, json};

use crate::house::{Answer, House, text};

/// A tournament that is driven through the API.
pub struct Hall<'a> {
    pub house: &'a House,
    pub id: String,
}

impl<'a> Hall<'a> {
    pub async fn create(house: &'a House, input: Value) -> Self {
        let query = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
        let made = house.get(query, json!({ "i": input })).await;
        Self { house, id: text(&made["createTournament"]["id"]) }
    }

    /// A tournament of new players with these seed ratings, entered by name.
    pub async fn swiss(house: &'a House, kind: &str, rounds: u32, ratings: &[u32]) -> Self {
        let input = json!({ "name": "Open", "kind": kind, "format": "SWISS", "rounds": rounds,
            "byePolicy": { "halfMax": 1 } });
        Self::entered(house, input, ratings).await
    }

    /// The same, in any format.
    pub async fn entered(house: &'a House, input: Value, ratings: &[u32]) -> Self {
        let hall = Self::create(house, input).await;
        let entrant = |(n, rating): (usize, &u32)| json!({ "name": format!("Player {}", n + 1), "rating": rating });
        let entrants: Vec<Value> = ratings.iter().enumerate().map(entrant).collect();
        hall.change(
            "addEntrants(tournament: $t, entrants: $e) { id }",
            "$e: [EntrantInput!]",
            json!({ "e": entrants }),
        )
        .await
        .ok();
        hall
    }

    /// Sends a mutation as an administrator.
    pub async fn change(&self, field: &str, declared: &str, variables: Value) -> Answer {
        self.change_as(&Caller::ADMIN, field, declared, variables).await
    }

    pub async fn change_as(&self, who: &Caller, field: &str, declared: &str, mut variables: Value) -> Answer {
        variables["t"] = json!(self.id);
        self.house.ask(who, &format!("mutation($t: ID! {declared}) {{ {field} }}"), variables).await
    }

    pub async fn done(&self, field: &str) -> Value {
        self.change(field, "", json!({})).await.ok()
    }

    /// Queries fields of the tournament, as the public.
    pub async fn get(&self, fields: &str) -> Value {
        let query = format!("query($t: ID!) {{ tournament(id: $t) {{ {fields} }} }}");
        self.house.ask(&Caller::SPECTATOR, &query, json!({ "t": self.id })).await.ok()["tournament"].clone()
    }

    /// Queries fields of the tournament in its state after an event.
    pub async fn get_at(&self, seq: u64, fields: &str) -> Value {
        let query = format!("query($t: ID!, $s: Int!) {{ tournament(id: $t, seq: $s) {{ {fields} }} }}");
        let variables = json!({ "t": self.id, "s": seq });
        self.house.ask(&Caller::SPECTATOR, &query, variables).await.ok()["tournament"].clone()
    }

    pub async fn head(&self) -> u64 {
        self.get("head { seq }").await["head"]["seq"].as_u64().unwrap()
    }

    pub async fn pair_and_open(&self, round: u32) {
        self.done("pairRound(tournament: $t) { status }").await;
        self.done(&format!("openRound(tournament: $t, round: {round}) {{ status }}")).await;
    }

    /// The games of a round by table, with the entrants by seat.
    pub async fn games(&self, round: u32) -> Vec<(String, Vec<u64>)> {
        let fields =
            format!("round(number: {round}) {{ tables {{ game {{ id }} seats {{ entrant {{ number }} }} }} }}");
        let found = self.get(&fields).await;
        let tables = found["round"]["tables"].as_array().unwrap().clone();
        let seats = |table: &Value| {
            let seats = table["seats"].as_array().unwrap().iter();
            seats.map(|seat| seat["entrant"]["number"].as_u64().unwrap()).collect()
        };
        tables.iter().map(|table| (table["game"]["id"].as_str().unwrap_or("").to_owned(), seats(table))).collect()
    }

    /// Ends every game of a round that is not over yet: by resignation, or as a draw.
    pub async fn play(&self, round: u32) {
        for (game, seats) in self.games(round).await {
            let game: LogId = match game.parse() {
                Ok(game) => game,
                Err(_) => continue,
            };
            let live = self.house.service.game(game).unwrap();
            if live.replay().end().is_some() || live.replay().voided().is_some() {
                continue;
            }
            let field = match seats.iter().sum::<u64>() % 3 {
                0 => "adjudicate(game: $g, input: { winners: [], reason: \"agreed\" }) { id }",
                1 => "resign(game: $g, seat: 1) { id }",
                _ => "resign(game: $g, seat: 2) { id }",
            };
            self.house.get(&format!("mutation($g: ID!) {{ {field} }}"), json!({ "g": game.to_string() })).await;
        }
    }

    pub fn log(&self) -> Vec<Event> {
        self.house.service.events(self.id.parse().unwrap(), 0).unwrap()
    }
}

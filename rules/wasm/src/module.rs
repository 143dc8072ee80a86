//! The module: requests in, answers out.

use plybook_rules::kinds;
use serde_json::{Value, json};

use crate::answer::Refusal;
use crate::games::Games;
use crate::positions::{fold, play_on, positions};
use crate::request::Request;

/// Everything that the module does, and the games that were opened in it.
///
/// ```
/// use plybook_wasm::Module;
/// let kinds = Module::default().answer(br#"{"do":"kinds"}"#);
/// assert!(kinds.starts_with(br#"{"ok":[{"#));
/// ```
#[derive(Default)]
pub struct Module {
    games: Games,
}

impl Module {
    /// Answers a request ([`Request`] as JSON): `{"ok":…}`, or `{"error":{"code","message"}}` and nothing has changed.
    /// Any bytes get an answer.
    pub fn answer(&mut self, request: &[u8]) -> Vec<u8> {
        let answer = match Request::parse(request).and_then(|request| self.carry_out(request)) {
            Ok(answer) => json!({ "ok": answer }),
            Err(refusal) => json!({ "error": refusal }),
        };
        answer.to_string().into_bytes()
    }

    fn carry_out(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Kinds => Ok(about_kinds()),
            Request::Open { text } => Ok(json!(self.games.open(&text)?)),
            Request::Positions { game, from, to, look } => positions(self.games.get(game)?, from, to, &look),
            Request::Play { game, ply, actions, look } => play_on(self.games.get(game)?, ply, &actions, &look),
            Request::Fold { kind, setup, position, actions, look } => {
                fold(&kind, &setup, position.as_ref(), &actions, &look)
            }
            Request::Close => {
                self.games.close();
                Ok(Value::Null)
            }
        }
    }
}

fn about_kinds() -> Value {
    let about = kinds().iter().map(|rules| {
        let about = rules.about();
        json!({
            "kind": about.kind,
            "title": about.title,
            "version": about.version,
            "seatsMin": about.seats_min,
            "seatsMax": about.seats_max,
            "simultaneous": about.simultaneous,
            "chance": about.chance,
            "secrets": about.secrets,
        })
    });
    about.collect()
}

//! A position as a viewer sees it.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Object, SimpleObject};
use plybook_events::{Actor, Decider, LogId, PublicKey};
use plybook_rules::scene::Scene;
use plybook_rules::{AnyPosition, Viewer};
use plybook_service::access::legal_actions;
use plybook_service::error::Problem;
use serde_json::Value;

use super::player::Player;
use super::prompt::Prompt;
use super::scalar::{DateTime, HashHex, Json, KeyHex};
use super::tournament::qr::QrCode;
use super::{json, price, spend};

/// The memory that a word of a list takes besides its bytes.
const WORD_BYTES: usize = 32;

/// A position as a viewer sees it.
#[derive(Clone)]
pub struct Position {
    pub ply: usize,
    pub inner: Arc<dyn AnyPosition>,
    /// The previous position, who acted, and the action.
    pub last: Option<(Arc<dyn AnyPosition>, Actor, Arc<str>)>,
    pub viewer: Viewer,
    /// Whether the game is still running. If a decision ended it, nobody is to act.
    pub is_running: bool,
    /// How the game ended, if not by its rules.
    pub outcome: Option<Outcome>,
}

impl Position {
    /// Whether the position is shown to this seat.
    fn is_own(&self, actor: Actor) -> bool {
        matches!((self.viewer, actor), (Viewer::Seat(viewer), Actor::Seat(seat)) if viewer == seat)
    }

    /// What to draw.
    pub(super) fn scene(&self) -> Scene {
        let last = self.last.as_ref().map(|(before, actor, action)| (before.as_ref(), *actor, action.as_ref()));
        self.inner.scene(self.viewer, last)
    }

    /// The actor whose actions are asked for: of one seat, or by default of the only one to act, or of the viewer's
    /// own; `None` if nobody is to act, or it is not clear who is meant.
    fn asked(&self, seat: Option<i32>) -> Result<Option<Actor>, Problem> {
        let to_act = self.actors();
        Ok(match (seat, to_act.as_slice()) {
            (Some(seat), _) => {
                let seats = self.inner.seats();
                let seat = u8::try_from(seat).ok().filter(|seat| (1..=seats).contains(seat));
                Some(Actor::Seat(
                    seat.ok_or_else(|| Problem::BadInput(format!("seats are numbered from 1 to {seats}")))?,
                ))
            }
            (None, [actor]) => Some(*actor),
            (None, several) => several.iter().find(|actor| self.is_own(**actor)).copied(),
        })
    }

    fn actors(&self) -> Vec<Actor> {
        if self.is_running { self.inner.to_act().iter().collect() } else { Vec::new() }
    }
}

/// A position as a viewer sees it.
#[Object]
impl Position {
    /// How many actions were applied; 0 is the start.
    async fn ply(&self) -> usize {
        self.ply
    }

    /// The position as the game's rules document defines it, without what the viewer may not know.
    #[graphql(complexity = "price::TEXT")]
    async fn position(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        spend(ctx, 0)?;
        json(ctx, &self.inner.to_json(self.viewer))
    }

    /// SHA-256 of the kind, a zero byte, and the canonical bytes of `position`. Equal positions have equal
    /// keys.
    #[graphql(complexity = "price::TEXT")]
    async fn position_key(&self, ctx: &Context<'_>) -> Result<HashHex, Problem> {
        spend(ctx, 0)?;
        Ok(HashHex(self.inner.key(self.viewer)))
    }

    /// A predicate for `search` that holds here and in positions like this one: the facts of the game and of its seats,
    /// to be loosened. Null if the viewer may not know everything.
    #[graphql(complexity = "price::TEXT")]
    async fn likeness(&self, ctx: &Context<'_>) -> Result<Option<String>, Problem> {
        spend(ctx, 0)?;
        Ok((self.viewer == Viewer::All).then(|| self.inner.likeness()))
    }

    /// Who may act: `seat:N` or `chance`; empty when the game is over.
    async fn to_act(&self) -> Vec<String> {
        self.actors().iter().map(ToString::to_string).collect()
    }

    /// The seats that may act, ascending.
    async fn seats_to_act(&self) -> Vec<u8> {
        let seat = |actor| match actor {
            Actor::Seat(seat) => Some(seat),
            Actor::Chance => None,
        };
        self.actors().into_iter().filter_map(seat).collect()
    }

    /// Whether a round can be closed, because the rules submit an action for a seat that does not act. Then a player who
    /// resigns leaves and the game goes on (`resigned`); otherwise resigning ends a game of two (`ended`).
    async fn closable(&self) -> bool {
        self.inner.absent(1).is_some()
    }

    /// Whether a roll is awaited.
    async fn chance_to_act(&self) -> bool {
        self.actors().contains(&Actor::Chance)
    }

    /// The legal actions of one seat, sorted. By default those of the only seat to act, of the viewer's own if
    /// several are to act, or of chance if a roll is awaited. If the viewer may not know what the seat knows, those that
    /// may be legal as far as the viewer can tell. Null if `prompts` describes what is awaited, or if several seats are to
    /// act and `seat` does not say which one is meant.
    #[graphql(complexity = "price::LIST")]
    async fn legal_actions(&self, ctx: &Context<'_>, seat: Option<i32>) -> Result<Option<Vec<String>>, Problem> {
        let to_act = self.actors();
        // That it is not clear who is meant is no error: the author of an action asks for this as well, and what was
        // written must not look as if it had failed.
        let Some(actor) = self.asked(seat)? else { return Ok(to_act.is_empty().then(Vec::new)) };
        if !to_act.contains(&actor) {
            return Ok(Some(Vec::new()));
        }
        spend(ctx, 0)?;
        let legal = legal_actions(self.inner.as_ref(), self.viewer, actor);
        spend(ctx, legal.iter().flatten().map(|action| action.len() + WORD_BYTES).sum())?;
        Ok(legal)
    }

    /// What is awaited where actions cannot be listed, as a roll or a set-up; empty if all can be listed.
    async fn prompts(&self) -> Vec<Prompt> {
        self.actors().into_iter().filter_map(|actor| Prompt::find(self.inner.as_ref(), self.viewer, actor)).collect()
    }

    /// How the actions of one seat are put together by tapping the board, if their text does not simply name the
    /// places; by default those of the seat that `legalActions` lists. If the viewer may not know where the seat is, routes
    /// begin wherever it may be. Null if the text does. It has either `trays`, pieces to be put on slots, or `routes`, the
    /// places that each legal action leads over.
    #[graphql(complexity = "price::SCENE")]
    async fn form(&self, ctx: &Context<'_>, seat: Option<i32>) -> Result<Option<Json>, Problem> {
        let Some(actor) = self.asked(seat)?.filter(|actor| self.actors().contains(actor)) else { return Ok(None) };
        spend(ctx, 0)?;
        let form = self.inner.form(self.viewer, actor);
        form.map(|form| json(ctx, &form)).transpose()
    }

    /// How the game ended here; null while it is running.
    async fn outcome(&self) -> Option<Outcome> {
        let by_rules = || self.inner.outcome().map(|outcome| Outcome { outcome, decided_by: Decider::Rules });
        self.outcome.clone().or_else(by_rules)
    }

    /// What to draw; see docs/scenes.md. For many plies, ask the game for `scenes`.
    #[graphql(name = "scene", complexity = "price::SCENE")]
    async fn drawn(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        spend(ctx, 0)?;
        json(ctx, &self.scene())
    }

    /// The position in words, for screen readers and terminals.
    #[graphql(complexity = "price::TEXT")]
    async fn text(&self, ctx: &Context<'_>) -> Result<String, Problem> {
        spend(ctx, 0)?;
        let text = self.inner.text(self.viewer);
        spend(ctx, text.len())?;
        Ok(text)
    }
}

/// When a round is played.
#[derive(Clone, Copy, SimpleObject)]
pub struct Deadline {
    /// Nobody acts before this time; null if the round is open.
    pub opens: Option<DateTime>,
    /// At this time, the service submits what the rules prescribe for every seat that has not acted; null if the time
    /// is not limited.
    pub due: Option<DateTime>,
}

/// How a game ended.
#[derive(Clone)]
pub struct Outcome {
    pub outcome: plybook_events::Outcome,
    pub decided_by: Decider,
}

/// How a game ended.
#[Object]
impl Outcome {
    /// The seats that won, ascending; empty for a draw, and if all seats lost: then `details` has `forfeit`.
    async fn winners(&self) -> &[u8] {
        &self.outcome.winners
    }

    /// Groups of equally ranked seats, best first; null in games without a ranking.
    async fn ranking(&self) -> Option<&Vec<Vec<u8>>> {
        self.outcome.ranking.as_ref()
    }

    /// One of the reasons of the game's rules or of the service (`resignation`, `agreement`, `time`, `abandonment`), or the
    /// arbiter's own words.
    async fn reason(&self) -> &str {
        &self.outcome.reason
    }

    /// Who or what decided the outcome.
    async fn decided_by(&self) -> DeciderName {
        self.decided_by.into()
    }

    /// Further details from the rules.
    async fn details(&self) -> Value {
        Value::Object(self.outcome.details.clone())
    }
}

/// Who or what decided an outcome.
#[derive(Clone, Copy, PartialEq, Eq, async_graphql::Enum)]
#[graphql(name = "Decider", remote = "Decider")]
pub enum DeciderName {
    /// The rules of the game.
    Rules,
    /// A seat resigned.
    Resignation,
    /// The seats agreed on a draw.
    Agreement,
    /// A clock ran out.
    Time,
    /// The arbiter.
    Arbiter,
    /// A seat left and did not return.
    Abandonment,
}

/// The last event of a log.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Head {
    /// The seq of the event.
    pub seq: u64,
    /// The hash of the event.
    pub hash: HashHex,
    /// The number of actions on the mainline.
    pub ply: u64,
    #[graphql(skip)]
    pub(super) game: LogId,
}

#[ComplexObject]
impl Head {
    /// A link to the game that names this event as a QR code: `<base>/games/<game>#head=<hash>`. Whoever opens it is told
    /// whether the log still has the event. `base` is the address of the service, as people reach it.
    #[graphql(complexity = "price::ENTRANTS")]
    async fn qr(&self, base: String) -> Result<Option<QrCode>, Problem> {
        QrCode::of_link(&base, &format!("/games/{}#head={}", self.game, self.hash.0)).map(Some)
    }
}

/// The result of verifying a log.
#[derive(SimpleObject)]
pub struct Verification {
    /// Whether the whole log is valid.
    pub valid: bool,
    /// The number of valid events before the first invalid one.
    pub events: u64,
    /// The hash of the last valid event.
    pub head: HashHex,
    /// The seq of the first invalid event.
    pub first_bad: Option<u64>,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// Which keys signed how many of the valid events, in the order in which they began.
    pub signers: Vec<Signer>,
    /// How many of the valid events somebody did without signing. Null for a tournament, in whose log nobody signs.
    pub unsigned: Option<u64>,
}

impl Verification {
    /// The result, with the players whose keys these are.
    pub fn of(
        found: plybook_rules::log::Verification,
        holders: &BTreeMap<PublicKey, Arc<plybook_models::Player>>,
    ) -> Self {
        let signer = |signer: plybook_rules::log::Signer| {
            let player = holders.get(&signer.key).cloned();
            let known =
                player.as_ref().and_then(|player| player.profile.keys.iter().find(|known| known.key == signer.key));
            Signer {
                key: KeyHex(signer.key),
                who: signer.who.map(|who| who.to_string()),
                key_since: known.map(|known| DateTime(known.since)),
                player: player.map(Player),
                events: signer.events,
                since: DateTime(signer.since),
            }
        };
        Self {
            valid: found.fault.is_none(),
            events: found.events,
            head: HashHex(found.head),
            first_bad: found.fault.as_ref().map(|fault| fault.seq),
            problem: found.fault.map(|fault| fault.problem),
            signers: found.signers.into_iter().map(signer).collect(),
            unsigned: Some(found.unsigned),
        }
    }
}

/// A key that signed events of a log.
#[derive(SimpleObject)]
pub struct Signer {
    /// The key.
    pub key: KeyHex,
    /// The person who used it, as the service knew them: a role and the id of an access token.
    pub who: Option<String>,
    /// The player of the game whose key it is, as the player's log says.
    pub player: Option<Player>,
    /// Since when it is the player's.
    pub key_since: Option<DateTime>,
    /// How many of the valid events it signed.
    pub events: u64,
    /// When the first of them was recorded.
    pub since: DateTime,
}

/// The place that the signer of the next event names.
#[derive(SimpleObject)]
pub struct SigningPlace {
    /// The `seq` to sign.
    pub seq: u64,
    /// The `prev` to sign.
    pub prev: HashHex,
}

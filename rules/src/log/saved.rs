//! Replays as they are saved, so that a long log need not be folded again: what the fold of a game knows, with its plies as
//! columns and the kept positions in full.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{Annotated, Created};
use plybook_events::{Actor, LogId, Timestamp, Who};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::limits::Remarks;
use super::order::Order;
use super::replay::{KeptPosition, Ply, Replay};
use crate::repetition::REPETITION;
use crate::{Viewer, kind};

/// A replay to be written and read by `serde_json`, without what follows from the rest.
#[derive(Serialize, Deserialize)]
pub struct SavedReplay<'a> {
    log: LogId,
    created: Cow<'a, Created>,
    created_at: Timestamp,
    setup: Cow<'a, Value>,
    set_ups: Cow<'a, [usize]>,
    /// Who is behind the events, ascending.
    people: Vec<Who>,
    #[serde(borrow)]
    plies: SavedPlies<'a>,
    kept: Vec<(usize, Box<RawValue>)>,
    position: Value,
    annotations: Cow<'a, BTreeMap<u32, Annotated>>,
    order: Cow<'a, Order>,
    remarks: Cow<'a, Remarks>,
    last_at: Timestamp,
}

/// The plies of a mainline. Most members have a number for each ply; the last four only name plies, by their indices.
#[derive(Default, Serialize, Deserialize)]
struct SavedPlies<'a> {
    /// The actions, with spaces between them.
    #[serde(borrow)]
    actions: Cow<'a, str>,
    /// The seats, or 0 for chance.
    seats: Vec<u8>,
    /// The seqs, each less the one before.
    seqs: Vec<u64>,
    /// The milliseconds from one to the next; to the first, since the game was created.
    steps_ms: Vec<i64>,
    elapsed_ms: Vec<u64>,
    clocks_ms: Vec<(usize, u64)>,
    /// Who caused them, as indices of people.
    people: Vec<(usize, usize)>,
    sealed: Vec<usize>,
    fair: Vec<usize>,
}

impl KeptPosition {
    fn json(&self) -> Box<RawValue> {
        let json = match self {
            Self::Whole(position) => to_raw_value(&position.to_json(Viewer::All)),
            Self::Saved(json) => RawValue::from_string(json.to_string()),
        };
        json.expect("a position is plain data")
    }
}

impl<'a> SavedReplay<'a> {
    /// The version of what is written.
    pub const VERSION: u32 = 1;

    /// A replay to be written; `None` for a line, whose fold shares that of its parent, and for a game that ends by
    /// repetition, which depends on all of its positions.
    pub fn new(replay: &'a Replay) -> Option<Self> {
        if replay.is_line() || replay.setup.get(REPETITION).is_some() {
            return None;
        }
        let people: Vec<Who> = replay.recorded_by.iter().copied().collect();
        Some(Self {
            log: replay.log,
            created: Cow::Borrowed(&replay.created),
            created_at: replay.created_at,
            setup: Cow::Borrowed(&replay.setup),
            set_ups: Cow::Borrowed(&replay.set_ups),
            plies: SavedPlies::new(&replay.mainline, replay.created_at, &people),
            people,
            kept: replay.kept.iter().map(|(ply, kept)| (*ply, kept.json())).collect(),
            position: replay.position.to_json(Viewer::All),
            annotations: Cow::Borrowed(&replay.annotations),
            order: Cow::Borrowed(&replay.order),
            remarks: Cow::Borrowed(&replay.remarks),
            last_at: replay.last_at,
        })
    }

    /// The replay; `None` if it was not written in this version and under these rules. Whoever keeps it vouches that nobody has
    /// changed it: it is not compared with the log.
    pub fn restored(self) -> Option<Replay> {
        let rules = kind(&self.created.kind).filter(|rules| rules.about().version == self.created.rules)?;
        let kept = self.kept.iter().map(|(ply, json)| (*ply, KeptPosition::Saved(json.get().into())));
        Some(Replay {
            log: self.log,
            rules,
            kept: kept.collect(),
            mainline: self.plies.restored(self.created_at, &self.people)?,
            created: self.created.into_owned(),
            setup: self.setup.into_owned(),
            created_at: self.created_at,
            ancestry: Arc::default(),
            owners: Arc::default(),
            set_ups: self.set_ups.into(),
            position: rules.position(&self.position).ok()?,
            annotations: self.annotations.into_owned(),
            order: self.order.into_owned(),
            remarks: self.remarks.into_owned(),
            last_at: self.last_at,
            recorded_by: self.people.into_iter().collect(),
        })
    }
}

impl SavedPlies<'_> {
    fn new(mainline: &[Ply], created_at: Timestamp, people: &[Who]) -> Self {
        let mut saved = Self::default();
        let (mut seq, mut at) = (0, created_at.as_millis());
        for (index, ply) in mainline.iter().enumerate() {
            if index > 0 {
                saved.actions.to_mut().push(' ');
            }
            saved.actions.to_mut().push_str(&ply.action);
            saved.seats.push(match ply.actor {
                Actor::Seat(seat) => seat,
                Actor::Chance => 0,
            });
            saved.seqs.push(ply.seq - std::mem::replace(&mut seq, ply.seq));
            saved.steps_ms.push(ply.at.as_millis() - std::mem::replace(&mut at, ply.at.as_millis()));
            saved.elapsed_ms.push(ply.elapsed_ms);
            saved.clocks_ms.extend(ply.clock_ms.map(|ms| (index, ms)));
            saved.people.extend(ply.who.and_then(|who| Some((index, people.binary_search(&who).ok()?))));
            saved.sealed.extend(ply.is_sealed.then_some(index));
            saved.fair.extend(ply.is_fair.then_some(index));
        }
        saved
    }

    fn restored(&self, created_at: Timestamp, people: &[Who]) -> Option<Vec<Ply>> {
        let (mut seq, mut at_ms) = (0_u64, created_at.as_millis());
        let mut plies = Vec::with_capacity(self.seqs.len());
        let numbers = self.seats.iter().zip(&self.seqs).zip(self.steps_ms.iter().zip(&self.elapsed_ms));
        for (((seat, more), (step_ms, elapsed_ms)), action) in numbers.zip(self.actions.split(' ')) {
            (seq, at_ms) = (seq.checked_add(*more)?, at_ms.checked_add(*step_ms)?);
            plies.push(Ply {
                seq,
                actor: if *seat == 0 { Actor::Chance } else { Actor::Seat(*seat) },
                action: action.into(),
                at: Timestamp::from_millis(at_ms).ok()?,
                elapsed_ms: *elapsed_ms,
                clock_ms: None,
                is_sealed: false,
                is_fair: false,
                who: None,
            });
        }
        for (index, clock_ms) in &self.clocks_ms {
            plies.get_mut(*index)?.clock_ms = Some(*clock_ms);
        }
        for (index, who) in &self.people {
            plies.get_mut(*index)?.who = Some(*people.get(*who)?);
        }
        for index in &self.sealed {
            plies.get_mut(*index)?.is_sealed = true;
        }
        for index in &self.fair {
            plies.get_mut(*index)?.is_fair = true;
        }
        Some(plies)
    }
}

//! Players: registered, edited, merged and unmerged. Every change is an event of the player's log, except for
//! what must be possible to erase, which is kept as personal data beside the logs.

mod details;
mod roster;

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use plybook_events::body::{
    PlayerCreated, PlayerEdited, PlayerKeyAdded, PlayerKeyRemoved, PlayerMerged, PlayerUnmerged,
};
use plybook_events::{Body, By, Event, Hash, LogId, PublicKey, Timestamp, Who};
use plybook_models::{Filter, Order, Player, TournamentFilter, TournamentSummary};
use plybook_rules::log::{EVENTS_MAX, EVENTS_RESERVED};
use plybook_store::{Append, Head, Personal, PersonalChange};

pub(crate) use details::check_country;
use details::is_country;
pub use details::{Change, Details};
pub use roster::{Roster, RosterAction, RosterLine};

use super::Service;
use crate::clock;
use crate::error::Problem;

/// The name under which the year of birth is kept among personal data.
const YEAR_OF_BIRTH: &str = "year_of_birth";

/// How many keys a player may have had.
const KEYS_MAX: usize = 20;

/// The number of events at which a player's log takes no more changes, except those that undo something.
const EDITED_MAX: u64 = EVENTS_MAX - EVENTS_RESERVED;

impl Service {
    /// Registers a player.
    ///
    /// # Errors
    /// A detail is invalid or the name is missing, or nothing can be written.
    pub fn create_player(&self, details: Details) -> Result<Arc<Player>, Problem> {
        let details = details.checked(self.clock().now())?;
        let _people = self.people();
        let draft = PlayerDraft::create(self.stamp(), details)?;
        let id = draft.append.log;
        self.write_players(id, vec![draft])?;
        self.player(id)
    }

    /// The log of a new player who is entered in a tournament with this club and country, not written yet. A country that
    /// is none stays in the tournament.
    ///
    /// # Errors
    /// The name or the club is invalid.
    pub(crate) fn new_player(
        &self,
        name: String,
        club: Option<String>,
        country: Option<String>,
    ) -> Result<Append, Problem> {
        let some = |text: Option<String>| text.filter(|text| !text.trim().is_empty()).map_or(Change::Keep, Change::To);
        let (now, country) = (self.clock().now(), country.filter(|code| is_country(code)));
        let details =
            Details { name: Change::To(name), club: some(club), country: some(country), ..Details::default() };
        Ok(PlayerDraft::create((now, self.context.who), details.checked(now)?)?.append)
    }

    /// Changes the details of a player. Details that do not differ are not recorded again. `expected` is the
    /// seq of the last event that the caller knows.
    ///
    /// # Errors
    /// There is no such player, a detail is invalid, `expected` is not the last event, or nothing can be
    /// written.
    pub fn edit_player(&self, id: LogId, details: Details, expected: Option<u64>) -> Result<Arc<Player>, Problem> {
        let details = details.checked(self.clock().now())?;
        let _people = self.people();
        let player = self.player(id)?;
        let head = self.player_head(&player, expected, EDITED_MAX)?;
        if let Some(draft) = PlayerDraft::edit(self.stamp(), &player, &head, details, self.store.personal())? {
            self.write_players(id, vec![draft])?;
        }
        self.player(id)
    }

    /// Merges a player into another one, who stands for both from then on. Returns the other one. Repeating a
    /// merge changes nothing.
    ///
    /// # Errors
    /// One of them does not exist or is merged into somebody else, both took part in the same game, or
    /// nothing can be written.
    pub fn merge_players(&self, from: LogId, into: LogId) -> Result<Arc<Player>, Problem> {
        let _people = self.people();
        let (one, other) = (self.player(from)?, self.player(into)?);
        let refuse = |why: String| Err(Problem::BadInput(why));
        if from == into {
            return refuse("`from` and `into` are two players".to_owned());
        }
        if one.profile.merged_into == Some(into) {
            return Ok(other);
        }
        for player in [&one, &other] {
            if let Some(already) = player.profile.merged_into {
                let (name, id) = (&player.profile.name, player.id);
                return refuse(format!("{name} ({id}) is merged into {already}: name that player, or unmerge first"));
            }
        }
        let shared = Filter { players: vec![from, into], ..Filter::default() };
        let shared = self.models().known().games.select(&shared).list(Order::CreatedAsc, None);
        if let Some(game) = shared.first() {
            return refuse(format!("both sat in the game {game}, so they are two people"));
        }
        if let Some(id) = self.running_tournament(from, into) {
            return refuse(format!(
                "both are entered in the tournament {id}, and could be paired: remove one of the entries, or merge them when it is over"
            ));
        }
        self.add_to_player(&one, Body::PlayerMerged(PlayerMerged { into }))?;
        Ok(other)
    }

    /// A tournament that is not over in which both players are entered, as themselves or as those merged into them.
    fn running_tournament(&self, one: LogId, other: LogId) -> Option<LogId> {
        let models = self.models();
        let known = models.known();
        let is_entered = |tournament: &TournamentSummary, player| {
            tournament.players.iter().flatten().any(|entrant| known.players.survivor(*entrant) == player)
        };
        let all = known.tournaments.list(&TournamentFilter::default());
        let found = all.iter().find(|it| !it.is_finished && is_entered(it, one) && is_entered(it, other));
        found.map(|tournament| tournament.id)
    }

    /// Undoes the merge of a player. A player who is not merged is left alone.
    ///
    /// # Errors
    /// There is no such player, or nothing can be written.
    pub fn unmerge_player(&self, id: LogId) -> Result<Arc<Player>, Problem> {
        let _people = self.people();
        let player = self.player(id)?;
        if player.profile.merged_into.is_none() {
            return Ok(player);
        }
        self.add_to_player(&player, Body::PlayerUnmerged(PlayerUnmerged {}))?;
        self.player(id)
    }

    /// Adds a key that a player signs with. A key that the player has is left alone.
    ///
    /// # Errors
    /// There is no such player, it is no key, the player has as many as one may, or nothing can be written.
    pub fn add_player_key(&self, id: LogId, key: PublicKey) -> Result<Arc<Player>, Problem> {
        let _people = self.people();
        let player = self.player(id)?;
        if player.profile.has_key(&key) {
            return Ok(player);
        }
        if !key.is_valid() {
            return Err(Problem::BadInput(format!(
                "`key`: {key} is no key of Ed25519 that one person alone can sign with"
            )));
        }
        if player.profile.keys.len() >= KEYS_MAX {
            return Err(Problem::BadInput(format!("a player has had at most {KEYS_MAX} keys")));
        }
        self.add_to_player(&player, Body::PlayerKeyAdded(PlayerKeyAdded { key }))?;
        self.player(id)
    }

    /// Removes a key of a player. What it signed stays signed.
    ///
    /// # Errors
    /// There is no such player or key, or nothing can be written.
    pub fn remove_player_key(&self, id: LogId, key: PublicKey) -> Result<Arc<Player>, Problem> {
        let _people = self.people();
        let player = self.player(id)?;
        if !player.profile.has_key(&key) {
            return Err(Problem::NotFound(format!("the player does not sign with the key {key}")));
        }
        self.add_to_player(&player, Body::PlayerKeyRemoved(PlayerKeyRemoved { key }))?;
        self.player(id)
    }

    /// A player's year of birth, if known. Not for everybody: see [`crate::access::Desk`].
    pub fn year_of_birth(&self, id: LogId) -> Option<u16> {
        self.store.personal().get(id, YEAR_OF_BIRTH)?.parse().ok()
    }

    /// The player with an id.
    ///
    /// # Errors
    /// There is no such player.
    pub fn player(&self, id: LogId) -> Result<Arc<Player>, Problem> {
        let known = self.models().known();
        known.players.get(id).cloned().ok_or_else(|| Problem::NotFound(format!("there is no player {id}")))
    }

    /// The keys that these players sign or signed with, and whose each is.
    pub fn key_holders(&self, players: &[Option<LogId>]) -> BTreeMap<PublicKey, Arc<Player>> {
        let known = self.models().known();
        let players = players.iter().flatten().filter_map(|id| known.players.get(*id));
        let keys = players.flat_map(|player| player.profile.keys.iter().map(|known| (known.key, Arc::clone(player))));
        keys.collect()
    }

    /// Held while players are changed, so that checks still hold when the change is written.
    fn people(&self) -> MutexGuard<'_, ()> {
        self.people.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The last event of a player's log, which has fewer than `limit` events.
    fn player_head(&self, player: &Player, expected: Option<u64>, limit: u64) -> Result<Head, Problem> {
        let head = self.log().head(player.id).ok_or_else(|| Problem::internal("a player has no log"))?;
        if expected.is_some_and(|expected| expected != head.seq()) {
            return Err(Problem::PlayerConflict { head: head.seq() });
        }
        if head.seq() + 1 >= limit {
            return Err(Problem::LogFull(format!(
                "a player is edited, merged and given keys up to {EDITED_MAX} events: a merge can still be undone, and a key \
                 removed, up to {EVENTS_MAX}"
            )));
        }
        Ok(head)
    }

    fn stamp(&self) -> Stamp {
        (self.clock().now(), self.context.who)
    }

    fn add_to_player(&self, player: &Player, body: Body) -> Result<(), Problem> {
        let is_undone = matches!(body, Body::PlayerUnmerged(_) | Body::PlayerKeyRemoved(_));
        let head = self.player_head(player, None, if is_undone { EVENTS_MAX } else { EDITED_MAX })?;
        let append = append(self.stamp(), player.id, Some(&head), vec![(By::Arbiter, body)])?;
        self.write_players(player.id, vec![PlayerDraft { append, year_of_birth: None }])
    }

    /// Writes drafts for several players, all or none. Personal data is written first; it is restored if nothing else
    /// is written. `about` is the player that the request is about.
    fn write_players(&self, about: LogId, drafts: Vec<PlayerDraft>) -> Result<(), Problem> {
        let personal = self.store.personal();
        let change = |draft: &PlayerDraft| Some((draft.append.log, YEAR_OF_BIRTH, draft.year_of_birth.clone()?));
        let changes: Vec<PersonalChange<'_>> = drafts.iter().filter_map(change).collect();
        let old: Vec<PersonalChange<'_>> =
            changes.iter().map(|(id, name, _)| (*id, *name, personal.get(*id, name))).collect();
        personal.change(&changes)?;
        let appends: Vec<Append> =
            drafts.into_iter().map(|draft| draft.append).filter(|append| !append.events.is_empty()).collect();
        if appends.is_empty() {
            return Ok(());
        }
        let written = self.append(about, appends);
        if written.is_err()
            && let Err(why) = personal.change(&old)
        {
            tracing::error!(%why, "personal data of a change that was refused stays");
        }
        written.map(drop)
    }
}

/// When an event is written, and for whom.
type Stamp = (Timestamp, Option<Who>);

/// What is to be written for one player.
struct PlayerDraft {
    append: Append,
    /// The new year of birth (`Some(None)`: none), if it changes.
    #[allow(clippy::option_option, reason = "as the personal data are changed")]
    year_of_birth: Option<Option<String>>,
}

impl PlayerDraft {
    /// A new player.
    fn create(stamp: Stamp, details: Details) -> Result<Self, Problem> {
        let Details { name, club, country, links, year_of_birth } = details;
        let Change::To(name) = name else { return Err(Problem::BadInput("a player has a name".to_owned())) };
        let rest = PlayerEdited { name: None, club: club.some(), country: country.some(), links };
        let rest = PlayerEdited { links: rest.links.filter(|links| !links.is_empty()), ..rest };
        let mut bodies = vec![(By::Service, Body::PlayerCreated(PlayerCreated { name }))];
        if rest != PlayerEdited::default() {
            bodies.push((By::Service, Body::PlayerEdited(rest)));
        }
        let append = append(stamp, clock::new_id(), None, bodies)?;
        Ok(Self { append, year_of_birth: year_of_birth.some().map(|year| Some(year.to_string())) })
    }

    /// A change to a player; `None` if nothing changes.
    fn edit(
        stamp: Stamp,
        player: &Player,
        head: &Head,
        details: Details,
        personal: &Personal,
    ) -> Result<Option<Self>, Problem> {
        let (edited, year_of_birth) = changes(player, details, personal);
        if edited.is_none() && year_of_birth.is_none() {
            return Ok(None);
        }
        let bodies = edited.into_iter().map(|edited| (By::Arbiter, Body::PlayerEdited(edited))).collect();
        Ok(Some(Self { append: append(stamp, player.id, Some(head), bodies)?, year_of_birth }))
    }
}

/// The details that are new: for the log, and for the personal data.
#[allow(clippy::option_option, reason = "as the personal data are changed")]
fn changes(player: &Player, details: Details, personal: &Personal) -> (Option<PlayerEdited>, Option<Option<String>>) {
    let Details { name, club, country, links, year_of_birth } = details;
    let edited = PlayerEdited { name: name.some(), club: club.or_empty(), country: country.or_empty(), links };
    let known = personal.get(player.id, YEAR_OF_BIRTH);
    let year_of_birth = match year_of_birth {
        Change::Keep => None,
        Change::Clear => Some(None),
        Change::To(year) => Some(Some(year.to_string())),
    };
    (player.profile.changed_by(edited), year_of_birth.filter(|year| *year != known))
}

/// Events to append to a player's log after its head.
fn append((at, who): Stamp, log: LogId, head: Option<&Head>, bodies: Vec<(By, Body)>) -> Result<Append, Problem> {
    let (mut prev, first) = head.map_or((Hash::ZERO, 0), |head| (head.hash(), head.seq() + 1));
    let mut events = Vec::with_capacity(bodies.len());
    for (seq, (by, body)) in (first..).zip(bodies) {
        let bytes = Event { at, by, log, prev, seq, body, who, signature: None, request: None }
            .to_bytes()
            .map_err(Problem::internal)?;
        prev = Hash::of_event(&bytes);
        events.push(bytes);
    }
    Ok(Append { log, expected: head.copied(), events })
}

//! The desk at which a caller is served: who may change what.

use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{By, LogId, RequestId, UNRECORDED};
use plybook_rules::log::{Command, Replay};

use super::caller::{Caller, TableNumber};
use super::quotas::Quota;
use super::role::Role;
use super::tokens::Tokens;
use crate::error::Problem;
use crate::{Context, ImportSource, Importing, Live, NewGame, NewLine, Service, Signing};

/// The service as one caller may use it. Every method first checks that the caller may do what it asks for. A
/// refusal reveals nothing that the caller may not know.
///
/// Methods that change something wait for the disk.
#[derive(Clone)]
pub struct Desk {
    pub(super) service: Arc<Service>,
    pub(super) caller: Caller,
    pub(super) tokens: Option<Arc<Tokens>>,
}

impl Desk {
    /// The desk for a caller: what is written here is written on the caller's behalf.
    pub fn new(service: &Service, caller: Caller) -> Self {
        let service = service.for_whom(Context { who: caller.who, ..Context::default() });
        Self { service, caller, tokens: None }
    }

    /// The same desk, able to issue tokens.
    #[must_use]
    pub fn with_tokens(self, tokens: Arc<Tokens>) -> Self {
        Self { tokens: Some(tokens), ..self }
    }

    /// The same desk, for a request with a key.
    #[must_use]
    pub fn carrying_out(&self, request: RequestId) -> Self {
        self.with(Context { request: Some(request), ..self.service.context })
    }

    /// The same desk, for something that the caller has signed. A player signs with one of the keys in the player's log.
    ///
    /// # Errors
    /// The key is not one of the player's, or there is a salt without a signature.
    pub fn signed(&self, signing: Signing) -> Result<Self, Problem> {
        if let (Some(signature), Some(id)) = (signing.signature, self.caller.player)
            && !self.service.player(id)?.profile.has_key(&signature.key)
        {
            return Err(Problem::BadSignature(format!(
                "the key {} is not one of yours: add it with `addPlayerKey`",
                signature.key
            )));
        }
        if signing.salt.is_some() && signing.signature.is_none() {
            return Err(Problem::BadInput(
                "`salt` comes with a `signature` of the commitment that it gives".to_owned(),
            ));
        }
        Ok(self.with(Context { signing, ..self.service.context }))
    }

    fn with(&self, context: Context) -> Self {
        Self { service: self.service.for_whom(context), ..self.clone() }
    }

    /// Whether the caller has signed what it does.
    pub(super) fn has_signed(&self) -> bool {
        self.service.context.signing.signature.is_some()
    }

    /// Creates a game. For recorders, and for organisers within their tournament.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::create_game`].
    pub fn create_game(&self, new: &NewGame) -> Result<Arc<Live>, Problem> {
        match new.tournament {
            Some(tournament) if self.may_organise(tournament) => {}
            _ => self.require_recorder_of_any_game()?,
        }
        self.within_quota(&[(Quota::Games, 1)], || self.service.create_game(new))
    }

    /// Imports a JSON record from `source`. For recorders; only arbiters may extend a log that is already recorded here.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::import_json`].
    pub fn import_json(&self, record: &str, source: ImportSource) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        let importing = Importing { source, may_extend: &|_| self.may_extend() };
        self.within_quota(&[(Quota::Imports, 1)], || self.service.import_json(record, &importing))
    }

    /// Imports the exact lines of a log. For the same callers as [`Desk::import_json`].
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::import_log`].
    pub fn import_log(&self, lines: &str, source: ImportSource) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        let importing = Importing { source, may_extend: &|_| self.may_extend() };
        self.within_quota(&[(Quota::Imports, 1)], || self.service.import_log(lines, &importing))
    }

    /// Records a text record as a new game. For recorders.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::import_text`].
    pub fn import_text(&self, text: &str, source: &ImportSource) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        self.within_quota(&[(Quota::Imports, 1)], || self.service.import_text(text, source))
    }

    /// Carries out a command. What decides or undoes a game, and its deadline, is for arbiters; what a clock or an empty chair
    /// decides, and the end of a round, for recorders; what a seat does, for its player and for recorders.
    ///
    /// # Errors
    /// The caller may not do this, the command has a method of its own, or see [`Service::command`].
    pub fn command(&self, game: LogId, command: Command, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        let (role, seat) = match &command {
            Command::CloseRound => (Role::Recorder, None),
            Command::FlagFall(seat) | Command::Abandon(seat) => (Role::Recorder, Some(*seat)),
            Command::Resign(seat)
            | Command::AddEntropy { seat, .. }
            | Command::OfferDraw(seat)
            | Command::AnswerDraw { seat, .. } => (Role::Player, Some(*seat)),
            Command::SetDeadline { .. }
            | Command::Adjudicate { .. }
            | Command::Void { .. }
            | Command::Unvoid { .. }
            | Command::Reopen { .. } => (Role::Arbiter, None),
            Command::Act { .. } | Command::TakeBack { .. } | Command::Annotate { .. } | Command::Arrange(_) => {
                return Err(Problem::internal("a command with a method of its own"));
            }
        };
        self.caller.require(role)?;
        if matches!(&command, Command::Adjudicate { outcome } if outcome.reason == UNRECORDED) {
            let why = format!("`reason`: {UNRECORDED:?} is for results of tables, see `enterResult`: say it otherwise");
            return Err(Problem::BadInput(why));
        }
        let is_unvoid = matches!(&command, Command::Unvoid { .. });
        let is_forfeit = matches!(&command, Command::Adjudicate { outcome } if outcome.is_forfeit());
        self.command_if(game, command, expected, |replay| match seat {
            Some(seat) => self.caller.require_seat(replay, seat),
            None if is_forfeit && replay.created().tournament.is_some() => Err(Problem::BadInput(
                "`forfeit`: in a tournament, a table is forfeited and not its game: declare the game void, then use \
                 the mutation `forfeit`"
                    .to_owned(),
            )),
            None if is_unvoid => self.check_undecided(replay, game),
            None => Ok(()),
        })
    }

    /// Annotates a ply, in the name of the caller's seat or of the arbiter. For recorders, and for the game's
    /// players.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::command`].
    pub fn annotate(&self, game: LogId, annotated: Annotated, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        let by = self.caller.seat_in(&replay).map_or(By::Arbiter, By::Seat);
        if by == By::Arbiter && !replay.is_line() {
            self.caller.require(Role::Recorder)?;
        }
        self.service.command(&live, &[Command::Annotate { by, annotated }], expected)?;
        Ok(live)
    }

    /// Creates a line, which the caller will own. For players and recorders.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::fork`].
    pub fn fork(&self, new: NewLine) -> Result<Arc<Live>, Problem> {
        self.require_within(new.game)?;
        let quotas = [(Quota::Lines, 1), (Quota::LineActions, new.actions.len())];
        self.within_quota(&quotas, || self.service.fork(NewLine { owner: self.player(), ..new }))
    }

    /// Names, hides or reorders a line. For its owner.
    ///
    /// # Errors
    /// The caller may not do this, or see [`Service::arrange`].
    pub fn arrange(
        &self,
        line: LogId,
        name: Option<String>,
        hidden: Option<bool>,
        is_promoted: bool,
    ) -> Result<Arc<Live>, Problem> {
        let live = self.open(line)?;
        let is_withdrawn = || self.service.models().known().games.get(line).is_some_and(|line| line.is_withdrawn);
        if hidden == Some(false) && !self.caller.may(Role::Arbiter) && is_withdrawn() {
            return Err(Problem::Forbidden("an arbiter has hidden this line: ask one to show it again".to_owned()));
        }
        self.service.arrange(&live, name, hidden, is_promoted)?;
        Ok(live)
    }

    /// Finds the game or line to change. Only its owner may change a line, whatever the change; for a game,
    /// every operation makes its own checks.
    pub(super) fn open(&self, game: LogId) -> Result<Arc<Live>, Problem> {
        self.require_within(game)?;
        let live = self.service.game(game)?;
        let replay = live.replay();
        if replay.is_line() {
            self.require_keeper(&replay)?;
        }
        Ok(live)
    }

    /// Carries out a command, once `check` has allowed it in a game that is not a line.
    pub(super) fn command_if(
        &self,
        game: LogId,
        command: Command,
        expected: Option<u64>,
        check: impl FnOnce(&Replay) -> Result<(), Problem>,
    ) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        if !replay.is_line() {
            check(&replay)?;
        }
        self.service.command(&live, &[command], expected)?;
        Ok(live)
    }

    /// The tokens that are issued here.
    pub(super) fn tokens(&self) -> Result<&Tokens, Problem> {
        self.tokens.as_deref().ok_or_else(|| Problem::internal("no tokens are kept here"))
    }

    /// Checks that an import may extend a recorded log: the events may include some that only arbiters write.
    fn may_extend(&self) -> Result<(), Problem> {
        self.caller.require(Role::Arbiter)
    }

    /// Does something that counts for the caller's quotas, unless it fails.
    pub(super) fn within_quota<T>(
        &self,
        quotas: &[(Quota, usize)],
        change: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let Some(token) = self.caller.token.filter(|_| self.caller.require(Role::Admin).is_err()) else {
            return change();
        };
        let (held, now) = (self.service.quotas(), self.service.clock().now());
        let amounts = || quotas.iter().map(|(quota, amount)| (*quota, u32::try_from(*amount).unwrap_or(u32::MAX)));
        let mut taken = Vec::new();
        let done = amounts()
            .try_for_each(|(quota, amount)| {
                held.take(token, quota, amount, now)?;
                taken.push((quota, amount));
                Ok(())
            })
            .and_then(|()| change());
        if done.is_err() {
            for (quota, amount) in taken {
                held.give_back(token, quota, amount);
            }
        }
        done
    }

    pub(super) fn require_recorder_of_any_game(&self) -> Result<(), Problem> {
        self.caller.require(Role::Recorder)?;
        self.caller.require_any_game()
    }

    /// # Errors
    /// The caller may not change anything, or not this game and its lines.
    pub(super) fn require_within(&self, game: LogId) -> Result<(), Problem> {
        self.caller.require(Role::Player)?;
        self.within(self.service.root(game))
    }

    /// # Errors
    /// The caller's token is not valid for this game and its lines. A table's token ends with its round.
    pub(super) fn within(&self, root: LogId) -> Result<(), Problem> {
        let place = self.service.place_of(root);
        self.caller.require_game(&place)?;
        match (place.tournament, self.caller.table) {
            (Some(tournament), Some(TableNumber { round, .. })) => self.require_open(tournament, round),
            _ => Ok(()),
        }
    }
}

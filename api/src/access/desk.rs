//! The desk at which one caller is served: what may be changed, by whom.

use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{By, LogId, Outcome};
use plybook_rules::log::{Command, Replay};

use super::caller::Caller;
use super::role::Role;
use crate::error::Problem;
use crate::models::Player;
use crate::service::{Live, NewGame, NewLine, Service};

/// The service as one caller may use it. Every method first judges whether the caller may do what it
/// asks for; a refusal tells nothing that the caller may not know.
///
/// Whatever is changed waits for the disk.
#[derive(Clone)]
pub struct Desk {
    pub(super) service: Arc<Service>,
    pub(super) caller: Caller,
}

impl Desk {
    /// The desk of a caller.
    pub fn new(service: Arc<Service>, caller: Caller) -> Self {
        Self { service, caller }
    }

    /// Makes a player known. For recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::create_player`].
    pub fn create_player(&self, name: &str) -> Result<Arc<Player>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.create_player(name)
    }

    /// Creates a game. For recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::create_game`].
    pub fn create_game(&self, new: NewGame) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.create_game(new)
    }

    /// Takes in a JSON record. For recorders; continuing a log that is recorded here is for arbiters.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::import_json`].
    pub fn import_json(&self, record: &str) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.import_json(record, &self.caller)
    }

    /// Takes in the exact lines of a log. For the same callers as [`Desk::import_json`].
    ///
    /// # Errors
    /// The caller may not, or as [`Service::import_log`].
    pub fn import_log(&self, lines: &str) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.import_log(lines, &self.caller)
    }

    /// Records a text record as a new game. For recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::import_text`].
    pub fn import_text(&self, text: &str) -> Result<Arc<Live>, Problem> {
        self.require_recorder_of_any_game()?;
        self.service.import_text(text)
    }

    /// Submits what the rules say for every seat that has not acted in a round. For recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn close_round(&self, game: LogId, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        self.caller.require(Role::Recorder)?;
        self.command(game, Command::CloseRound, expected, |_| Ok(()))
    }

    /// Rolls what the position awaits. For recorders and whoever plays in the game.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::roll`].
    pub fn roll(&self, game: LogId, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        if !replay.is_line() && self.caller.seat_in(&replay).is_none() {
            self.caller.require(Role::Recorder)?;
        }
        self.service.roll(&live, expected)?;
        Ok(live)
    }

    /// Takes the mainline back to an earlier ply. For arbiters.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn take_back(
        &self,
        game: LogId,
        to_ply: u32,
        reason: String,
        expected: Option<u64>,
    ) -> Result<Arc<Live>, Problem> {
        let command = Command::TakeBack { to_ply, reason };
        self.command(game, command, expected, |_| self.caller.require(Role::Arbiter))
    }

    /// Comments on a ply, in the name of the caller's seat or of the arbiter. For recorders and whoever
    /// plays in the game.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn annotate(&self, game: LogId, annotated: Annotated) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        let by = self.caller.seat_in(&replay).map_or(By::Arbiter, By::Seat);
        if by == By::Arbiter && !replay.is_line() {
            self.caller.require(Role::Recorder)?;
        }
        self.service.command(&live, &[Command::Annotate { by, annotated }], None)?;
        Ok(live)
    }

    /// A seat gives up. For its player and recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn resign(&self, game: LogId, seat: u8) -> Result<Arc<Live>, Problem> {
        self.command_for_seat(game, seat, Command::Resign(seat))
    }

    /// A seat offers a draw. For its player and recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn offer_draw(&self, game: LogId, seat: u8) -> Result<Arc<Live>, Problem> {
        self.command_for_seat(game, seat, Command::OfferDraw(seat))
    }

    /// A seat answers the offer of a draw. For its player and recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn answer_draw(&self, game: LogId, seat: u8, accept: bool) -> Result<Arc<Live>, Problem> {
        self.command_for_seat(game, seat, Command::AnswerDraw { seat, accept })
    }

    /// A seat's clock ran out. For recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn flag_fall(&self, game: LogId, seat: u8) -> Result<Arc<Live>, Problem> {
        self.caller.require(Role::Recorder)?;
        self.command_for_seat(game, seat, Command::FlagFall(seat))
    }

    /// Decides a running game, or changes the outcome of a finished one. For arbiters.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn adjudicate(&self, game: LogId, outcome: Outcome) -> Result<Arc<Live>, Problem> {
        self.caller.require(Role::Arbiter)?;
        self.command(game, Command::Adjudicate { outcome }, None, |_| Ok(()))
    }

    /// Declares that a game does not count. For arbiters.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::command`].
    pub fn void(&self, game: LogId, reason: String) -> Result<Arc<Live>, Problem> {
        self.caller.require(Role::Arbiter)?;
        self.command(game, Command::Void { reason }, None, |_| Ok(()))
    }

    /// Begins a line, which the caller keeps from then on. For players and recorders.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::fork`].
    pub fn fork(&self, new: NewLine) -> Result<Arc<Live>, Problem> {
        self.require_within(new.game)?;
        self.service.fork(NewLine { owner: self.player(), ..new })
    }

    /// Names or hides a line, or puts it before its siblings. For whoever keeps it.
    ///
    /// # Errors
    /// The caller may not, or as [`Service::arrange`].
    pub fn arrange(
        &self,
        line: LogId,
        name: Option<String>,
        hidden: Option<bool>,
        is_promoted: bool,
    ) -> Result<Arc<Live>, Problem> {
        let live = self.open(line)?;
        self.service.arrange(&live, name, hidden, is_promoted)?;
        Ok(live)
    }

    /// A game or line that is to be changed. Of a line it is decided here who may: whoever keeps it,
    /// whatever the change; of a game, every operation decides for itself.
    pub(super) fn open(&self, game: LogId) -> Result<Arc<Live>, Problem> {
        self.require_within(game)?;
        let live = self.service.game(game)?;
        let replay = live.replay();
        if replay.is_line() {
            self.require_keeper(&replay)?;
        }
        Ok(live)
    }

    /// Carries out a command, once `check` lets the caller do so in a game that is not a line.
    fn command(
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

    fn command_for_seat(&self, game: LogId, seat: u8, command: Command) -> Result<Arc<Live>, Problem> {
        self.command(game, command, None, |replay| self.caller.require_seat(replay, seat))
    }

    fn require_recorder_of_any_game(&self) -> Result<(), Problem> {
        self.caller.require(Role::Recorder)?;
        self.caller.require_any_game()
    }

    /// # Errors
    /// The caller may change nothing, or nothing of this game and its lines.
    fn require_within(&self, game: LogId) -> Result<(), Problem> {
        self.caller.require(Role::Player)?;
        self.caller.require_game(self.service.root(game))
    }
}

//! Who may have games analysed, and who may see what comes of it.

use plybook_events::LogId;
use plybook_models::{Filter, Order, Summary};
use plybook_rules::AnyPosition;
use plybook_rules::log::Status;

use super::desk::Desk;
use super::role::Role;
use crate::analysis::{PLAYOUTS_DEFAULT, to_move};
use crate::error::Problem;
use crate::{Analysis, AnalysisWatch, Evaluating};

impl Desk {
    /// Has a game or a line analysed, as [`Service::analyse`](crate::Service::analyse). For players and
    /// recorders; while a tournament game runs, for arbiters. Games with secrets can be analysed once they are over.
    ///
    /// # Errors
    /// The caller may not do this, or see there.
    pub fn analyse(&self, game: LogId, playouts: Option<u32>) -> Result<Analysis, Problem> {
        self.require_within(game)?;
        self.require_may_analyse(game)?;
        let moment = self.service.game(game)?.at();
        if !moment.0.is_open() {
            return Err(Problem::BadInput(SECRET.to_owned()));
        }
        self.service.analyse(moment, playouts.unwrap_or(PLAYOUTS_DEFAULT), self.caller.token)
    }

    /// Evaluates a position that belongs to no game, as [`Service::evaluate`](crate::Service::evaluate). For
    /// whoever [may](Self::require_may_evaluate).
    ///
    /// # Errors
    /// The caller may not do this, or the seat is not to act.
    pub fn evaluate(
        &self,
        position: &dyn AnyPosition,
        seat: Option<u8>,
        playouts: Option<u32>,
    ) -> Result<Evaluating, Problem> {
        self.require_may_evaluate()?;
        let actor = to_move(position, seat).map_err(|why| Problem::BadInput(format!("`seat`: {why}")))?;
        self.service.evaluate(position.boxed(), actor, playouts.unwrap_or(PLAYOUTS_DEFAULT), self.caller.token)
    }

    /// Checks that the caller may have positions evaluated that belong to no game. Players and recorders may, but nobody
    /// who sits in a running tournament game, and no token that is valid for such a game only: any position could be the
    /// one on that board.
    ///
    /// # Errors
    /// The caller may not.
    pub fn require_may_evaluate(&self) -> Result<(), Problem> {
        let caller = &self.caller;
        caller.require(Role::Player)?;
        if caller.may(Role::Arbiter) {
            return Ok(());
        }
        let known = self.service.models().known();
        let own = caller.game.and_then(|game| known.games.get(game));
        if caller.table.is_some() || own.as_ref().is_some_and(|game| is_running_tournament_game(game)) {
            return Err(Problem::Forbidden(
                "your token is for a tournament game that is running: it does not have positions evaluated".to_owned(),
            ));
        }
        let index = caller.seat.and_then(|seat| usize::from(seat).checked_sub(1));
        let seated = own.as_ref().zip(index).and_then(|(game, index)| *game.players.get(index)?);
        let player = caller.player.map(|player| known.players.survivor(player));
        let sits_in_one = |player: LogId| {
            let (is_analysis, status, players) = (Some(false), Some(Status::Running), vec![player]);
            let running = Filter { is_analysis, status, players, ..Filter::default() };
            let running = known.games.select(&running).list(Order::CreatedDesc, None);
            running.into_iter().any(|id| known.games.get(id).is_some_and(|game| is_running_tournament_game(&game)))
        };
        if [player, seated].into_iter().flatten().any(sits_in_one) {
            return Err(Problem::Forbidden(
                "you sit in a running tournament game: no position is evaluated for you until it is over".to_owned(),
            ));
        }
        Ok(())
    }

    /// The analysis of a game, as far as the caller may see it; a kept one without its positions, unless `is_whole`.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn analysis(&self, game: &Summary, is_whole: bool) -> Result<Option<Analysis>, Problem> {
        if self.require_may_analyse(game.id).is_err() || !self.is_open(game.id)? {
            return Ok(None);
        }
        self.service.find_analysis(game.id, is_whole)
    }

    /// Follows the analysis of a game: what comes of it, or the complete one.
    ///
    /// # Errors
    /// The caller may not see it, or there is none.
    pub fn watch_analysis(&self, game: LogId) -> Result<Result<AnalysisWatch, Analysis>, Problem> {
        self.check_analysis(game)?;
        if let Some(watch) = self.service.watch_analysis(game) {
            return Ok(Ok(watch));
        }
        let kept = self.service.analysis(game)?;
        let none = || Problem::NotFound("there is no analysis of this game: ask for one with `analyze`".to_owned());
        kept.map(Err).ok_or_else(none)
    }

    /// Checks that the caller may see the analysis of a game, which may have been different when it began.
    ///
    /// # Errors
    /// The caller may not.
    pub fn check_analysis(&self, game: LogId) -> Result<(), Problem> {
        self.require_may_analyse(game)?;
        if self.is_open(game)? { Ok(()) } else { Err(Problem::BadInput(SECRET.to_owned())) }
    }

    /// # Errors
    /// The game, or the one that the line belongs to, is a running one of a tournament, and the caller no arbiter there.
    fn require_may_analyse(&self, game: LogId) -> Result<(), Problem> {
        let root = self.service.root(game);
        let is_of_running_tournament_game = {
            let known = self.service.models().known();
            known.games.get(root).is_some_and(|game| is_running_tournament_game(&game))
        };
        if !is_of_running_tournament_game {
            return Ok(());
        }
        self.caller.require(Role::Arbiter)?;
        self.within(root)
    }

    /// Whether nothing of a game is secret.
    fn is_open(&self, game: LogId) -> Result<bool, Problem> {
        let may_hide = {
            let known = self.service.models().known();
            let known = known.games.get(game).ok_or_else(|| Problem::no_game(game))?;
            plybook_rules::kind(&known.kind).is_none_or(|rules| rules.about().secrets)
        };
        Ok(!may_hide || self.service.glance(game)?.is_open())
    }
}

/// Whether nobody but arbiters may learn what a game is worth.
fn is_running_tournament_game(game: &Summary) -> bool {
    game.tournament.is_some() && game.fork.is_none() && game.standing.status() == Status::Running
}

/// Why a game is not analysed.
const SECRET: &str = "this game has secrets: it can be analysed once it is over";

//! Who may have games analysed, and who may see what comes of it.

use plybook_events::LogId;
use plybook_rules::log::Status;

use super::desk::Desk;
use super::role::Role;
use crate::analysis::PLAYOUTS_DEFAULT;
use crate::error::Problem;
use crate::models::Summary;
use crate::service::{Analysis, AnalysisWatch};

impl Desk {
    /// Has a game or a line analysed, as [`Service::analyse`](crate::service::Service::analyse). For players and
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

    /// The analysis of a game, as far as the caller may see it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn analysis(&self, game: &Summary) -> Result<Option<Analysis>, Problem> {
        if self.require_may_analyse(game.id).is_err() || !self.is_open(game.id)? {
            return Ok(None);
        }
        self.service.analysis(game.id)
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
            let is_running = |game: &Summary| game.tournament.is_some() && game.standing.status() == Status::Running;
            known.games.get(root).is_some_and(|game| is_running(game))
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

/// Why a game is not analysed.
const SECRET: &str = "this game has secrets: it can be analysed once it is over";

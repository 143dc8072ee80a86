//! A tournament that is over and one that is being played.

use std::ops::ControlFlow;

use plybook_events::fair::Dice;
use plybook_events::{Hash, LogId};
use plybook_rules::log::{Command as GameCommand, Status};
use plybook_service::error::Problem;
use plybook_service::{Entry, LiveTournament, NewTournament};
use plybook_tournaments::log::Command;
use serde_json::{Map, Value, json};

use super::Tournament;

/// The seed ratings of the players, in their order.
const RATINGS: [u16; 8] = [1_980, 1_940, 1_870, 1_810, 1_790, 1_720, 1_650, 1_600];

/// After how many actions a game is drawn by agreement.
const ACTIONS_MAX: usize = 40;

/// How many actions the games have that are being played.
const ACTIONS_RUNNING: usize = 9;

/// The time between two rounds, in milliseconds: an hour and a half.
const BETWEEN_ROUNDS_MS: i64 = 90 * 60_000;

impl Tournament<'_> {
    /// Plays a Swiss tournament to its end, and a round robin up to its third round.
    pub(super) fn play_tournaments(&mut self) -> Result<(), Problem> {
        let swiss = self.announce("Plybook Open", "triangulate", json!({ "format": "swiss", "rounds": 3 }), 8)?;
        for round in 1..=3 {
            self.open_round(&swiss, round)?;
            self.play_round(&swiss, round, usize::MAX)?;
            self.command(&swiss, &Command::CloseRound(round))?;
        }
        self.command(&swiss, &Command::Finish)?;
        let club = self.announce("Club championship", "tri", json!({ "format": "round_robin" }), 6)?;
        for round in 1..=2 {
            self.open_round(&club, round)?;
            self.play_round(&club, round, usize::MAX)?;
            self.command(&club, &Command::CloseRound(round))?;
        }
        self.open_round(&club, 3)?;
        self.play_round(&club, 3, 1)
    }

    fn announce(
        &mut self,
        name: &str,
        kind: &str,
        format: Value,
        players: usize,
    ) -> Result<std::sync::Arc<LiveTournament>, Problem> {
        let members = |value: Value| value.as_object().cloned().unwrap_or_else(Map::new);
        let mut settings = plybook_events::body::TournamentSettings {
            name: name.to_owned(),
            kind: kind.to_owned(),
            format: members(format),
            scoring: members(json!({ "by": "result", "win": 10, "draw": 5, "loss": 0 })),
            tie_breaks: ["DE", "SB", "WON"].map(str::to_owned).to_vec(),
            place: Some("Hall B".to_owned()),
            ..Default::default()
        };
        settings.time_control = Some("30 minutes a player".to_owned());
        let live = self.service.create_tournament(NewTournament { settings, players: Vec::new() })?;
        let entry =
            |(player, rating): (&LogId, u16)| Entry { player: Some(*player), rating: Some(rating), ..Entry::default() };
        let entries = self.players.iter().zip(RATINGS).take(players).map(entry).collect();
        self.service.enter(&live, None, entries)?;
        Ok(live)
    }

    fn open_round(&mut self, live: &LiveTournament, round: u32) -> Result<(), Problem> {
        self.pass(BETWEEN_ROUNDS_MS / 3);
        let tournament = live.tournament();
        let computed = tournament.pairing_input().pair(&tournament.rules, &|_, _| ControlFlow::Continue(()));
        let paired = computed.map_err(Problem::internal)?.paired;
        self.command(live, &Command::Pair(paired))?;
        self.service.open_round(live, None, round)
    }

    /// Plays the games of a round: so many of them to their end, the others for a few actions.
    fn play_round(&mut self, live: &LiveTournament, round: u32, finished: usize) -> Result<(), Problem> {
        let tables = live.tournament().round(round).map_or_else(Vec::new, |round| round.tables.clone());
        for (index, game) in tables.iter().filter_map(plybook_tournaments::log::Table::game).enumerate() {
            let game = self.service.game(game)?;
            let seed = Hash::of_parts(&[b"plybook demo round", &round.to_be_bytes(), &(index as u64).to_be_bytes()]);
            let mut dice = Dice::new(&seed, LogId::from_bytes([1; 16]), 0);
            let is_finished = index < finished;
            let limit = if is_finished { ACTIONS_MAX } else { ACTIONS_RUNNING };
            while game.replay().status() == Status::Running && game.replay().mainline().len() < limit {
                self.pass(1_000 + i64::from(dice.below(5_000)));
                self.act(&game, &mut dice)?;
            }
            if is_finished && game.replay().status() == Status::Running {
                let end = match dice.below(3) {
                    0 => vec![GameCommand::OfferDraw(1), GameCommand::AnswerDraw { seat: 2, accept: true }],
                    loser => vec![GameCommand::Resign(loser as u8)],
                };
                self.service.command(&game, &end, None)?;
            }
        }
        Ok(())
    }

    fn command(&self, live: &LiveTournament, command: &Command) -> Result<(), Problem> {
        self.service.change_tournament(live, None, |_| Ok(vec![command.clone()]))
    }
}

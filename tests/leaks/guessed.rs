//! What stays hidden, ply by ply: a game that is read from a viewer's guesses answers that viewer as the truth does.

use std::collections::BTreeMap;

use plybook_rules::log::Command;
use plybook_rules::{Rules, Viewer};
use plybook_tests_rules::mutant::{LATE, Leak, Mutant};
use plybook_tests_rules::numbers::{self, Numbers};

use crate::pair::Pair;
use crate::reading::Reading;
use crate::shape::Shape;
use crate::side::{Asker, Side};
use crate::{Failure, is_asked, own, seen};

/// The most actions of a game.
const ACTIONS: usize = 40;

/// After how many actions everything is read.
const READ: usize = 10;

/// Who cannot tell a guess from the truth.
const VIEWERS: [(Viewer, Asker); 2] = [(Viewer::Public, Asker::Public), (Viewer::Seat(2), Asker::Seat(2))];

/// A game under two ids: read from the truth, and from the guesses of one of [`VIEWERS`].
pub(crate) struct Guessed {
    pub(crate) kinds: [&'static dyn Rules; 2],
    viewer: Viewer,
    asker: Asker,
}

impl Guessed {
    /// Of an honest game, for each viewer.
    pub(crate) fn of(rules: &'static dyn Rules) -> Vec<Self> {
        (0..).zip(VIEWERS).map(|(number, to)| Self::new(rules, Leak::Nowhere, number, to)).collect()
    }

    /// Of a game that leaks late, in each way.
    pub(crate) fn leaking(rules: &'static dyn Rules) -> Vec<Self> {
        let to = |leak| VIEWERS[usize::from(leak == Leak::Seat)];
        (10..).zip(LATE).map(|(number, leak)| Self::new(rules, leak, number, to(leak))).collect()
    }

    fn new(rules: &'static dyn Rules, leak: Leak, number: u8, (viewer, asker): (Viewer, Asker)) -> Self {
        let name = |sort: &str| -> &'static str { format!("{sort}{number}-{}", rules.about().kind).leak() };
        let truth = Mutant::late(rules, leak, name("truth"));
        Self { kinds: [truth, Mutant::guessed(rules, leak, name("guess"), viewer)], viewer, asker }
    }

    /// Plays both games alike and compares what the viewer gets after each action; returns at how many plies they differ.
    async fn compare(&self, reading: &Reading) -> Result<usize, Failure> {
        let mut numbers = Numbers::new("guessed", self.kinds[0].about().title, 0);
        let setup = numbers::drawn_setup(self.kinds[0], &mut numbers).ok_or("its setup is refused")?;
        let mut position = self.kinds[0].start(&setup).map_err(|why| why.to_string())?;
        let pair = Pair::alike(self.kinds, &setup, self.viewer);
        let sides = Side::both(&pair);
        let mut different = 0;
        for number in 1..=ACTIONS {
            let Some(actor) = numbers.actor(position.as_ref()) else { break };
            let action = numbers.action(position.as_ref(), actor);
            position.act(actor, &action).map_err(|why| why.to_string())?;
            // Once a game is over, nothing is hidden.
            if position.outcome().is_some() {
                break;
            }
            for side in &sides {
                let act = Command::Act { actor, action: action.clone(), clock_ms: None };
                side.service.command(&side.live, &[act], None).map_err(|why| format!("{action}: {why}"))?;
            }
            let [truth, guess] = sides.each_ref().map(|side| side.replay().position().key(Viewer::All));
            different += usize::from(truth != guess);
            let at = |why| format!("{} of {} after {number} actions: {why}", self.viewer, pair.kinds[0]);
            seen::compare(&pair, &sides).map_err(at)?;
            if number % READ == 0 {
                reading.compare_plain(&pair, &sides, self.asker).await.map_err(at)?;
            }
        }
        reading.compare(&pair, &sides, self.asker, 0).await?;
        Ok(different)
    }
}

#[actix_web::test]
async fn what_is_hidden_stays_hidden_at_every_ply() {
    // A kind that is read from guesses has other examples.
    let reading = Reading::new(&Shape::read().await).of_a_game();
    let mut different = BTreeMap::new();
    for guessed in own().guessed.iter().filter(|guessed| is_asked(guessed.kinds[0])) {
        let at = guessed.compare(&reading).await.unwrap_or_else(|why| panic!("{why}"));
        *different.entry(guessed.kinds[0].about().title).or_insert(0) += at;
    }
    assert!(
        !different.is_empty() && different.values().all(|at| *at > 0),
        "nothing was hidden, so nothing was compared: {different:?}"
    );
}

#[actix_web::test]
async fn a_game_that_leaks_after_two_rounds_is_found() {
    let reading = Reading::new(&Shape::read().await);
    for guessed in &own().late {
        let why = guessed.compare(&reading).await.err();
        assert!(why.is_some_and(|why| why.contains("tells them apart")), "{}", guessed.kinds[0].about().kind);
    }
}

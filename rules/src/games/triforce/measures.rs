//! The measures of Triforce.

use plybook_events::Actor;

use super::board::{Board, Phase};
use super::chances;
use super::combat::{Combat, Hand};
use super::notation::{Action, Roll};
use super::place::{PLACES, Place};
use crate::{Chance, Heat, Luck, Marks, Measure, Spread};

/// The counts of a game.
#[derive(Default)]
pub(crate) struct Counts {
    turns: i64,
    pinned_turns: i64,
    placements: i64,
    moves: i64,
    tallest: i64,
    combats: i64,
    attacker_combats: i64,
    attacker_losses: i64,
    shared_losses: i64,
    swords_won: BySeat,
    swords_lost: BySeat,
    shields_won: BySeat,
    shields_lost: BySeat,
    pieces_lost: BySeat,
    visits_at: Marks<PLACES>,
    combats_at: Marks<PLACES>,
    captures_at: Marks<PLACES>,
    rolls: [Luck; SEATS_MAX],
    luck_in_combat: [Luck; SEATS_MAX],
}

/// The most seats of a game.
const SEATS_MAX: usize = 6;

/// The counts of each seat.
#[derive(Default)]
struct BySeat([i64; SEATS_MAX]);

impl BySeat {
    fn add(&mut self, seat: u8) {
        self.0[usize::from(seat) - 1] += 1;
    }

    fn all(&self) -> i64 {
        self.0.iter().sum()
    }
}

pub(super) const MEASURES: &[Measure<Board>] = &[
    Measure::counted("turns", "Turns that were ended, passes included.", |of| of.turns),
    Measure::counted("pinnedTurns", "Turns of seats that could neither place nor move, and passed.", |of| {
        of.pinned_turns
    }),
    Measure::counted("placements", "Pieces placed from a stash.", |of| of.placements),
    Measure::counted("moves", "Pieces moved from stack to stack.", |of| of.moves),
    Measure::counted("tallest", "The tallest stack after a placement or a move, in pieces.", |of| of.tallest),
    Measure::counted("combats", "Combats fought: rolls of dice.", |of| of.combats),
    Measure::counted("attackerCombats", "Combats in which the seat on turn rolled.", |of| of.attacker_combats),
    Measure::counted("attackerLosses", "Combats in which the seat on turn was lowest.", |of| of.attacker_losses),
    Measure::counted("sharedLosses", "Combats that two seats or more lost together.", |of| of.shared_losses),
    Measure::counted("swordsWon", "Swords that seats exchanged a piece for.", |of| of.swords_won.all()),
    Measure::of_winner(
        "swordsWonWinner",
        "Swords that the winner exchanged for; none without a winner.",
        |game, winner| game.counts.swords_won.0[winner],
    ),
    Measure::counted("swordsLost", "Swords lost in combat by seats that fought with them.", |of| of.swords_lost.all()),
    Measure::of_winner(
        "swordsLostWinner",
        "Swords that the winner lost in combat; none without a winner.",
        |game, winner| game.counts.swords_lost.0[winner],
    ),
    Measure::counted("shieldsWon", "Shields that seats exchanged a piece for.", |of| of.shields_won.all()),
    Measure::of_winner(
        "shieldsWonWinner",
        "Shields that the winner exchanged for; none without a winner.",
        |game, winner| game.counts.shields_won.0[winner],
    ),
    Measure::counted("shieldsLost", "Shields lost in combat by seats that fought with them.", |of| {
        of.shields_lost.all()
    }),
    Measure::of_winner(
        "shieldsLostWinner",
        "Shields that the winner lost in combat; none without a winner.",
        |game, winner| game.counts.shields_lost.0[winner],
    ),
    Measure::counted("piecesLost", "Pieces of seats taken back to their stash after combat.", |of| {
        of.pieces_lost.all()
    }),
    Measure::of_winner(
        "piecesLostWinner",
        "Pieces that the winner lost in combat; none without a winner.",
        |game, winner| game.counts.pieces_lost.0[winner],
    ),
    Measure::of_winner(
        "territoriesWinner",
        "Stacks with a piece of the winner at the bottom at the end; none without a winner.",
        |game, winner| game.position.territories(winner as u8 + 1) as i64,
    ),
];

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Pieces placed on the territory or moved to it.", |counts| &counts.visits_at),
    Heat::new("combats", "Combats fought on the territory.", |counts| &counts.combats_at),
    Heat::new("captures", "Pieces of seats lost in combat on the territory.", |counts| &counts.captures_at),
];

pub(super) const LUCK: &[Chance<Counts>] = &[
    // Two d12 add up to at most 24. The variance of a d20 is below 36.
    Chance::new(
        "rolls",
        "Pips of the dice that the seat rolled in combat.",
        Spread { most: 24, variance: 36_000_000 },
        |counts| &counts.rolls,
    ),
    Chance::new("combats", "Combats in which the seat rolled and was not lowest.", Spread::EITHER, |counts| {
        &counts.luck_in_combat
    }),
];

/// In the order of the territories' numbers.
pub(super) const TERRITORIES: [&str; PLACES] =
    ["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4", "e1", "e2", "e3", "e4", "e5"];

pub(super) fn count(before: &Board, actor: Actor, action: &Action, after: &Board, counts: &mut Counts) {
    match (*action, actor, before.phase) {
        (Action::Place(_), ..) => {
            counts.placements += 1;
            arrive(before.pawn(before.turn), after, counts);
        }
        (Action::Move { to, .. }, ..) => {
            counts.moves += 1;
            arrive(to, after, counts);
        }
        (Action::Pass, ..) => counts.pinned_turns += 1,
        (Action::Sword(Some(_)), Actor::Seat(seat), _) => counts.swords_won.add(seat),
        (Action::Shield(Some(_)), Actor::Seat(seat), _) => counts.shields_won.add(seat),
        (Action::Roll(roll), _, Phase::Roll(combat)) => count_combat(before, combat, &roll, counts),
        _ => {}
    }
    let is_over = matches!(after.phase, Phase::Over(_));
    counts.turns += i64::from(is_over || before.turn != after.turn);
}

/// Counts a piece that was added to a stack.
fn arrive(at: Place, after: &Board, counts: &mut Counts) {
    counts.visits_at.add(at.index());
    counts.tallest = counts.tallest.max(after.stack(at).len() as i64);
}

fn count_combat(before: &Board, combat: Combat, roll: &Roll, counts: &mut Counts) {
    let stack = before.stack(combat.at);
    counts.combats += 1;
    counts.combats_at.add(combat.at.index());
    let (mut losers, mut lost) = (0, 0);
    for (seat, hand) in combat.losers(stack, roll) {
        losers += 1;
        lost |= 1 << seat;
        match hand {
            Hand::Sword => counts.swords_lost.add(seat),
            Hand::Shield => counts.shields_lost.add(seat),
            Hand::Plain => {
                counts.pieces_lost.add(seat);
                counts.captures_at.add(combat.at.index());
            }
        }
    }
    counts.shared_losses += i64::from(losers > 1);
    let wins = chances::of(combat.hands(stack).map(|(_, hand)| hand));
    for (seat, hand) in combat.hands(stack) {
        let (index, has_lost) = (usize::from(seat) - 1, lost >> seat & 1 == 1);
        counts.rolls[index].add(pips(hand), i64::from(roll.total(seat)));
        counts.luck_in_combat[index].add(wins[hand as usize], i64::from(!has_lost));
        if seat == before.turn {
            counts.attacker_combats += 1;
            counts.attacker_losses += i64::from(has_lost);
        }
    }
}

/// The mean of the dice, in millionths of a pip.
fn pips(hand: Hand) -> i64 {
    match hand {
        Hand::Plain => 6_500_000,
        Hand::Sword => 13_000_000,
        Hand::Shield => 10_500_000,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Triforce;
    use super::super::setup::Setup;
    use super::super::stack::{Owner, Piece};
    use super::super::tests::{board, combat};
    use super::*;
    use crate::counted::CountedGame;

    fn game(board: Board) -> CountedGame<Triforce> {
        CountedGame::<Triforce>::new(board)
    }

    #[test]
    fn turns_without_combat() {
        let mut game = game(Board::start(&Setup::read(&json!({})).expect("the default")));
        game.play("+L +M end +S +L e5-d4");
        assert_eq!(game.values(&[2]), "turns 2, placements 4, moves 1, tallest 2, territoriesWinner 2");
        assert_eq!(game.heat("visits"), "a1 2, d4 1, e5 2");
        let unwon = "turns 2, placements 4, moves 1, tallest 2, swordsWonWinner none, swordsLostWinner none, \
                     shieldsWonWinner none, shieldsLostWinner none, piecesLostWinner none, territoriesWinner none";
        assert_eq!(game.values(&[]), unwon);
    }

    #[test]
    fn a_pinned_seat_passes() {
        let mut pinned = board(&[]);
        pinned.stash[0] = [0; 3];
        let mut game = game(pinned);
        game.play("pass");
        assert_eq!(game.values(&[1]), "turns 1, pinnedTurns 1");
    }

    #[test]
    fn sword_against_shield() {
        let mut game = game(combat("2L 1M 2S 1L"));
        game.play("sword:2 shield:1 roll:1=3+4,2=5");
        let fought = "turns 1, combats 1, attackerCombats 1, swordsWon 1";
        assert_eq!(
            game.values(&[2]),
            format!("{fought}, shieldsWon 1, shieldsWonWinner 1, shieldsLost 1, shieldsLostWinner 1")
        );
        assert_eq!(game.values(&[1]), format!("{fought}, swordsWonWinner 1, shieldsWon 1, shieldsLost 1"));
        // The shield wins 1028 of the 2880 rolls.
        assert_eq!(game.luck("combats")[..2], [(1, 643_056, 1), (1, 356_944, 0)]);
        assert_eq!(game.luck("rolls"), [(1, 13_000_000, 7), (1, 10_500_000, 5), (0, 0, 0), (0, 0, 0)]);
        assert_eq!((game.heat("combats"), game.heat("captures")), ("c2 1".to_owned(), String::new()));
        // The other way round: seat 1 loses its sword, and is on turn.
        let mut game = self::game(combat("2L 1M 2S 1L"));
        game.play("sword:2 shield:1 roll:1=1+1,2=5");
        assert_eq!(
            game.values(&[1]),
            "turns 1, combats 1, attackerCombats 1, attackerLosses 1, swordsWon 1, swordsWonWinner 1, swordsLost 1, \
             swordsLostWinner 1, shieldsWon 1"
        );
    }

    #[test]
    fn plain_dice_lose_pieces() {
        let mut game = game(combat("2L 3M 2S 1L"));
        game.play("noshield roll:1=7,2=3,3=4");
        assert_eq!(
            game.values(&[2]),
            "turns 1, combats 1, attackerCombats 1, piecesLost 1, piecesLostWinner 1",
            "the stack stands on seat 3's piece now"
        );
        assert_eq!(game.values(&[3]), "turns 1, combats 1, attackerCombats 1, piecesLost 1, territoriesWinner 1");
        // One die is below two others, or level with the lowest, in 650 of 1728 rolls.
        assert_eq!(game.luck("combats"), [(1, 623_843, 1), (1, 623_843, 0), (1, 623_843, 1), (0, 0, 0)]);
        let mut game = self::game(combat("2L 3M 2S 4L"));
        game.play("noshield roll:2=3,3=3,4=9");
        assert_eq!(game.values(&[1]), "turns 1, combats 1, sharedLosses 1, piecesLost 2");
        assert_eq!(game.heat("captures"), "c2 2");
    }

    #[test]
    fn pieces_swords_and_shields_add_up() {
        for seed in 0..12 {
            let setup = Setup::read(&json!({"players": 3 + seed % 4})).expect("a setup");
            let mut game = game(Board::start(&setup));
            game.play_at_random(seed, 300);
            game.values(&[]);
            let pieces = game.position.stacks.iter().flat_map(|stack| stack.pieces());
            let owners: Vec<Owner> = pieces.map(Piece::owner).collect();
            let on_board = |which: fn(&Owner) -> bool| owners.iter().filter(|owner| which(owner)).count() as i64;
            let (swords, shields) =
                (on_board(|owner| *owner == Owner::Sword), on_board(|owner| *owner == Owner::Shield));
            let pieces = on_board(|owner| matches!(owner, Owner::Seat(_)));
            assert_eq!(swords, game.value("swordsWon") - game.value("swordsLost"));
            assert_eq!(shields, game.value("shieldsWon") - game.value("shieldsLost"));
            let gone = game.value("piecesLost") + game.value("swordsWon") + game.value("shieldsWon");
            assert_eq!(pieces, game.value("placements") - gone);
            assert_eq!(game.heat_sum("visits"), game.value("placements") + game.value("moves"));
            assert_eq!(
                (game.heat_sum("combats"), game.heat_sum("captures")),
                (game.value("combats"), game.value("piecesLost"))
            );
            assert!(game.value("combats") > 0, "there is something to add up");
        }
    }
}

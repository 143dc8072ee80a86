//! What is measured of a game of Triforce.

use plybook_events::Actor;

use super::board::{Board, Phase};
use super::chances;
use super::combat::{Combat, Hand};
use super::notation::{Action, Roll};
use super::place::{PLACES, Place};
use crate::tally::{index, names};
use crate::{Measure, Tally};

pub(super) const MEASURES: &[Measure] = &[
    Measure { name: "turns", description: "Turns that were ended, passes included." },
    Measure { name: "pinnedTurns", description: "Turns of seats that could neither place nor move, and passed." },
    Measure { name: "placements", description: "Pieces placed from a stash." },
    Measure { name: "moves", description: "Pieces moved from stack to stack." },
    Measure { name: "tallest", description: "The tallest stack after a placement or a move, in pieces." },
    Measure { name: "combats", description: "Combats fought: rolls of dice." },
    Measure { name: "attackerCombats", description: "Combats in which the seat on turn rolled." },
    Measure { name: "attackerLosses", description: "Combats in which the seat on turn was lowest." },
    Measure { name: "sharedLosses", description: "Combats that two seats or more lost together." },
    Measure { name: "swordsWon", description: "Swords that seats exchanged a piece for." },
    Measure { name: "swordsWonWinner", description: "Swords that the winner exchanged for; none without a winner." },
    Measure { name: "swordsLost", description: "Swords lost in combat by who fought with them." },
    Measure { name: "swordsLostWinner", description: "Swords that the winner lost in combat; none without a winner." },
    Measure { name: "shieldsWon", description: "Shields that seats exchanged a piece for." },
    Measure { name: "shieldsWonWinner", description: "Shields that the winner exchanged for; none without a winner." },
    Measure { name: "shieldsLost", description: "Shields lost in combat by who fought with them." },
    Measure {
        name: "shieldsLostWinner",
        description: "Shields that the winner lost in combat; none without a winner.",
    },
    Measure { name: "piecesLost", description: "Pieces of seats taken back to their stash after combat." },
    Measure { name: "piecesLostWinner", description: "Pieces that the winner lost in combat; none without a winner." },
    Measure {
        name: "territoriesWinner",
        description: "Stacks with a piece of the winner at the bottom at the end; none without a winner.",
    },
];

pub(super) const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Pieces placed on the territory or moved to it." },
    Measure { name: "combats", description: "Combats fought on the territory." },
    Measure { name: "captures", description: "Pieces of seats lost in combat on the territory." },
];

pub(super) const LUCK: &[Measure] = &[
    Measure { name: "rolls", description: "Pips of the dice that the seat rolled in combat." },
    Measure { name: "combats", description: "Combats in which the seat rolled and was not lowest." },
];

/// In the order of the territories' numbers.
pub(super) const TERRITORIES: [&str; PLACES] = names(&NAMES);

const NAMES: [[u8; 2]; PLACES] = {
    let mut names = [[0; 2]; PLACES];
    let (mut place, mut row) = (0, 0);
    while row < 5 {
        let mut column = 0;
        while column <= row {
            names[place] = [b'a' + row, b'1' + column];
            place += 1;
            column += 1;
        }
        row += 1;
    }
    names
};

const TURNS: usize = index(MEASURES, "turns");
const PINNED_TURNS: usize = index(MEASURES, "pinnedTurns");
const PLACEMENTS: usize = index(MEASURES, "placements");
const MOVES: usize = index(MEASURES, "moves");
const TALLEST: usize = index(MEASURES, "tallest");
const COMBATS: usize = index(MEASURES, "combats");
const ATTACKER_COMBATS: usize = index(MEASURES, "attackerCombats");
const ATTACKER_LOSSES: usize = index(MEASURES, "attackerLosses");
const SHARED_LOSSES: usize = index(MEASURES, "sharedLosses");
const TERRITORIES_WINNER: usize = index(MEASURES, "territoriesWinner");

const HEAT_VISITS: usize = index(HEAT, "visits");
const HEAT_COMBATS: usize = index(HEAT, "combats");
const HEAT_CAPTURES: usize = index(HEAT, "captures");

const LUCK_ROLLS: usize = index(LUCK, "rolls");
const LUCK_COMBATS: usize = index(LUCK, "combats");

/// What is counted for all seats, and for the winner beside.
struct BySeat {
    all: usize,
    winner: usize,
    /// Where the counts of the seats are kept in mind.
    notes: usize,
}

const SWORDS_WON: BySeat = by_seat("swordsWon", "swordsWonWinner", 0);
const SWORDS_LOST: BySeat = by_seat("swordsLost", "swordsLostWinner", 1);
const SHIELDS_WON: BySeat = by_seat("shieldsWon", "shieldsWonWinner", 2);
const SHIELDS_LOST: BySeat = by_seat("shieldsLost", "shieldsLostWinner", 3);
const PIECES_LOST: BySeat = by_seat("piecesLost", "piecesLostWinner", 4);

const fn by_seat(all: &str, winner: &str, number: usize) -> BySeat {
    BySeat { all: index(MEASURES, all), winner: index(MEASURES, winner), notes: 6 * number }
}

impl BySeat {
    fn add(&self, seat: u8, tally: &mut Tally) {
        tally.add(self.all, 1);
        *tally.note_mut(self.notes + usize::from(seat) - 1) += 1;
    }

    fn tell(&self, winner: Option<u8>, tally: &mut Tally) {
        tally.set(self.winner, winner.map(|seat| tally.note(self.notes + usize::from(seat) - 1)));
    }
}

pub(super) fn count(before: &Board, actor: Actor, action: &Action, after: &Board, tally: &mut Tally) {
    match (*action, actor, before.phase) {
        (Action::Place(_), ..) => {
            tally.add(PLACEMENTS, 1);
            arrive(before.pawn(before.turn), after, tally);
        }
        (Action::Move { to, .. }, ..) => {
            tally.add(MOVES, 1);
            arrive(to, after, tally);
        }
        (Action::Pass, ..) => tally.add(PINNED_TURNS, 1),
        (Action::Sword(Some(_)), Actor::Seat(seat), _) => SWORDS_WON.add(seat, tally),
        (Action::Shield(Some(_)), Actor::Seat(seat), _) => SHIELDS_WON.add(seat, tally),
        (Action::Roll(roll), _, Phase::Roll(combat)) => count_combat(before, combat, &roll, tally),
        _ => {}
    }
    let is_over = matches!(after.phase, Phase::Over(_));
    tally.add(TURNS, i64::from(is_over || before.turn != after.turn));
}

/// A piece has come to a stack.
fn arrive(at: Place, after: &Board, tally: &mut Tally) {
    tally.mark(HEAT_VISITS, at.index());
    tally.raise(TALLEST, after.stack(at).len() as i64);
}

fn count_combat(before: &Board, combat: Combat, roll: &Roll, tally: &mut Tally) {
    let stack = before.stack(combat.at);
    tally.add(COMBATS, 1);
    tally.mark(HEAT_COMBATS, combat.at.index());
    let (mut losers, mut lost) = (0, 0);
    for (seat, hand) in combat.losers(stack, roll) {
        losers += 1;
        lost |= 1 << seat;
        match hand {
            Hand::Sword => SWORDS_LOST.add(seat, tally),
            Hand::Shield => SHIELDS_LOST.add(seat, tally),
            Hand::Plain => {
                PIECES_LOST.add(seat, tally);
                tally.mark(HEAT_CAPTURES, combat.at.index());
            }
        }
    }
    tally.add(SHARED_LOSSES, i64::from(losers > 1));
    let wins = chances::of(combat.hands(stack).map(|(_, hand)| hand));
    for (seat, hand) in combat.hands(stack) {
        let has_lost = lost >> seat & 1 == 1;
        tally.chance(LUCK_ROLLS, seat, pips(hand), i64::from(roll.total(seat)));
        tally.chance(LUCK_COMBATS, seat, wins[hand as usize], i64::from(!has_lost));
        if seat == before.turn {
            tally.add(ATTACKER_COMBATS, 1);
            tally.add(ATTACKER_LOSSES, i64::from(has_lost));
        }
    }
}

/// What dice show on average, in millionths of a pip.
fn pips(hand: Hand) -> i64 {
    match hand {
        Hand::Plain => 6_500_000,
        Hand::Sword => 13_000_000,
        Hand::Shield => 10_500_000,
    }
}

pub(super) fn standing(board: &Board, winners: &[u8], tally: &mut Tally) {
    let winner = if let [seat] = winners { Some(*seat) } else { None };
    for counted in [SWORDS_WON, SWORDS_LOST, SHIELDS_WON, SHIELDS_LOST, PIECES_LOST] {
        counted.tell(winner, tally);
    }
    tally.set(TERRITORIES_WINNER, winner.map(|seat| board.territories(seat) as i64));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::setup::Setup;
    use super::super::stack::{Owner, Piece};
    use super::super::tests::{board, combat};
    use super::*;
    use crate::counted::Counted;

    fn game(board: Board) -> Counted<Board> {
        Counted::new("triforce", board)
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
        // The shield is higher in 1028 of the 2880 rolls.
        assert_eq!(game.luck("combats")[..2], [(1, 643_056, 1), (1, 356_944, 0)]);
        assert_eq!(game.luck("rolls"), [(1, 13_000_000, 7), (1, 10_500_000, 5), (0, 0, 0), (0, 0, 0)]);
        assert_eq!((game.heat("combats"), game.heat("captures")), ("c2 1".to_owned(), String::new()));
        // The other way round, seat 1 loses its sword, and is the seat on turn.
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
        // A die is below two others, or level with the lowest, in 650 of 1728 rolls.
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

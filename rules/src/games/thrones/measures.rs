//! What is measured of a game of Thrones.

use super::notation::{Action, How, Step};
use super::options::Variant;
use super::piece::Kind;
use super::position::{Campaign, Phase};
use super::square::{SQUARES, Square, before as square_before, squares};
use crate::tally::{index, names};
use crate::{Measure, Tally};

/// The last three tens are by kind of piece, in the order of [`Kind::ALL`].
pub(super) const MEASURES: &[Measure] = &[
    Measure { name: "turns", description: "Turns begun, of both seats." },
    Measure { name: "moves", description: "Moves of pieces, those of favours included." },
    Measure { name: "switches", description: "Switches of pieces, those of assaults included." },
    Measure { name: "felled", description: "Forests that rangers turned into plains." },
    Measure { name: "attacks", description: "Attacks, those that led to a battle included." },
    Measure { name: "shots", description: "Shots, those that led to a battle included." },
    Measure { name: "battles", description: "Battles fought for fortresses." },
    Measure { name: "battlesWon", description: "Battles that who attacked or fired has won." },
    Measure { name: "displaced", description: "Losers of battles that the enemy sent to another square." },
    Measure { name: "captures", description: "Pieces taken off the board, of both seats." },
    Measure { name: "capturesWinner", description: "Pieces that the winner took; none without a winner." },
    Measure { name: "favorsGained", description: "Favours that seats chose or were given." },
    Measure { name: "favorsUsed", description: "Favours used, an assault with both its halves once." },
    Measure { name: "favorsUsedWinner", description: "Favours that the winner used; none without a winner." },
    Measure {
        name: "piecesWinner",
        description: "Pieces of the winner on the board at the end; none without a winner.",
    },
    Measure { name: "piecesLoser", description: "Pieces of the loser on the board at the end; none without a winner." },
    Measure {
        name: "pointsWinner",
        description: "Victory points of the winner; none without a winner or the variant.",
    },
    Measure { name: "pointsLoser", description: "Victory points of the loser; none without a winner or the variant." },
    Measure { name: "spawned", description: "Removed pieces that returned; none without the variant homefront." },
    Measure {
        name: "aliveTrebuchet",
        description: "Trebuchets on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveCatapult",
        description: "Catapults on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveDragon",
        description: "Dragons on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveElephant",
        description: "Elephants on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveLancer",
        description: "Lancers on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveRangers",
        description: "Rangers on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveSpearmen",
        description: "Spearmen on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveThrone",
        description: "Thrones on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveWarhorse",
        description: "Warhorses on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "aliveCrossbowmen",
        description: "Crossbowmen on the board at the end, of both seats; none where none took part.",
    },
    Measure {
        name: "killsTrebuchet",
        description: "Pieces that trebuchets took, of both seats; none where none took part.",
    },
    Measure {
        name: "killsCatapult",
        description: "Pieces that catapults took, of both seats; none where none took part.",
    },
    Measure { name: "killsDragon", description: "Pieces that dragons took, of both seats; none where none took part." },
    Measure {
        name: "killsElephant",
        description: "Pieces that elephants took, of both seats; none where none took part.",
    },
    Measure { name: "killsLancer", description: "Pieces that lancers took, of both seats; none where none took part." },
    Measure {
        name: "killsRangers",
        description: "Pieces that rangers took, of both seats; none where none took part.",
    },
    Measure {
        name: "killsSpearmen",
        description: "Pieces that spearmen took, of both seats; none where none took part.",
    },
    Measure { name: "killsThrone", description: "Pieces that thrones took, of both seats; none where none took part." },
    Measure {
        name: "killsWarhorse",
        description: "Pieces that warhorses took, of both seats; none where none took part.",
    },
    Measure {
        name: "killsCrossbowmen",
        description: "Pieces that crossbowmen took, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesTrebuchet",
        description: "Trebuchets taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesCatapult",
        description: "Catapults taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesDragon",
        description: "Dragons taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesElephant",
        description: "Elephants taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesLancer",
        description: "Lancers taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesRangers",
        description: "Rangers taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesSpearmen",
        description: "Spearmen taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesThrone",
        description: "Thrones taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesWarhorse",
        description: "Warhorses taken off the board, of both seats; none where none took part.",
    },
    Measure {
        name: "lossesCrossbowmen",
        description: "Crossbowmen taken off the board, of both seats; none where none took part.",
    },
];

pub(super) const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Pieces that came to the square, after the set-up." },
    Measure { name: "captures", description: "Pieces taken off the square." },
    Measure { name: "battles", description: "Battles fought for the fortress on the square." },
    Measure { name: "thrones", description: "Thrones that started on the square." },
];

pub(super) const LUCK: &[Measure] = &[Measure {
    name: "battles",
    description: "Battles that fell the seat's way, as who attacked or fired or as who stood in the fortress.",
}];

/// In the order of the squares' numbers: column by column.
pub(super) const PLACES: [&str; SQUARES] = names(&NAMES);

const NAMES: [[u8; 2]; SQUARES] = {
    let mut names = [[0; 2]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        names[square] = [b'a' + super::square::column(square as Square), b'1' + super::square::row(square as Square)];
        square += 1;
    }
    names
};

const TURNS: usize = index(MEASURES, "turns");
const MOVES: usize = index(MEASURES, "moves");
const SWITCHES: usize = index(MEASURES, "switches");
const FELLED: usize = index(MEASURES, "felled");
const ATTACKS: usize = index(MEASURES, "attacks");
const SHOTS: usize = index(MEASURES, "shots");
const BATTLES: usize = index(MEASURES, "battles");
const BATTLES_WON: usize = index(MEASURES, "battlesWon");
const DISPLACED: usize = index(MEASURES, "displaced");
const CAPTURES: usize = index(MEASURES, "captures");
const CAPTURES_WINNER: usize = index(MEASURES, "capturesWinner");
const FAVORS_GAINED: usize = index(MEASURES, "favorsGained");
const FAVORS_USED: usize = index(MEASURES, "favorsUsed");
const FAVORS_USED_WINNER: usize = index(MEASURES, "favorsUsedWinner");
const PIECES_WINNER: usize = index(MEASURES, "piecesWinner");
const PIECES_LOSER: usize = index(MEASURES, "piecesLoser");
const POINTS_WINNER: usize = index(MEASURES, "pointsWinner");
const POINTS_LOSER: usize = index(MEASURES, "pointsLoser");
const SPAWNED: usize = index(MEASURES, "spawned");
const ALIVE: usize = index(MEASURES, "aliveTrebuchet");
const KILLS: usize = index(MEASURES, "killsTrebuchet");
const LOSSES: usize = index(MEASURES, "lossesTrebuchet");

const HEAT_VISITS: usize = index(HEAT, "visits");
const HEAT_CAPTURES: usize = index(HEAT, "captures");
const HEAT_BATTLES: usize = index(HEAT, "battles");
const HEAT_THRONES: usize = index(HEAT, "thrones");

const LUCK_BATTLES: usize = index(LUCK, "battles");

/// What a battle promises, in millionths of a battle: it is even or odd.
const HALF: i64 = 500_000;

/// Kept in mind by seat: the pieces it took.
const CAPTURED_BY: usize = 0;
/// Kept in mind by seat: the favours it used.
const USED_BY: usize = 2;

pub(super) fn count(before: &Campaign, action: &Action, after: &Campaign, tally: &mut Tally) {
    match *action {
        Action::Step(step) => count_step(before, step, after, tally),
        Action::Battle { won } => count_battle(before, won, tally),
        Action::Displace(to) => {
            tally.add(DISPLACED, 1);
            visit(to, tally);
        }
        Action::Spawn(_, square) => {
            tally.add(SPAWNED, 1);
            visit(square, tally);
        }
        Action::SetUp(_) if after.phase != Phase::SetUp => {
            for seat in 0..2 {
                tally.mark(HEAT_THRONES, usize::from(after.field.throne(seat)));
            }
        }
        _ => {}
    }
    for seat in 0..2 {
        let (had, has) = (before.hands[seat], after.hands[seat]);
        let used = had.held.iter().filter(|favor| !has.held.has(*favor)).count() as i64;
        tally.add(FAVORS_GAINED, has.had.len() as i64 - had.had.len() as i64);
        tally.add(FAVORS_USED, used);
        *tally.note_mut(USED_BY + seat) += used;
    }
}

/// A piece has come to a square.
fn visit(square: Square, tally: &mut Tally) {
    tally.mark(HEAT_VISITS, usize::from(square));
}

fn count_step(before: &Campaign, step: Step, after: &Campaign, tally: &mut Tally) {
    tally.add(FELLED, i64::from(step.fell));
    match step.how {
        How::Move | How::Hasten | How::AssaultMove => {
            tally.add(MOVES, 1);
            visit(step.to, tally);
        }
        How::Switch | How::AssaultSwitch | How::Deceive => {
            tally.add(SWITCHES, i64::from(step.how != How::Deceive));
            visit(step.from, tally);
            visit(step.to, tally);
        }
        How::Attack | How::Fire => {
            let fires = step.how == How::Fire;
            tally.add(if fires { SHOTS } else { ATTACKS }, 1);
            if matches!(after.phase, Phase::Battle { .. }) {
                return;
            }
            if !fires {
                visit(step.to, tally);
            }
            let kinds = (before.field.cell(step.from).kind(), before.field.cell(step.to).kind());
            if let (Some(killer), Some(lost)) = kinds {
                tally.add(CAPTURES, 1);
                tally.add(KILLS + killer as usize, 1);
                tally.add(LOSSES + lost as usize, 1);
                tally.mark(HEAT_CAPTURES, usize::from(step.to));
                *tally.note_mut(CAPTURED_BY + before.seat()) += 1;
            }
        }
    }
}

fn count_battle(before: &Campaign, won: bool, tally: &mut Tally) {
    let Phase::Battle { by, target, fires } = before.phase else { return };
    tally.add(BATTLES, 1);
    tally.add(BATTLES_WON, i64::from(won));
    tally.mark(HEAT_BATTLES, usize::from(target));
    tally.chance(LUCK_BATTLES, before.seat() as u8 + 1, HALF, i64::from(won));
    let inside = before.field.cell(target);
    if inside.kind().is_some() {
        tally.chance(LUCK_BATTLES, inside.seat() as u8 + 1, HALF, i64::from(!won));
    }
    // A dragon lands before the walls.
    let lands = won && !fires && before.field.cell(by).is(Kind::Dragon);
    if let Some(square) = square_before(by, target).filter(|square| lands && *square != by) {
        visit(square, tally);
    }
}

pub(super) fn standing(game: &Campaign, winners: &[u8], tally: &mut Tally) {
    let winner = if let [seat] = winners { Some(usize::from(*seat) - 1) } else { None };
    let field = &game.field;
    let pieces = |seat: usize| i64::from(field.own(seat).count_ones());
    let points = winner.filter(|_| field.plays(Variant::VictoryPoints));
    tally.set(TURNS, Some(if game.phase == Phase::SetUp { 0 } else { i64::from(game.turn) }));
    tally.set(CAPTURES_WINNER, winner.map(|seat| tally.note(CAPTURED_BY + seat)));
    tally.set(FAVORS_USED_WINNER, winner.map(|seat| tally.note(USED_BY + seat)));
    tally.set(PIECES_WINNER, winner.map(pieces));
    tally.set(PIECES_LOSER, winner.map(|seat| pieces(1 - seat)));
    tally.set(POINTS_WINNER, points.map(|seat| i64::from(game.points[seat])));
    tally.set(POINTS_LOSER, points.map(|seat| i64::from(game.points[1 - seat])));
    tally.only_if(field.plays(Variant::Homefront), SPAWNED);
    let mut alive = [0; 10];
    for square in squares(field.occupied()) {
        if let Some(kind) = field.cell(square).kind() {
            alive[kind as usize] += 1;
        }
    }
    for (kind, alive) in alive.into_iter().enumerate() {
        let took_part = alive > 0 || field.removed.iter().any(|removed| removed[kind] > 0);
        tally.set(ALIVE + kind, Some(alive));
        for measure in [ALIVE, KILLS, LOSSES] {
            tally.only_if(took_part, measure + kind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_by_kind_are_in_the_order_of_kinds() {
        for (start, word) in [(ALIVE, "alive"), (KILLS, "kills"), (LOSSES, "losses")] {
            for kind in Kind::ALL {
                let (first, rest) = kind.name().split_at(1);
                let name = format!("{word}{}{rest}", first.to_uppercase());
                assert_eq!(MEASURES[start + kind as usize].name, name);
            }
        }
    }
}

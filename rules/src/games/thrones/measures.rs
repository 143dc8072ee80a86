//! The measures of Thrones.

use super::notation::{Action, How, Step};
use super::options::Variant;
use super::piece::Kind;
use super::position::{Campaign, Phase};
use super::square::SQUARES;
use crate::measure::{Tally, Value, joined, texts};
use crate::{Chance, Heat, Label, Luck, Marks, Measure, Spread};

/// The number of kinds of pieces.
const KINDS: usize = Kind::ALL.len();

/// The counts of a game.
#[derive(Default)]
pub(crate) struct Counts {
    moves: i64,
    switches: i64,
    felled: i64,
    attacks: i64,
    shots: i64,
    battles: i64,
    battles_won: i64,
    displaced: i64,
    /// By the seat that took the pieces.
    captures: [i64; 2],
    favors_gained: i64,
    /// By seat.
    favors_used: [i64; 2],
    spawned: i64,
    /// By the kind of the piece that took another.
    kills: [i64; KINDS],
    /// By the kind of the piece that was taken.
    losses: [i64; KINDS],
    visits_at: Marks<SQUARES>,
    captures_at: Marks<SQUARES>,
    battles_at: Marks<SQUARES>,
    thrones_at: Marks<SQUARES>,
    luck_in_battle: [Luck; 2],
}

/// The measures of the whole game, then three groups of ten by kind of piece, in the order of [`Kind::ALL`].
pub(super) const MEASURES: [Measure<Campaign>; OF_GAME.len() + 3 * KINDS] = {
    let mut measures = [OF_GAME[0]; OF_GAME.len() + 3 * KINDS];
    let mut at = 0;
    while at < measures.len() {
        measures[at] = if at < OF_GAME.len() { OF_GAME[at] } else { by_kind(at - OF_GAME.len()) };
        at += 1;
    }
    measures
};

const OF_GAME: &[Measure<Campaign>] = &[
    Measure::always("turns", "Turns begun, of both seats.", |game| {
        if matches!(game.position.phase, Phase::SetUp | Phase::Fortresses) { 0 } else { i64::from(game.position.turn) }
    }),
    Measure::counted("moves", "Moves of pieces, including those of favours.", |of| of.moves),
    Measure::counted("switches", "Switches of pieces, including those of assaults.", |of| of.switches),
    Measure::counted("felled", "Forests that rangers turned into plains.", |of| of.felled),
    Measure::counted("attacks", "Attacks, including those that led to a battle.", |of| of.attacks),
    Measure::counted("shots", "Shots, including those that led to a battle.", |of| of.shots),
    Measure::counted("battles", "Battles fought for fortresses.", |of| of.battles),
    Measure::counted("battlesWon", "Battles won by the seat that attacked or fired.", |of| of.battles_won),
    Measure::counted("displaced", "Losers of battles that the enemy sent to another square.", |of| of.displaced),
    Measure::counted("captures", "Pieces removed from the board, of both seats.", |of| of.captures.iter().sum()),
    Measure::of_winner("capturesWinner", "Pieces that the winner captured; none without a winner.", |game, winner| {
        game.counts.captures[winner]
    }),
    Measure::counted("favorsGained", "Favours that seats chose or were given.", |of| of.favors_gained),
    Measure::counted("favorsUsed", "Favours used; an assault with both halves counts once.", |of| {
        of.favors_used.iter().sum()
    }),
    Measure::of_winner("favorsUsedWinner", "Favours that the winner used; none without a winner.", |game, winner| {
        game.counts.favors_used[winner]
    }),
    Measure::of_winner(
        "piecesWinner",
        "Pieces of the winner on the board at the end; none without a winner.",
        |game, winner| pieces(game.position, winner),
    ),
    Measure::of_winner(
        "piecesLoser",
        "Pieces of the loser on the board at the end; none without a winner.",
        |game, winner| pieces(game.position, 1 - winner),
    ),
    Measure::sometimes("pointsWinner", "Victory points of the winner; none without a winner or the variant.", |game| {
        points(game, game.winner()?)
    }),
    Measure::sometimes("pointsLoser", "Victory points of the loser; none without a winner or the variant.", |game| {
        points(game, 1 - game.winner()?)
    }),
    Measure::sometimes("spawned", "Removed pieces that returned; none without the variant homefront.", |game| {
        game.position.board.plays(Variant::Homefront).then_some(game.counts.spawned)
    }),
];

/// The kinds of pieces: singular, plural, and plural within a sentence.
const WORDS: [[&str; 3]; KINDS] = [
    ["Trebuchet", "Trebuchets", "trebuchets"],
    ["Catapult", "Catapults", "catapults"],
    ["Dragon", "Dragons", "dragons"],
    ["Elephant", "Elephants", "elephants"],
    ["Lancer", "Lancers", "lancers"],
    ["Rangers", "Rangers", "rangers"],
    ["Spearmen", "Spearmen", "spearmen"],
    ["Throne", "Thrones", "thrones"],
    ["Warhorse", "Warhorses", "warhorses"],
    ["Crossbowmen", "Crossbowmen", "crossbowmen"],
];

/// The measures by kind of piece: how many are alive, killed, and were lost.
const fn by_kind(row: usize) -> Measure<Campaign> {
    let value: fn(&Tally<'_, Campaign>, usize) -> Option<i64> = match row / KINDS {
        0 => |game, kind| took_part(game.position, kind).then(|| alive(game.position, kind)),
        1 => |game, kind| took_part(game.position, kind).then(|| game.counts.kills[kind]),
        _ => |game, kind| took_part(game.position, kind).then(|| game.counts.losses[kind]),
    };
    let label = Label { name: NAMES[row], description: SENTENCES[row] };
    Measure { label, value: Value::Each(value, row % KINDS) }
}

const NAMES: [&str; 3 * KINDS] = texts(&NAME_BYTES);
const SENTENCES: [&str; 3 * KINDS] = texts(&SENTENCE_BYTES);

const NAME_BYTES: [[u8; 20]; 3 * KINDS] = {
    let mut names = [[0; 20]; 3 * KINDS];
    let mut row = 0;
    while row < names.len() {
        names[row] = joined(&[["alive", "kills", "losses"][row / KINDS], WORDS[row % KINDS][0]]);
        row += 1;
    }
    names
};

const SENTENCE_BYTES: [[u8; 90]; 3 * KINDS] = {
    let mut sentences = [[0; 90]; 3 * KINDS];
    let mut row = 0;
    while row < sentences.len() {
        let [_, several, within] = WORDS[row % KINDS];
        sentences[row] = joined(&match row / KINDS {
            0 => ["", several, " on the board at the end", OF_BOTH],
            1 => ["Pieces that ", within, " took", OF_BOTH],
            _ => ["", several, " taken off the board", OF_BOTH],
        });
        row += 1;
    }
    sentences
};

const OF_BOTH: &str = ", of both seats; none if none took part.";

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Pieces that came to the square, after the set-up.", |counts| &counts.visits_at),
    Heat::new("captures", "Pieces taken off the square.", |counts| &counts.captures_at),
    Heat::new("battles", "Battles fought for the fortress on the square.", |counts| &counts.battles_at),
    Heat::new("thrones", "Thrones that started on the square.", |counts| &counts.thrones_at),
];

pub(super) const LUCK: &[Chance<Counts>] = &[Chance::new(
    "battles",
    "Battles that the seat won, attacking or firing, or standing in the fortress.",
    Spread::EITHER,
    |counts| &counts.luck_in_battle,
)];

/// The chance of winning a battle, in millionths: the roll is even or odd.
const HALF: i64 = 500_000;

pub(super) fn count(before: &Campaign, action: &Action, after: &Campaign, counts: &mut Counts) {
    match *action {
        Action::Step(step) => count_step(before, step, after, counts),
        Action::Battle { won } => count_battle(before, won, counts),
        Action::Displace(to) => {
            counts.displaced += 1;
            counts.visits_at.add(to);
        }
        Action::Spawn(_, square) => {
            counts.spawned += 1;
            counts.visits_at.add(square);
        }
        Action::SetUp(_) if after.phase != Phase::SetUp => {
            (0..2).filter_map(|seat| after.board.throne(seat)).for_each(|throne| counts.thrones_at.add(throne));
        }
        _ => {}
    }
    for seat in 0..2 {
        let (had, has) = (before.hands[seat], after.hands[seat]);
        counts.favors_gained += has.had.len() as i64 - had.had.len() as i64;
        counts.favors_used[seat] += had.held.iter().filter(|favor| !has.held.has(*favor)).count() as i64;
    }
}

fn count_step(before: &Campaign, step: Step, after: &Campaign, counts: &mut Counts) {
    counts.felled += i64::from(step.fell);
    match step.how {
        How::Move | How::Hasten | How::AssaultMove => {
            counts.moves += 1;
            counts.visits_at.add(step.to);
        }
        How::Switch | How::AssaultSwitch | How::Deceive => {
            counts.switches += i64::from(step.how != How::Deceive);
            counts.visits_at.add(step.from);
            counts.visits_at.add(step.to);
        }
        How::Attack | How::Fire => {
            let fires = step.how == How::Fire;
            *(if fires { &mut counts.shots } else { &mut counts.attacks }) += 1;
            if matches!(after.phase, Phase::Battle { .. }) {
                return;
            }
            if !fires {
                counts.visits_at.add(step.to);
            }
            let kinds = (before.board.cell(step.from).kind(), before.board.cell(step.to).kind());
            if let (Some(killer), Some(lost)) = kinds {
                counts.captures[before.seat()] += 1;
                counts.kills[killer as usize] += 1;
                counts.losses[lost as usize] += 1;
                counts.captures_at.add(step.to);
            }
        }
    }
}

fn count_battle(before: &Campaign, won: bool, counts: &mut Counts) {
    let Phase::Battle { by, target, fires } = before.phase else { return };
    counts.battles += 1;
    counts.battles_won += i64::from(won);
    counts.battles_at.add(target);
    counts.luck_in_battle[before.seat()].add(HALF, i64::from(won));
    let inside = before.board.cell(target);
    if inside.kind().is_some() {
        counts.luck_in_battle[inside.seat()].add(HALF, i64::from(!won));
    }
    // A dragon lands before the walls.
    let lands = won && !fires && before.board.cell(by).is(Kind::Dragon);
    if let Some(square) = by.before(target).filter(|square| lands && *square != by) {
        counts.visits_at.add(square);
    }
}

/// The pieces of a seat on the board.
fn pieces(game: &Campaign, seat: usize) -> i64 {
    game.board.own(seat).len() as i64
}

/// A seat's points, if points are in play.
fn points(game: &Tally<'_, Campaign>, seat: usize) -> Option<i64> {
    game.position.board.plays(Variant::VictoryPoints).then(|| i64::from(game.position.points[seat]))
}

/// The pieces of a kind on the board.
fn alive(game: &Campaign, kind: usize) -> i64 {
    game.board.occupied().keep(|square| game.board.cell(square).is(Kind::ALL[kind])).len() as i64
}

/// Whether a seat has or had a piece of this kind.
fn took_part(game: &Campaign, kind: usize) -> bool {
    game.board.removed.iter().any(|removed| removed[kind] > 0) || alive(game, kind) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_by_kind_are_in_the_order_of_kinds() {
        for (kind, [word, ..]) in Kind::ALL.into_iter().zip(WORDS) {
            assert_eq!(kind.name(), word.to_lowercase());
        }
    }
}

//! The panel beside the board: whose turn it is, the seats' stashes and territories, the swords and shields
//! left, and the dice.

use super::pieces::draw_pawn;
use super::words;
use crate::Scene;
use crate::games::triforce::board::{Board, End, Phase};
use crate::games::triforce::combat::Hand;
use crate::games::triforce::notation::Action;
use crate::games::triforce::stack::SIZES;
use crate::scene::{Point, Row};

/// The position of the dice: three seats at the left of the tip, the others at its right; the seat's pawn, its dice from there,
/// and the offset from one seat to the next.
const SEAT: [i32; 2] = [-3100, 1000];
const DICE: i32 = 520;
const TOP: i32 = -900;
const ROW: i32 = 690;
const ROWS: usize = 3;

pub(super) fn draw(scene: &mut Scene, board: &Board, last: Option<(&Board, &Action)>) {
    scene.status = words::status(board);
    let seats = (1..=board.players).map(|seat| {
        let held = format!("{}/{}", board.territories(seat), board.goal());
        Row::of(seat, stock(board.stash_of(seat)).into_iter().chain([held, state(board, seat).to_owned()]))
    });
    let side = [("swords", board.swords), ("shields", board.shields)];
    let side =
        side.map(|(name, counts)| Row::named(name, stock(counts).into_iter().chain([String::new(), String::new()])));
    scene.table("", &["L", "M", "S", "territories", ""], seats.chain(side));
    draw_roll(scene, board, last);
}

/// The number of each size.
fn stock(counts: [u8; 3]) -> [String; 3] {
    SIZES.map(|size| counts[size as usize].to_string())
}

fn state(board: &Board, seat: u8) -> &'static str {
    match board.phase {
        Phase::Over(End::OthersPinned(winner)) if winner == seat => "wins",
        Phase::Over(End::OthersPinned(_)) => "pinned",
        Phase::Over(End::Territories) if board.turn == seat => "wins",
        _ if board.is_free(seat, board.open()) => "",
        _ => "pinned",
    }
}

/// The dice of the last action if it was a roll, otherwise those to be rolled.
fn draw_roll(scene: &mut Scene, board: &Board, last: Option<(&Board, &Action)>) {
    let start = scene.items.len();
    let rolled = match last {
        Some((before, Action::Roll(roll))) => {
            before.combat().map(|combat| (before.stack(combat.at), combat, Some(roll)))
        }
        _ => None,
    };
    let to_roll = match board.phase {
        Phase::Roll(combat) => Some((board.stack(combat.at), combat, None)),
        _ => None,
    };
    let Some((stack, combat, roll)) = rolled.or(to_roll) else { return };
    for (row, (seat, hand)) in combat.hands(stack).enumerate() {
        let (side, y) = (SEAT[row / ROWS], TOP + ROW * (row % ROWS) as i32);
        let at = side + DICE;
        draw_pawn(scene, seat, [side, y - 30]);
        let (dice, total) = match roll {
            None => ([None, None], String::new()),
            Some(roll) => {
                let (first, black) = roll.dice(seat);
                let total = if hand == Hand::Sword { format!("= {}", roll.total(seat)) } else { String::new() };
                ([Some(first), Some(black)], total)
            }
        };
        draw_dice(scene, (seat, hand), dice, [at, y]);
        if !total.is_empty() {
            scene.text("label status", [at + 1_230, y], 340, total);
        }
        if roll.is_some_and(|roll| combat.losers(stack, roll).any(|(loser, _)| loser == seat)) {
            let reach = if hand == Hand::Sword { 1_010 } else { 350 };
            scene.line("struck", vec![[at - 350, y + 250], [at + reach, y - 250]]);
        }
    }
    for item in &mut scene.items[start..] {
        item.group("dice");
    }
}

/// Dice with their results, or with their numbers of sides.
fn draw_dice(scene: &mut Scene, (seat, hand): (u8, Hand), shown: [Option<u8>; 2], [x, y]: Point) {
    let own = format!("seat-{seat}");
    let mut die = |class: &str, at: Point, sides: u8, value: Option<u8>| {
        let (text, size) = value.map_or((format!("d{sides}"), 240), |value| (value.to_string(), 370));
        let title = value.map_or(format!("a d{sides} to roll"), |value| format!("a d{sides} that shows {value}"));
        scene.polygon(format!("die {class}"), die_outline(at, sides)).title(title);
        scene.text(format!("glyph die {class}"), at, size, text);
    };
    match hand {
        Hand::Plain => die(&own, [x, y], 12, shown[0]),
        Hand::Shield => die("shield", [x, y], 20, shown[0]),
        Hand::Sword => {
            die(&own, [x, y], 12, shown[0]);
            die("sword", [x + 660, y], 12, shown[1]);
        }
    }
}

/// A d12 is shown as a pentagon, a d20 as a hexagon.
fn die_outline([x, y]: Point, sides: u8) -> Vec<Point> {
    let corners: &[Point] = if sides == 12 {
        &[[0, -320], [304, -99], [188, 259], [-188, 259], [-304, -99]]
    } else {
        &[[0, -320], [277, -160], [277, 160], [0, 320], [-277, 160], [-277, -160]]
    };
    corners.iter().map(|[dx, dy]| [x + dx, y + dy]).collect()
}

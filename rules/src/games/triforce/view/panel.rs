//! What stands beside the board: whose turn it is, stashes and territories of the seats, swords and
//! shields at the side, and the dice.

use super::pieces::{draw_pawn, pyramid, shield, size_class, sword};
use super::words;
use crate::Scene;
use crate::games::triforce::board::{ACTIONS, Board, End, Phase};
use crate::games::triforce::combat::{Combat, Hand};
use crate::games::triforce::notation::{Action, Roll};
use crate::games::triforce::stack::{SIZES, Size};
use crate::scene::Point;

/// The columns of the seats' table: pawn, stash from the left, territories, dice.
const PAWN: i32 = -3390;
const STASH: i32 = -2990;
const HELD: i32 = -1870;
const DICE: i32 = -1480;

/// The first row of the seats' table, and from one to the next.
const TOP: i32 = -980;
const ROW: i32 = 440;

/// Between the sizes of a stock.
const SIZE: i32 = 330;

/// Where the right half is centred.
const RIGHT: i32 = 2350;

pub(super) fn draw(scene: &mut Scene, board: &Board, last: Option<(&Board, &Action)>) {
    for (index, title) in ["L", "M", "S"].into_iter().enumerate() {
        scene.text("label", [STASH + SIZE * index as i32, TOP - 280], 170, title);
    }
    scene.text("label", [HELD, TOP - 280], 150, "holds");
    for seat in 1..=board.players {
        draw_seat(scene, board, seat, last);
    }
    draw_status(scene, board);
    draw_side(scene, "sword", board.swords, 100);
    draw_side(scene, "shield", board.shields, 430);
}

fn draw_seat(scene: &mut Scene, board: &Board, seat: u8, last: Option<(&Board, &Action)>) {
    let y = TOP + ROW * i32::from(seat - 1);
    let over = matches!(board.phase, Phase::Over(_));
    if seat == board.turn && !over {
        scene.polygon("turn", vec![[PAWN - 280, y - 110], [PAWN - 160, y], [PAWN - 280, y + 110]]);
    }
    draw_pawn(scene, seat, [PAWN, y - 30]);
    scene.items.last_mut().expect("a pawn was drawn").title(words::describe_seat(board, seat));
    draw_stock(scene, &format!("seat-{seat}"), board.stash_of(seat), [STASH, y + 70]);
    let held = format!("{}/{}", board.territories(seat), board.goal());
    scene.text("label", [HELD, y], 200, held);
    if let (Phase::Over(End::OthersPinned(winner)), true) = (board.phase, over) {
        let verdict = if winner == seat { "wins" } else { "pinned" };
        scene.text("label", [DICE, y], 150, verdict);
    } else if board.phase == Phase::Over(End::Territories) && board.turn == seat {
        scene.text("label", [DICE, y], 150, "wins");
    } else if let Phase::Roll(combat) = board.phase {
        if let Some((_, hand)) = combat.hands(board.stack(combat.at)).find(|(rolling, _)| *rolling == seat) {
            draw_dice(scene, (seat, hand), [None, None], [DICE, y]);
        }
    } else if let Some((before, Action::Roll(roll))) = last {
        if let Some(combat) = before.combat() {
            draw_rolled(scene, before, combat, roll, (seat, [DICE, y]));
        }
    } else if !board.is_free(seat, board.open()) {
        scene.text("label", [DICE, y], 150, "pinned");
    }
}

/// The dice of a seat that has just rolled; those that lost are struck out.
fn draw_rolled(scene: &mut Scene, before: &Board, combat: Combat, roll: &Roll, (seat, at): (u8, Point)) {
    let stack = before.stack(combat.at);
    let Some((_, hand)) = combat.hands(stack).find(|(rolling, _)| *rolling == seat) else { return };
    let (first, black) = roll.dice(seat);
    draw_dice(scene, (seat, hand), [Some(first), Some(black)], at);
    if combat.losers(stack, roll).any(|(loser, _)| loser == seat) {
        let reach = if hand == Hand::Sword { 330 } else { 170 };
        scene.line("struck", vec![[at[0] - 150, at[1] + 120], [at[0] + reach, at[1] - 120]]);
    }
}

/// Dice with what they show, or with how many sides they have.
fn draw_dice(scene: &mut Scene, (seat, hand): (u8, Hand), shown: [Option<u8>; 2], [x, y]: Point) {
    let own = format!("seat-{seat}");
    let mut die = |class: &str, at: Point, sides: u8, value: Option<u8>| {
        let (text, size) = value.map_or((format!("d{sides}"), 120), |value| (value.to_string(), 170));
        let title = value.map_or(format!("a d{sides} to roll"), |value| format!("a d{sides} that shows {value}"));
        scene.polygon(format!("die {class}"), die_outline(at, sides)).title(title);
        scene.text(format!("glyph die {class}"), at, size, text);
    };
    match hand {
        Hand::Plain => die(&own, [x, y], 12, shown[0]),
        Hand::Shield => die("shield", [x, y], 20, shown[0]),
        Hand::Sword => {
            die(&own, [x, y], 12, shown[0]);
            die("sword", [x + 320, y], 12, shown[1]);
        }
    }
}

/// A twelve-sided die shows a pentagon, a twenty-sided one a hexagon.
fn die_outline([x, y]: Point, sides: u8) -> Vec<Point> {
    let corners: &[Point] = if sides == 12 {
        &[[0, -155], [147, -48], [91, 125], [-91, 125], [-147, -48]]
    } else {
        &[[0, -155], [134, -78], [134, 78], [0, 155], [-134, 78], [-134, -78]]
    };
    corners.iter().map(|[dx, dy]| [x + dx, y + dy]).collect()
}

fn draw_status(scene: &mut Scene, board: &Board) {
    let chooser = board.offer().map_or(board.turn, |offer| offer.seat);
    let (turn, spent) = (board.turn, board.spent);
    let at = board.combat().map(|combat| combat.at.to_string()).unwrap_or_default();
    let (first, second) = match board.phase {
        Phase::Act if spent == 0 && !board.has_action() => (format!("Seat {turn}"), "is pinned".to_owned()),
        Phase::Act => (format!("Seat {turn} to act"), format!("{spent} of {ACTIONS} actions")),
        Phase::Order => (format!("Seat {turn} to choose"), "the next combat".to_owned()),
        Phase::Sword(_) => (format!("Combat on {at}"), format!("seat {chooser}: sword?")),
        Phase::Shield(_) => (format!("Combat on {at}"), format!("seat {chooser}: shield?")),
        Phase::Roll(_) => (format!("Combat on {at}"), "roll the dice".to_owned()),
        Phase::Over(End::OthersPinned(seat)) => (format!("Seat {seat} wins"), "others pinned".to_owned()),
        Phase::Over(End::AllPinned) => ("A draw".to_owned(), "all pinned".to_owned()),
        Phase::Over(End::Territories) => {
            (format!("Seat {turn} wins"), format!("{} territories", board.territories(turn)))
        }
    };
    scene.text("label status", [RIGHT, -1230], 250, first);
    scene.text("label", [RIGHT, -930], 220, second);
    if board.phase == Phase::Act {
        for action in 0..ACTIONS {
            let used = if action < spent { "step used" } else { "step" };
            let at = [RIGHT + (i32::from(action) - 1) * 260, -560];
            scene.polygon(used, vec![[at[0], at[1] - 110], [at[0] + 110, at[1] + 90], [at[0] - 110, at[1] + 90]]);
        }
    }
}

/// Swords or shields at the side.
fn draw_side(scene: &mut Scene, kind: &str, counts: [u8; 3], y: i32) {
    let at = [RIGHT - 620, y - 60];
    let emblem = if kind == "sword" { sword(at, 300) } else { shield(at, 260) };
    scene
        .polygon(format!("emblem side {kind}"), emblem)
        .title(format!("{kind}s at the side: {}", words::counts(counts)));
    draw_stock(scene, kind, counts, [RIGHT - 220, y + 20]);
}

/// Pyramids of three sizes with how many there are.
fn draw_stock(scene: &mut Scene, kind: &str, counts: [u8; 3], [x, y]: Point) {
    for (index, size) in SIZES.into_iter().enumerate() {
        let foot = [x + SIZE * index as i32, y];
        let none = if counts[index] == 0 { " none" } else { "" };
        let width = match size {
            Size::L => 300,
            Size::M => 240,
            Size::S => 180,
        };
        scene.polygon(format!("piece stock {kind} {}{none}", size_class(size)), pyramid(foot, width, 160));
        scene.text(format!("glyph stock {kind}{none}"), [foot[0], y - 78], 135, counts[index].to_string());
    }
}

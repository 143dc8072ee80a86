//! The scene of a position, and the same in words.

use plybook_rules::scene::{Class, rectangle};
use plybook_rules::{Last, Position, Scene, Viewer};

use super::json::known;
use super::notation::{Action, PLACES};
use super::position::{Board, Phase};

/// The classes that only this game's scenes use.
pub const CLASSES: &[Class] = &[Class::new("neutral", "nobody's: the stones of a heap")];

/// The width of a heap, and the heights above and below it.
const SIDE: i32 = 1000;

/// The most stones of a heap that are drawn; a number shows how many there are.
const DRAWN: u8 = 9;

/// Draws the heaps in a row, with the seats' stones below them.
pub fn draw(board: &Board, viewer: Viewer, last: Option<&Last<'_, Board>>) -> Scene {
    let heaps = board.setup.heaps.len();
    let players = i32::from(board.setup.players);
    let (width, height) = (5 * SIDE, SIDE * 3 / 2 + players * SIDE / 2);
    let mut scene = Scene::new([0, 0, width, height]);
    scene.polygon("board", rectangle(0, 0, width, height));
    let acted = last.map(|last| *last.action);
    for (heap, place) in PLACES[..heaps].iter().enumerate() {
        let x = heap as i32 * SIDE;
        let is_last = matches!(acted, Some(Action::Roll(_)))
            && last.is_some_and(|last| last.before.left(heap) != board.left(heap));
        let class = if is_last { "space last" } else { "space" };
        let left = board.left(heap);
        let title = format!("{place}: {left} of {} stones", board.setup.heaps[heap]);
        scene.polygon(class, rectangle(x + 50, 50, SIDE - 100, SIDE)).place(*place).title(title);
        for stone in 0..i32::from(left.min(DRAWN)) {
            scene.circle("piece neutral", [x + 250 + stone % 3 * 250, 300 + stone / 3 * 250], 100);
        }
        scene.text("label", [x + SIDE / 2, SIDE + 200], 220, format!("{place}: {left}"));
    }
    for (seat, line) in seats(board, viewer).into_iter().enumerate() {
        let y = SIDE * 3 / 2 + seat as i32 * SIDE / 2 + SIDE / 4;
        scene.circle(format!("piece seat-{}", seat + 1), [300, y], 150);
        let class = if line.contains('?') { "note hidden" } else { "note" };
        scene.text(class, [width / 2 + 200, y], 200, line);
    }
    scene
}

/// The position in words.
pub fn describe(board: &Board, viewer: Viewer) -> String {
    let heaps = (0..board.setup.heaps.len()).map(|heap| format!("{} has {}", PLACES[heap], board.left(heap)));
    let seats = seats(board, viewer).into_iter().zip(1..).map(|(line, seat)| format!("seat {seat}: {line}"));
    let state = match board.outcome() {
        Some(outcome) => format!("over ({})", outcome.reason),
        None => format!("round {} of {}", board.round, board.setup.rounds),
    };
    let heaps = heaps.collect::<Vec<_>>().join(", ");
    format!("{state}; {heaps}; {}", seats.collect::<Vec<_>>().join("; "))
}

/// What is known about each seat.
fn seats(board: &Board, viewer: Viewer) -> Vec<String> {
    let pledges = known(board, viewer, &board.pledges, false);
    let reached = known(board, viewer, &board.reached, board.phase() == Phase::Roll);
    let taken = (0..board.taken.len()).map(|seat| board.stones(seat));
    let said = taken.zip(pledges).zip(reached).map(|((stones, pledge), reach)| {
        let pledge = pledge.map(|heap| format!(", pledged {heap}")).unwrap_or_default();
        let reach = reach.map(|heap| format!(", reaches {heap}")).unwrap_or_default();
        format!("{stones} stones{pledge}{reach}")
    });
    said.collect()
}

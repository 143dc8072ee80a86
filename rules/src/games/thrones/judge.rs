//! Judges actions, and says why they are refused in words that a player understands.

use plybook_events::Actor;

use super::board::Board;
use super::favor::Favor;
use super::notation::{Action, How, Step};
use super::options::Variant;
use super::piece::{ASSAULT, BOUND, HORSE, Kind, LOST, MOVED, SWITCHED};
use super::position::{Campaign, Phase, index};
use super::reach::{FLIGHT, Protection, range};
use super::square::Square;
use super::terrain::Terrain;
use crate::Illegal;

/// Judges an action of an actor that is to act.
pub(super) fn judge(game: &Campaign, actor: Actor, action: &Action) -> Result<(), Illegal> {
    let seat = index(actor);
    match (game.phase, action) {
        (Phase::SetUp, Action::SetUp(sheet)) => sheet.check(seat, game.board.options),
        (Phase::SetUp, _) => Err("a set-up is awaited: setup:ROW/ROW/ROW/ROW:PIECES:MIDDLE".into()),
        (_, Action::SetUp(_)) => Err("the set-up is over".into()),
        (Phase::Fortresses, Action::Fortresses(_))
        | (Phase::Battle { .. }, Action::Battle { .. })
        | (Phase::Displace { .. }, Action::Leave) => Ok(()),
        (Phase::Fortresses, _) => {
            Err("the fortresses of the middle row are to be placed: three columns, as in fortresses:beh".into())
        }
        (_, Action::Fortresses(_)) => Err("no fortresses are to be placed".into()),
        (Phase::Over(_), _) => Err("the game is over".into()),
        (Phase::Favor { .. }, Action::Favor(favor)) if game.choice(seat).has(*favor) => Ok(()),
        (Phase::Favor { .. }, Action::Favor(favor)) => {
            Err(format!("each favour is had once in a game, and you have had {favor}").into())
        }
        (Phase::Favor { .. }, _) => {
            let open: Vec<String> = game.choice(seat).iter().map(|favor| format!("favor:{}", favor.name())).collect();
            Err(format!("your throne stands in a fortress: choose its favour, {}", open.join(", ")).into())
        }
        (_, Action::Favor(_)) => {
            Err("a favour is chosen when your throne enters a fortress that is not the last it stood in".into())
        }
        (Phase::Battle { .. }, _) => Err("the battle is to be decided: battle:even or battle:odd".into()),
        (_, Action::Battle { .. }) => Err("there is no battle to be decided".into()),
        (Phase::Displace { by }, Action::Displace(to)) => check_displace(&game.board, by, *to),
        (Phase::Displace { by }, _) => {
            Err(format!("the piece on {by} lost its battle: displace it, or `leave` it there").into())
        }
        (_, Action::Displace(_) | Action::Leave) => Err("no piece is to be displaced".into()),
        (Phase::Turn, _) => judge_turn(game, action),
    }
}

fn judge_turn(game: &Campaign, action: &Action) -> Result<(), Illegal> {
    let seat = game.seat();
    match *action {
        Action::Step(step) => judge_step(game, step),
        Action::Conspire(square) => {
            check_favor(game, Favor::Conspire)?;
            if game.board.occupied().has(square) {
                Ok(())
            } else {
                Err(format!("conspire names a piece, and there is none on {square}").into())
            }
        }
        Action::Establish(spot) => Ok(game.board.may_establish(seat, spot)?),
        Action::Rebuild => game.check_rebuild(),
        Action::Spawn(kind, square) => game.check_spawn(kind, square),
        Action::End if game.may_end() => Ok(()),
        Action::End if game.acted.favor => {
            Err("a favour alone is no turn while you can move or switch: do that first".into())
        }
        Action::End => Err("a turn ends after a move, a switch or a lost battle: nothing of that happened yet".into()),
        Action::Pass if game.must_pass() => Ok(()),
        Action::Pass if game.may_end() => Err("a seat passes at the start of its turn only: write `end`".into()),
        _ => Err("a seat passes when it can do nothing else, and you can".into()),
    }
}

fn judge_step(game: &Campaign, step: Step) -> Result<(), Illegal> {
    let Step { how, from, to, fell } = step;
    let targets = game.targets(how, from);
    if !targets.has(to) {
        return Err(why_not(game, how, from, to));
    }
    if fell && !game.felling(how, from, targets).has(to) {
        return Err(why_not_fell(&game.board, from));
    }
    Ok(())
}

fn why_not_fell(board: &Board, from: Square) -> Illegal {
    if !board.cell(from).is(Kind::Rangers) {
        format!("only rangers fell forests (`~`), and those on {from} are none").into()
    } else if !board.is(from, Terrain::Forest) {
        format!("rangers fell the forest they leave (`~`), and {from} is none").into()
    } else {
        "an attack that goes through a battle fells no forest: leave out the `~`".into()
    }
}

fn check_displace(board: &Board, by: Square, to: Square) -> Result<(), Illegal> {
    if !by.neighbors().has(to) {
        Err(format!("the loser of a battle goes to a neighbour of {by}, and {to} is none").into())
    } else if board.occupied().has(to) {
        Err(format!("{to} is occupied: displace to an empty square").into())
    } else {
        Ok(())
    }
}

/// Whether a favour can be used.
fn check_favor(game: &Campaign, favor: Favor) -> Result<(), Illegal> {
    if game.may_use(favor) {
        return Ok(());
    }
    let hand = game.hands[game.seat()];
    let favor_name = favor.name();
    Err(if hand.held.has(favor) {
        format!("a battle was lost in this turn, so {favor_name} cannot be used in it").into()
    } else if hand.had.has(favor) {
        format!("you have used {favor_name} already").into()
    } else {
        format!("you do not hold {favor_name}").into()
    })
}

/// Why a step is illegal.
fn why_not(game: &Campaign, how: How, from: Square, to: Square) -> Illegal {
    let favor = match how {
        How::Hasten => check_favor(game, Favor::Hasten),
        How::Deceive => check_favor(game, Favor::Deceive),
        How::AssaultMove | How::AssaultSwitch => check_assault(game, how),
        How::Move | How::Switch | How::Attack | How::Fire => Ok(()),
    };
    if let Err(why) = favor {
        return why;
    }
    if how == How::Deceive {
        return why_not_deceive(game, from, to);
    }
    if from == to {
        return format!("{from} is named twice").into();
    }
    let seat = game.seat();
    let board = &game.board;
    if !board.own(seat).has(from) {
        let whose = if board.occupied().has(from) { "is not yours" } else { "does not exist" };
        return format!("the piece on {from} {whose}").into();
    }
    match how {
        How::Move | How::Hasten | How::AssaultMove => {
            why_not_used(game, how, from).unwrap_or_else(|| why_not_move(board, how, from, to))
        }
        How::Switch | How::AssaultSwitch => {
            why_not_used(game, how, from).unwrap_or_else(|| why_not_switch(game, from, to))
        }
        _ => why_not_engage(game, how, from, to),
    }
}

fn check_assault(game: &Campaign, how: How) -> Result<(), Illegal> {
    let (moves, switches) = game.assault();
    let (open, half) = if how == How::AssaultMove { (moves, "move") } else { (switches, "switch") };
    if open {
        return Ok(());
    }
    if game.acted.assault == (false, false) {
        check_favor(game, Favor::Assault)?;
    }
    Err(format!("an assault is one move and one switch, and its {half} has been made").into())
}

fn why_not_deceive(game: &Campaign, a: Square, b: Square) -> Illegal {
    let enemies = game.board.own(1 - game.seat());
    for square in [a, b] {
        if !enemies.has(square) {
            return format!("deceive exchanges two enemy pieces, and there is none on {square}").into();
        }
    }
    if !a.neighbors().has(b) {
        return format!("deceive exchanges neighbours, and {a} and {b} are none").into();
    }
    format!("the lower square comes first: deceive:{b}={a}").into()
}

/// Why the piece can do nothing of this sort any more in this turn.
fn why_not_used(game: &Campaign, how: How, from: Square) -> Option<Illegal> {
    let piece = game.board.cell(from);
    if piece.any(LOST) && how != How::Hasten {
        return Some(format!("the piece on {from} lost a battle and rests for the turn").into());
    }
    match how {
        How::AssaultMove | How::AssaultSwitch if piece.any(MOVED | SWITCHED) => {
            Some(format!("an assault is by pieces without a part in the turn's moves and switches: not {from}").into())
        }
        How::Move | How::Switch if piece.any(ASSAULT) => {
            Some(format!("the piece on {from} took part in the assault, and takes none in moves and switches").into())
        }
        How::Move if !game.may_move(piece) => Some(match (game.acted.moved, game.acted.switched) {
            (1, false) => format!("the piece on {from} has moved: the second move is by another").into(),
            (_, true) => "a switch leaves one move in a turn, and it has been made".into(),
            _ => "two moves have been made, and a turn has no more".into(),
        }),
        How::Switch if game.switch_bars(piece).is_none() => Some(if !game.acted.switched {
            "two moves have been made, and they leave no switch".into()
        } else if !game.board.noted(HORSE).is_empty() {
            "the turn's switch is the warhorse's: only it can go on switching".into()
        } else {
            "a turn has one switch, and it has been made".into()
        }),
        _ => None,
    }
}

fn why_not_move(board: &Board, how: How, from: Square, to: Square) -> Illegal {
    if board.occupied().has(to) {
        return format!("{to} is occupied").into();
    }
    let piece = board.cell(from);
    let far = "is too far away: ";
    let why = match piece.kind() {
        _ if how == How::Hasten => "hasten is one step",
        Some(Kind::Spearmen) if board.options.free_spearmen => {
            "spearmen go one step, and any way over water before and after it, past no enemy"
        }
        Some(Kind::Spearmen) => "spearmen go one step, or over water that connects, past no enemy",
        Some(Kind::Lancer) if !board.is(from, Terrain::Plains) => "a lancer that is not on plains goes one step",
        Some(Kind::Lancer) => {
            "a lancer on plains rides three steps over land, or any number over plains that connect, past no enemy"
        }
        Some(Kind::Dragon) if from.lines(FLIGHT).flatten().all(|square| square != to) => {
            "a dragon flies up to four squares in a straight line"
        }
        Some(Kind::Dragon) => return format!("between {from} and {to} an enemy stops the dragon").into(),
        _ => "it goes one step",
    };
    format!("{to} {far}{why}").into()
}

fn why_not_switch(game: &Campaign, from: Square, to: Square) -> Illegal {
    let board = &game.board;
    let other = board.cell(to);
    let Some(kind) = other.kind() else { return format!("there is nobody on {to} to switch with").into() };
    if !from.neighbors().has(to) {
        return format!("pieces switch with neighbours, and {from} and {to} are none").into();
    }
    if other.seat() != game.seat() {
        if !board.cell(from).is(Kind::Warhorse) {
            return "only a warhorse switches with enemies".into();
        }
        if kind == Kind::Spearmen {
            return "a warhorse does not switch with enemy spearmen".into();
        }
        if board.is(to, Terrain::Water) {
            return format!("a warhorse does not switch with an enemy on water, such as {to}").into();
        }
        if board.whole().has(to) {
            return format!("the fortress on {to} is whole, and a warhorse switches with no enemy in it").into();
        }
    }
    if other.any(LOST) {
        format!("the piece on {to} lost a battle and rests for the turn").into()
    } else if other.any(SWITCHED) {
        format!("the piece on {to} has been switched in this turn").into()
    } else if other.any(ASSAULT) {
        format!("the piece on {to} took part in the assault, and takes none in other switches").into()
    } else {
        format!("the piece on {to} took part in the turn's moves, and takes none in an assault").into()
    }
}

fn why_not_engage(game: &Campaign, how: How, from: Square, to: Square) -> Illegal {
    let board = &game.board;
    let seat = game.seat();
    let piece = board.cell(from);
    let kind = piece.kind().expect("the seat's piece stands there");
    let fires = how == How::Fire;
    if fires != kind.is_ranged() {
        let text =
            if fires { "does not fire: attacks are written AxB" } else { "does not attack: shots are written A*B" };
        return format!("the piece on {from} {text}").into();
    }
    if game.first[seat] {
        return "nobody attacks or fires in the first turn".into();
    }
    if !game.may_engage() {
        return "attacks and shots come before any move, switch or favour of the turn".into();
    }
    if piece.any(BOUND) {
        return format!("the piece on {from} was named by conspire: it can engage nobody in this turn").into();
    }
    if piece.any(LOST) {
        return format!("the piece on {from} lost a battle and rests for the turn").into();
    }
    if board.own(seat).has(to) {
        return format!("the piece on {to} is your own").into();
    }
    if !(board.own(1 - seat) | board.hollow(seat)).has(to) {
        let text =
            if board.plays(Variant::Homefront) { "no enemy, no enemy farm and no whole fortress" } else { "no enemy" };
        return format!("there is {text} on {to}").into();
    }
    match board.protection(kind, to) {
        Some(Protection::Conspired) => {
            return format!("the piece on {to} was named by conspire: nobody can engage it").into();
        }
        Some(Protection::Charged) => {
            return format!("the warhorse on {to} attacked in its last turn: only a throne can engage it").into();
        }
        Some(Protection::Elephant) => {
            return format!("the elephant on {to} stands on plains: only a dragon or a throne can engage it").into();
        }
        None => {}
    }
    if fires { why_not_fire(board, kind, from, to) } else { why_not_attack(board, kind, from, to) }
}

fn why_not_fire(board: &Board, kind: Kind, from: Square, to: Square) -> Illegal {
    if let Some(terrain) = [Terrain::Forest, Terrain::Water].into_iter().find(|terrain| board.is(from, *terrain)) {
        return format!("nobody fires from {}, such as {from}", terrain.name()).into();
    }
    let (nearest, farthest) = range(kind);
    let far = usize::from(from.distance(to));
    if from.before(to).is_none() || far < nearest || far > farthest {
        let how_far = match kind {
            Kind::Crossbowmen => "at neighbours",
            Kind::Catapult => "one or two squares far",
            _ => "three squares far",
        };
        return format!("{} fire {how_far} in a straight line, and {to} is not there", kind.name()).into();
    }
    if board.is(to, Terrain::Mountain) {
        return format!("nobody fires onto a mountain, such as {to}").into();
    }
    if board.is(to, Terrain::Forest) && kind != Kind::Trebuchet {
        return format!("only the trebuchet fires onto a forest, such as {to}").into();
    }
    format!("a mountain between {from} and {to} is in the way").into()
}

fn why_not_attack(board: &Board, kind: Kind, from: Square, to: Square) -> Illegal {
    if !board.attacks_from(kind, from) {
        return format!("only rangers, dragons and thrones attack from a mountain, such as {from}").into();
    }
    let seat = board.cell(from).seat();
    let in_reach = if kind == Kind::Dragon { board.flight(seat, from).lines.has(to) } else { from.neighbors().has(to) };
    if !in_reach {
        let sails = board.sails(kind, from) && board.ports().has(to);
        return match kind {
            _ if sails => format!("there is no enemy in the port {to}").into(),
            Kind::Dragon if from.lines(FLIGHT).flatten().any(|square| square == to) => {
                format!("between {from} and {to} an enemy stops the dragon").into()
            }
            Kind::Dragon => format!("a dragon attacks up to four squares far in a straight line: not {to}").into(),
            _ => format!("attacks go to neighbours, and {to} is none of {from}").into(),
        };
    }
    if board.unassailable(kind, from).has(to) {
        return if board.is(to, Terrain::Water) {
            format!("only spearmen, dragons and thrones attack onto water, such as {to}").into()
        } else if kind == Kind::Dragon {
            format!("a dragon never attacks onto a forest, such as {to}").into()
        } else {
            format!("cavalry attacks onto a forest only from a forest: not from {from} onto {to}").into()
        };
    }
    format!("the square before the fortress on {to} is occupied, and the dragon needs it to land").into()
}

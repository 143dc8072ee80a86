//! Positions of Triforce as JSON, both ways.

use serde_json::{Map, Value, json};

use crate::PositionError;
use crate::games::triforce::board::{ACTIONS, Board, EACH, End, Phase};
use crate::games::triforce::combat::Combat;
use crate::games::triforce::place::{PLACES, Place};
use crate::games::triforce::setup::{Setup, bases_text};
use crate::games::triforce::stack::{Owner, Piece, SIZES, STACK_MAX, Stack};

pub(crate) fn to_json(board: &Board) -> Value {
    let players = usize::from(board.players);
    let combat = board.combat();
    json!({
        "bases": bases_text(&board.bases),
        "fight": combat.map(|combat| combat.at.to_string()),
        "game": "triforce",
        "pawns": board.pawns[..players].iter().map(ToString::to_string).collect::<Vec<_>>(),
        "phase": phase_name(board.phase),
        "players": board.players,
        "shield": combat.and_then(|combat| combat.shield),
        "shields": board.shields,
        "spent": board.spent,
        "stacks": stacks_json(&board.stacks),
        "start": stacks_json(&board.start),
        "stash": board.stash[..players],
        "sword": combat.and_then(|combat| combat.sword),
        "swords": board.swords,
        "turn": board.turn,
    })
}

fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Act => "act",
        Phase::Order => "order",
        Phase::Sword(_) => "sword",
        Phase::Shield(_) => "shield",
        Phase::Roll(_) => "roll",
        Phase::Over(_) => "over",
    }
}

fn stacks_json(stacks: &[Stack; PLACES]) -> Value {
    let occupied = Place::all().filter(|place| !stacks[place.index()].is_empty());
    let stack = |place: Place| stacks[place.index()].pieces().map(|piece| piece.to_string()).collect::<Vec<_>>();
    occupied.map(|place| (place.to_string(), stack(place).into())).collect::<Map<_, _>>().into()
}

pub(crate) fn from_json(json: &Value) -> Result<Board, PositionError> {
    let setup = json!({ "players": json["players"], "bases": json["bases"], "pawns": json["pawns"] });
    let setup = Setup::read(&setup).map_err(|why| wrong(&why.to_string()))?;
    let mut board = Board::start(&setup);
    board.turn = seat(&json["turn"], &board).ok_or_else(|| wrong("`turn` is a seat"))?;
    let spent = json["spent"].as_u64().filter(|spent| *spent <= u64::from(ACTIONS));
    board.spent = spent.ok_or_else(|| wrong("`spent` is a number from 0 to 3"))? as u8;
    board.stacks = read_stacks(json, "stacks", &board)?;
    board.start = read_stacks(json, "start", &board)?;
    count_pieces(&mut board)?;
    board.phase = read_phase(json, &board)?;
    check_turn(&board)?;
    // What is derived here must be what is written there; members too many differ as well.
    if to_json(&board) == *json { Ok(board) } else { Err(wrong("its members contradict each other")) }
}

fn wrong(what: &str) -> PositionError {
    PositionError(format!("not a position of triforce: {what}"))
}

fn seat(value: &Value, board: &Board) -> Option<u8> {
    let seat = value.as_u64().filter(|seat| (1..=u64::from(board.players)).contains(seat));
    seat.map(|seat| seat as u8)
}

fn read_stacks(json: &Value, member: &str, board: &Board) -> Result<[Stack; PLACES], PositionError> {
    let mut stacks = [Stack::EMPTY; PLACES];
    let members = json[member].as_object().ok_or_else(|| wrong(&format!("`{member}` is an object of territories")))?;
    for (name, pieces) in members {
        let place = Place::named(name.as_bytes()).ok_or_else(|| wrong("territories are a1 to e5"))?;
        let pieces = pieces.as_array().filter(|pieces| (1..=STACK_MAX).contains(&pieces.len()));
        let pieces = pieces.ok_or_else(|| wrong(&format!("a stack is a list of 1 to {STACK_MAX} pieces")))?;
        let mut stack = Stack::EMPTY;
        for piece in pieces {
            let piece = piece.as_str().and_then(|piece| Piece::named(piece.as_bytes()));
            let piece = piece.filter(|piece| piece.seat().is_none_or(|seat| seat <= board.players));
            stack = stack.with(piece.ok_or_else(|| wrong("a piece is its seat, K or C, and its size: 1L, KM, CS"))?);
        }
        if [Owner::Sword, Owner::Shield].into_iter().any(|owner| stack.count(owner) > 1) {
            return Err(wrong("a stack has at most one sword and one shield"));
        }
        stacks[place.index()] = stack;
    }
    Ok(stacks)
}

/// What is not on the board is in the stashes and at the side.
fn count_pieces(board: &mut Board) -> Result<(), PositionError> {
    for stacks in [board.start, board.stacks] {
        board.stash = [[EACH; 3]; 6];
        (board.swords, board.shields) = ([EACH; 3], [EACH; 3]);
        for piece in stacks.into_iter().flat_map(Stack::pieces) {
            let stock = match piece.owner() {
                Owner::Seat(seat) => &mut board.stash[usize::from(seat) - 1],
                Owner::Sword => &mut board.swords,
                Owner::Shield => &mut board.shields,
            };
            let left = &mut stock[piece.size() as usize];
            *left = left
                .checked_sub(1)
                .ok_or_else(|| wrong(&format!("there are {EACH} of each piece, not more {piece}")))?;
        }
    }
    Ok(())
}

fn read_phase(json: &Value, board: &Board) -> Result<Phase, PositionError> {
    let combat = read_combat(json, board)?;
    let phase = json["phase"].as_str().ok_or_else(|| wrong("`phase` is a text"))?;
    match (phase, combat) {
        ("act", None) => Ok(Phase::Act),
        ("order", None) if board.contested().count_ones() >= 2 => Ok(Phase::Order),
        ("order", None) => Err(wrong("an order is chosen only where several stacks are contested")),
        ("sword", Some(combat)) if combat == Combat::new(combat.at) && board.sword_offer(combat.at).is_some() => {
            Ok(Phase::Sword(combat))
        }
        ("shield", Some(combat)) if combat.shield.is_none() && board.shield_offer(combat).is_some() => {
            Ok(Phase::Shield(combat))
        }
        ("sword" | "shield", Some(_)) => Err(wrong("nobody can take a sword or a shield there")),
        ("roll", Some(combat)) => Ok(Phase::Roll(combat)),
        ("over", None) => read_end(board),
        ("sword" | "shield" | "roll", None) => Err(wrong("`fight` names the territory of the combat")),
        ("act" | "order" | "over", Some(_)) => Err(wrong("`fight` is null outside combat")),
        _ => Err(wrong("`phase` is act, order, sword, shield, roll or over")),
    }
}

fn read_combat(json: &Value, board: &Board) -> Result<Option<Combat>, PositionError> {
    if json["fight"].is_null() {
        return Ok(None);
    }
    let at = json["fight"].as_str().and_then(|name| Place::named(name.as_bytes()));
    let at = at.ok_or_else(|| wrong("`fight` is a territory or null"))?;
    let stack = board.stack(at);
    if !stack.contested() {
        return Err(wrong("combat is on a contested stack"));
    }
    let user = |member: &str, owner| match &json[member] {
        Value::Null => Ok(None),
        value => {
            let seat = seat(value, board).filter(|seat| stack.count(Owner::Seat(*seat)) > 0);
            let seat = seat.filter(|_| stack.find(owner).is_some());
            seat.map(Some).ok_or_else(|| wrong(&format!("`{member}` is a seat that fights there with one, or null")))
        }
    };
    let combat = Combat { at, sword: user("sword", Owner::Sword)?, shield: user("shield", Owner::Shield)? };
    if combat.sword.is_some() && combat.sword == combat.shield {
        return Err(wrong("a seat takes a sword or a shield in one combat, not both"));
    }
    Ok(Some(combat))
}

fn read_end(board: &Board) -> Result<Phase, PositionError> {
    let won = board.spent == 0 && !board.is_changed() && board.territories(board.turn) >= board.goal();
    let end = board.pinned_end().or(won.then_some(End::Territories));
    let end = end.filter(|_| board.contested() == 0);
    end.map(Phase::Over).ok_or_else(|| wrong("nothing has ended the game"))
}

/// A turn that has begun leads to the stacks there are, and goes on by itself where it must.
fn check_turn(board: &Board) -> Result<(), PositionError> {
    if board.phase != Phase::Act {
        return Ok(());
    }
    let tallest = STACK_MAX - usize::from(ACTIONS) + usize::from(board.spent);
    if board.stacks.iter().any(|stack| stack.len() > tallest) {
        return Err(wrong(&format!("at this time of a turn a stack has at most {tallest} pieces")));
    }
    if board.spent == 0 && board.is_changed() {
        return Err(wrong("`start` is `stacks` where nothing is spent"));
    }
    if board.spent == ACTIONS || board.spent > 0 && !board.has_action() {
        return Err(wrong("the turn would have ended by itself"));
    }
    for size in SIZES {
        let on_board = |stacks: &[Stack; PLACES], owner| {
            let pieces = stacks.iter().flat_map(|stack| stack.pieces());
            pieces.filter(|piece| *piece == Piece::new(owner, size)).count()
        };
        let others = (1..=board.players).filter(|seat| *seat != board.turn).map(Owner::Seat);
        for owner in others.chain([Owner::Sword, Owner::Shield]) {
            if on_board(&board.stacks, owner) != on_board(&board.start, owner) {
                return Err(wrong("a seat adds pieces of its own only during its actions, and takes none away"));
            }
        }
    }
    Ok(())
}

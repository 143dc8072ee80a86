//! Reading positions from JSON.

use serde_json::Value;

use super::json as to_json;
use crate::games::thrones::board::Field;
use crate::games::thrones::favor::{Favor, Favors, Hand};
use crate::games::thrones::notation::Action;
use crate::games::thrones::options::{Options, Variant, read_variants};
use crate::games::thrones::piece::{ASSAULT, BOUND, CHARGED, Cell, HORSE, Kind, LOST, MOVED, NAMED, SWITCHED};
use crate::games::thrones::play::points_end;
use crate::games::thrones::position::{Acted, Campaign, Phase};
use crate::games::thrones::square::{
    MIDDLE, NONE, SQUARES, Square, Squares, at, before, bit, column, has, near, read_name, squares,
};
use crate::games::thrones::terrain::Terrain;
use crate::{PositionError, Viewer};

/// More turns than any game has, so that counting them cannot overflow.
const TURNS: u64 = 1 << 30;

type Read<T> = Result<T, PositionError>;

fn wrong(what: impl std::fmt::Display) -> PositionError {
    PositionError(format!("not a position of thrones: {what}"))
}

/// Reads the complete JSON of a position.
pub(crate) fn read(json: &Value) -> Read<Campaign> {
    let variants = read_variants(&json["variants"]).map_err(wrong)?;
    let tiles = read_tiles(&json["tiles"])?;
    let points = variants.contains(&Variant::VictoryPoints);
    let middle = squares(MIDDLE).filter(|square| tiles[usize::from(*square)] == Some(Terrain::Fortress));
    let columns = if points { middle.map(|square| 1 << column(square)).sum::<u16>() } else { 0 };
    if points && columns.count_ones() != 3 {
        return Err(wrong("with victory points three fortresses stand in the middle row"));
    }
    let mut game = Campaign::start(Options::new(&variants, columns));
    read_field(&mut game.field, &tiles, json)?;
    read_notes(&mut game, json)?;
    for seat in 0..2 {
        game.hands[seat] = read_hand(&json["favors"][if seat == 0 { "1" } else { "2" }])?;
        game.first[seat] = json["firstTurn"][seat].as_bool().ok_or_else(|| wrong("`firstTurn` is two booleans"))?;
        game.last_fortress[seat] = read_place(&json["lastFortress"][seat])?;
        let points = json["points"][seat].as_u64().filter(|points| *points < 64);
        game.points[seat] = points.ok_or_else(|| wrong("`points` are two small numbers"))? as u16;
    }
    let turn = json["turn"].as_u64().filter(|turn| (1..TURNS).contains(turn));
    game.turn = turn.ok_or_else(|| wrong("`turn` counts from 1"))? as u32;
    read_submitted(&mut game, &json["submitted"])?;
    game.phase = read_phase(&game, json)?;
    check(&game)?;
    if to_json::write(&game, Viewer::All) == *json { Ok(game) } else { Err(wrong("its members contradict each other")) }
}

fn read_tiles(json: &Value) -> Read<[Option<Terrain>; SQUARES]> {
    let wrong = || wrong("`tiles` is 81 letters: p, f, w, m, F, or a dot");
    let letters = json.as_str().map(str::as_bytes).filter(|letters| letters.len() == SQUARES).ok_or_else(wrong)?;
    let mut tiles = [None; SQUARES];
    for (index, letter) in letters.iter().enumerate() {
        let square = at((index % 9) as u8, (index / 9) as u8);
        tiles[usize::from(square)] = match letter {
            b'.' => None,
            letter => Some(Terrain::read(*letter).ok_or_else(wrong)?),
        };
    }
    Ok(tiles)
}

fn read_field(field: &mut Field, tiles: &[Option<Terrain>; SQUARES], json: &Value) -> Read<()> {
    for (tile, square) in tiles.iter().zip(0..) {
        if let Some(terrain) = tile {
            field.lay(square, *terrain);
        }
    }
    let pieces = json["pieces"].as_object().ok_or_else(|| wrong("`pieces` is an object of squares"))?;
    for (name, piece) in pieces {
        let square = read_name(name).ok_or_else(|| wrong("squares are a1 to i9"))?;
        let (seat, kind) = read_piece(piece)?;
        if kind == Kind::Throne && field.throne(seat) != NONE {
            return Err(wrong("a seat has one throne"));
        }
        field.put(square, Cell::new(seat, kind));
    }
    for piece in list(&json["removed"])? {
        let (seat, kind) = read_piece(piece)?;
        field.removed[seat][kind as usize] = field.removed[seat][kind as usize].saturating_add(1);
    }
    for seat in 0..2 {
        let name = if seat == 0 { "1" } else { "2" };
        field.home[seat] = read_place(&json["home"][seat])?;
        field.farms[seat] = read_place(&json["farms"][name])?;
        field.cities[seat] = read_place(&json["cities"][name])?;
    }
    field.breached = read_squares(&json["breached"])?;
    field.destroyed = read_squares(&json["destroyed"])?;
    Ok(())
}

/// Reads what is noted about pieces, and what was done in the turn.
fn read_notes(game: &mut Campaign, json: &Value) -> Read<()> {
    let acted = &json["acted"];
    let assault = &acted["assault"];
    let warhorse = read_place(&acted["warhorse"])?;
    let (moved, switched) = (read_squares(&acted["moved"])?, read_squares(&acted["switched"])?);
    let lost = read_squares(&acted["lost"])?;
    let notes = [
        (MOVED, moved),
        (SWITCHED, switched),
        (HORSE, bit(warhorse)),
        (LOST, lost),
        (ASSAULT, read_squares(&assault["by"])?),
        (NAMED, read_squares(&acted["conspired"])?),
        (BOUND, read_squares(&json["conspired"])?),
        (CHARGED, read_squares(&json["attacked"])?),
    ];
    for (note, set) in notes {
        for square in squares(set) {
            if !has(game.field.occupied(), square) {
                return Err(wrong("a square that is named as a piece's is empty"));
            }
            game.field.note(square, note);
        }
    }
    let flag = |json: &Value| json.as_bool().ok_or_else(|| wrong("`acted` notes are true or false"));
    game.acted = Acted {
        moved: moved.count_ones() as u8,
        switched: switched != 0,
        lost: lost != 0,
        favor: flag(&acted["favor"])?,
        assault: (flag(&assault["move"])?, flag(&assault["switch"])?),
    };
    Ok(())
}

fn read_hand(json: &Value) -> Read<Hand> {
    let favors = |json: &Value| -> Read<Favors> {
        let mut favors = Favors::default();
        for favor in list(json)? {
            let favor = favor.as_str().and_then(Favor::read).ok_or_else(|| wrong("a favour has no such name"))?;
            favors.add(favor);
        }
        Ok(favors)
    };
    let hand = Hand { had: favors(&json["had"])?, held: favors(&json["held"])? };
    let known = hand.held.iter().all(|favor| hand.had.has(favor));
    if known { Ok(hand) } else { Err(wrong("a favour that is held has been had")) }
}

fn read_submitted(game: &mut Campaign, json: &Value) -> Read<()> {
    for (seat, token) in json.as_object().ok_or_else(|| wrong("`submitted` is an object of set-ups"))? {
        let index = match seat.as_str() {
            "1" => 0,
            "2" => 1,
            _ => return Err(wrong("seats are 1 and 2")),
        };
        let Some(Ok(Action::SetUp(sheet))) = token.as_str().map(str::parse) else {
            return Err(wrong("`submitted` holds set-ups as they are written"));
        };
        sheet.check(index, game.field.options).map_err(wrong)?;
        game.sheets[index] = Some(sheet);
    }
    Ok(())
}

fn read_phase(game: &Campaign, json: &Value) -> Read<Phase> {
    let pending = &json["pending"];
    match json["phase"].as_str() {
        Some("setup") => Ok(Phase::SetUp),
        Some("turn") => Ok(Phase::Turn),
        Some("favor") => {
            let to_act = list(&json["toAct"])?;
            let choosing = [1, 2].map(|seat| to_act.iter().any(|actor| *actor == seat));
            let ends = pending["ends"].as_bool().ok_or_else(|| wrong("`ends` is true or false"))?;
            Ok(Phase::Favor { choosing, ends })
        }
        Some("battle") => {
            let fires = pending["kind"] == "fire";
            Ok(Phase::Battle { by: read_place(&pending["by"])?, target: read_place(&pending["target"])?, fires })
        }
        Some("displace") => Ok(Phase::Displace { by: read_place(&pending["by"])? }),
        Some("over") => {
            let end = game.decided().or_else(|| points_end(game.points));
            end.map(Phase::Over).ok_or_else(|| wrong("nothing has ended the game"))
        }
        _ => Err(wrong("`phase` is setup, favor, turn, battle, displace or over")),
    }
}

/// Whether the members, each readable, make a position that could be played on.
fn check(game: &Campaign) -> Read<()> {
    if game.phase == Phase::SetUp {
        let mut start = Campaign::start(game.field.options);
        start.sheets.clone_from(&game.sheets);
        let open = start.sheets.iter().any(Option::is_none);
        return if start == *game && open {
            Ok(())
        } else {
            Err(wrong("before the set-ups are in, nothing else is known"))
        };
    }
    check_tiles(&game.field)?;
    check_places(game)?;
    check_pieces(&game.field)?;
    if !game.field.plays(Variant::VictoryPoints) && game.points != [0; 2] {
        return Err(wrong("points are counted in the variant victory-points only"));
    }
    if !matches!(game.phase, Phase::Over(_)) {
        let points = game.field.plays(Variant::VictoryPoints).then(|| points_end(game.points)).flatten();
        if game.decided().or(points).is_some() {
            return Err(wrong("the game is over, but `phase` says that it runs"));
        }
    }
    check_acted(game)?;
    check_pending(game)
}

fn check_tiles(field: &Field) -> Read<()> {
    let points = field.plays(Variant::VictoryPoints);
    let count = |terrain| field.of(terrain).count_ones();
    let water = if points { 14 } else { 16 };
    let fixed = count(Terrain::Water) == water && count(Terrain::Mountain) == 12 && count(Terrain::Fortress) == 3;
    // Rangers turn forests into plains, so only their sum is fixed.
    let land = count(Terrain::Plains) + count(Terrain::Forest) == 66 - water && count(Terrain::Forest) <= 20;
    if fixed && land { Ok(()) } else { Err(wrong("these are not the tiles of the game")) }
}

fn check_places(game: &Campaign) -> Read<()> {
    let field = &game.field;
    let fortresses = field.of(Terrain::Fortress);
    let homes = if field.plays(Variant::VictoryPoints) {
        field.home == [NONE; 2]
    } else {
        let [first, second] = field.home;
        let own = |home: Square, rows: std::ops::RangeInclusive<u8>| {
            home != NONE && has(fortresses, home) && rows.contains(&(home % 9)) && (1..=7).contains(&column(home))
        };
        own(first, 1..=3) && own(second, 5..=7)
    };
    if !homes {
        return Err(wrong("`home` are the fortresses of the homelands"));
    }
    if game.last_fortress.iter().any(|last| *last != NONE && !has(fortresses, *last)) {
        return Err(wrong("`lastFortress` are fortresses"));
    }
    let enters = |seat: usize| has(fortresses, field.throne(seat)) && field.throne(seat) != game.last_fortress[seat];
    if !matches!(game.phase, Phase::Over(_)) && (enters(0) || enters(1)) {
        return Err(wrong("a throne in a fortress has that one in `lastFortress`"));
    }
    if field.breached & !fortresses != 0 {
        return Err(wrong("only a fortress is breached"));
    }
    let [first, second] = field.farms;
    if field.destroyed & !(bit(first) | bit(second)) != 0 {
        return Err(wrong("only a farm is destroyed"));
    }
    let places = [field.farms, field.cities].into_iter().flatten().filter(|place| *place != NONE);
    let set: Squares = places.clone().map(bit).fold(0, |set, place| set | place);
    let cities = (0..2).all(|seat| field.cities[seat] == NONE || field.farms[seat] != NONE);
    let played = field.plays(Variant::Homefront) || set == 0;
    if set.count_ones() as usize != places.count() || set & fortresses != 0 || !cities || !played {
        return Err(wrong(
            "farms and cities stand apart, on no fortress, in the variant homefront, cities after farms",
        ));
    }
    Ok(())
}

/// Whether each seat has the pieces it started with, on the board or removed.
fn check_pieces(field: &Field) -> Read<()> {
    for seat in 0..2 {
        let mut total = 0;
        for kind in Kind::ALL {
            let here = squares(field.own(seat)).filter(|square| field.cell(*square).is(kind)).count();
            let count = here + usize::from(field.removed[seat][kind as usize]);
            let most = usize::from(kind.count());
            let chosen = field.plays(Variant::SetPieceBattle) && kind != Kind::Throne;
            if count > most || !chosen && count < most {
                return Err(wrong(format!("seat {} has {count} {}, not {most}", seat + 1, kind.name())));
            }
            total += count;
        }
        if field.plays(Variant::SetPieceBattle) && total != 10 {
            return Err(wrong(format!("seat {} has {total} pieces, not 10", seat + 1)));
        }
    }
    Ok(())
}

fn check_acted(game: &Campaign) -> Read<()> {
    let (field, acted, seat) = (&game.field, &game.acted, game.seat());
    let (own, enemy) = (field.own(seat), field.own(1 - seat));
    let horses = |set: Squares| squares(set).all(|square| field.cell(square).is(Kind::Warhorse));
    let switched = field.noted(SWITCHED);
    let moves = acted.moved <= 2 - u8::from(acted.switched) && field.noted(MOVED | LOST) & enemy == 0;
    let horse = field.noted(HORSE);
    let chain = horse & !(own & switched) == 0 && horses(horse);
    let pair = switched.count_ones() != 1 && (horse != 0 || switched & enemy == 0 && switched.count_ones() <= 2);
    let assault = field.noted(ASSAULT);
    let halves = (assault != 0) == (acted.assault != (false, false)) && field.noted(ASSAULT) & field.noted(MOVED) == 0;
    let favors = acted.favor || assault == 0 && field.noted(NAMED) == 0;
    let apart = !(acted.favor && acted.lost) && field.noted(NAMED).count_ones() <= 1;
    let charged = field.noted(CHARGED);
    let waiting = charged & !enemy == 0 && horses(charged) && field.noted(BOUND).count_ones() <= 1;
    let first = game.first == [game.turn < 2, game.turn < 3] && !(game.first[seat] && acted.lost);
    let over = matches!(game.phase, Phase::Over(_));
    let rested = !over || *acted == Acted::default() && field.noted(!0) == 0;
    if rested && moves && chain && pair && halves && favors && apart && waiting && first {
        Ok(())
    } else {
        Err(wrong("what was done in the turn contradicts itself"))
    }
}

fn check_pending(game: &Campaign) -> Read<()> {
    let (field, seat) = (&game.field, game.seat());
    let fits = match game.phase {
        Phase::SetUp | Phase::Turn | Phase::Over(_) => true,
        Phase::Favor { choosing, .. } => {
            let may = |seat: usize| {
                let throne = field.throne(seat);
                throne != NONE && game.last_fortress[seat] == throne && game.choice(seat).len() > 1
            };
            choosing != [false; 2] && (0..2).all(|seat| !choosing[seat] || may(seat))
        }
        Phase::Battle { by, target, fires } => {
            let kind = if by == NONE { None } else { field.cell(by).kind() };
            let reach = if by == NONE {
                0
            } else if fires {
                field.fires(by)
            } else {
                field.attacks(by)
            };
            let in_line = target != NONE && by != NONE && before(by, target).is_some();
            let own = has(field.own(seat), by) && game.may_engage();
            own && in_line && has(reach, target) && kind.is_some_and(|kind| field.needs_battle(kind, target))
        }
        Phase::Displace { by } => {
            by != NONE && has(field.own(seat) & field.noted(LOST), by) && near(by) & field.empty() != 0
        }
    };
    if fits { Ok(()) } else { Err(wrong("`pending` does not fit the board")) }
}

fn read_piece(json: &Value) -> Read<(usize, Kind)> {
    let wrong = || wrong("pieces are a seat and a letter, such as 1R");
    let [seat @ (b'1' | b'2'), letter] = *json.as_str().map(str::as_bytes).ok_or_else(wrong)? else {
        return Err(wrong());
    };
    Ok((usize::from(seat - b'1'), Kind::read(letter).ok_or_else(wrong)?))
}

/// Reads a square; null and a missing member are none.
fn read_place(json: &Value) -> Read<Square> {
    match json {
        Value::Null => Ok(NONE),
        json => json.as_str().and_then(read_name).ok_or_else(|| wrong("squares are a1 to i9")),
    }
}

fn read_squares(json: &Value) -> Read<Squares> {
    let mut set = 0;
    for square in list(json)? {
        set |= bit(read_place(square)?);
    }
    Ok(set)
}

fn list(json: &Value) -> Read<&Vec<Value>> {
    json.as_array().ok_or_else(|| wrong("a list is missing"))
}

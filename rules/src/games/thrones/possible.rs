//! Whether a position that somebody sets up can occur in play, and if not, why.

use super::board::Board;
use super::favor::{Favor, Favors};
use super::homefront::number;
use super::options::Variant;
use super::piece::{ASSAULT, BOUND, CHARGED, HORSE, Kind, LOST, MOVED, NAMED, SWITCHED};
use super::play::{GOAL, points_end};
use super::position::{Campaign, Phase, TurnProgress};
use super::sheet::{check_home_fortress, home_row, home_tiles, middle_tiles};
use super::square::{Square, Squares};
use super::terrain::Terrain;
use crate::PositionError;

/// More turns than any game has. It keeps the count from overflowing.
const TURNS: u32 = 1 << 30;

type Checked = Result<(), PositionError>;

/// Refuses the position unless a condition holds.
fn require(holds: bool, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(PositionError(why())) }
}

/// Refuses the position if a set has a member; `why` gets the first one.
fn require_none(wrong: Squares, why: impl FnOnce(Square) -> String) -> Checked {
    wrong.into_iter().next().map_or(Ok(()), |square| Err(PositionError(why(square))))
}

/// Checks a position whose members are valid one by one. While homelands are still being set up, there is
/// nothing to check but the set-ups, which are judged when they are read.
pub(super) fn check(game: &Campaign) -> Checked {
    if matches!(game.phase, Phase::SetUp | Phase::Fortresses) {
        return Ok(());
    }
    require((1..TURNS).contains(&game.turn), || format!("`turn` is from 1 to {TURNS}, not {}", game.turn))?;
    check_tiles(&game.board)?;
    check_pieces(&game.board)?;
    check_end(game)?;
    check_fortresses(game)?;
    check_homefront(&game.board)?;
    check_favors(game)?;
    check_peace(game)?;
    check_acted(game)?;
    check_pending(game)
}

/// Each homeland and the middle row consist of the tiles that were handed out, except that forests may have
/// become plains.
fn check_tiles(board: &Board) -> Checked {
    let options = board.options;
    for seat in 0..2 {
        let rows: [Squares; 4] = [0, 1, 2, 3].map(|index| Squares::row(home_row(seat, index)));
        let home = rows.into_iter().fold(Squares::EMPTY, |home, row| home | row);
        let place = format!("the homeland of seat {}", seat + 1);
        check_area(board, home, &place, |terrain| home_tiles(terrain, options))?;
        check_home_fortress(seat, board.home[seat]).map_err(|why| PositionError(why.to_string()))?;
        if options.plays(Variant::RowBalancing) {
            for (row, index) in rows.into_iter().zip(0..) {
                let has = |terrain| board.of(terrain).has(row);
                let land = ((board.of(Terrain::Plains) | board.of(Terrain::Forest)) & row).len();
                require(has(Terrain::Plains) && has(Terrain::Water) && has(Terrain::Mountain) && land > 1, || {
                    format!(
                        "each home row was laid with plains, forest, water and mountain, not so row {}",
                        home_row(seat, index) + 1
                    )
                })?;
            }
        }
    }
    let middle = |terrain| match terrain {
        Terrain::Fortress if options.plays(Variant::VictoryPoints) => 3,
        Terrain::Fortress => 1,
        _ => 2 * usize::from(middle_tiles(options).contains(&terrain)),
    };
    check_area(board, Squares::MIDDLE, "the middle row", middle)
}

fn check_area(board: &Board, area: Squares, place: &str, due: impl Fn(Terrain) -> usize) -> Checked {
    let count = |terrain| (board.of(terrain) & area).len();
    for terrain in [Terrain::Water, Terrain::Mountain, Terrain::Fortress] {
        let (due, laid) = (due(terrain), count(terrain));
        require(laid == due, || format!("`tiles`: {place} has {due} tiles of {}, not {laid}", terrain.name()))?;
    }
    let (most, laid) = (due(Terrain::Forest), count(Terrain::Forest));
    require(laid <= most, || format!("`tiles`: {place} has at most {most} tiles of forest, not {laid}"))
}

/// Each seat has the pieces that it started with, on the board or removed.
fn check_pieces(board: &Board) -> Checked {
    let ten = board.plays(Variant::SetPieceBattle);
    for (seat, number) in (0..2).zip(1..) {
        let mut total = 0;
        for kind in Kind::ALL {
            let here = board.own(seat).keep(|square| board.cell(square).is(kind)).len();
            let count = here + usize::from(board.removed[seat][kind as usize]);
            let (most, name) = (usize::from(kind.count()), kind.name());
            let together = format!("{name}, on the board and removed together, not {count}");
            require(count <= most, || format!("seat {number} has at most {most} {together}"))?;
            require(count == most || ten && kind != Kind::Throne, || format!("seat {number} has {most} {together}"))?;
            total += count;
        }
        require(!ten || total == 10, || {
            format!(
                "in a set-piece battle each seat has ten pieces, on the board or removed: seat {number} has {total}"
            )
        })?;
    }
    Ok(())
}

/// Checks that the game is over if something ended it, and that only one thing did.
fn check_end(game: &Campaign) -> Checked {
    let (board, over) = (&game.board, matches!(game.phase, Phase::Over(_)));
    let played = board.plays(Variant::VictoryPoints);
    require(played || game.points == [0; 2], || "`points` are [0,0] without the variant victory-points".to_owned())?;
    let [first, second] = game.points.map(u32::from);
    let turns = game.turn - u32::from(!over);
    require(first + second <= 3 * turns, || {
        format!("`points`: three fortresses give no more than {} in {turns} turns", 3 * turns)
    })?;
    let beyond = [first, second].map(|points| (points + 1).saturating_sub(u32::from(GOAL)));
    require(beyond[0] + beyond[1] <= 3, || {
        format!("`points`: the game ends when somebody has {GOAL}, and the last turn gives no more than three")
    })?;
    let end = game.decided().or_else(|| points_end(game.points));
    require(over || end.is_none(), || "the game is over here: `phase` would be \"over\"".to_owned())?;
    let both = if played {
        let thrones = [0, 1].map(|seat| board.throne(seat));
        board.occupied().is_empty() || board.options.throne_wins && thrones == [None; 2]
    } else {
        let thrones = [0, 1].map(|seat| board.throne(seat));
        thrones == [None; 2] || thrones == [board.home[1], board.home[0]]
    };
    require(!both, || "both seats have won here, and the first to win ends the game".to_owned())
}

/// Checks the fortresses that thrones entered last, and the breached ones.
fn check_fortresses(game: &Campaign) -> Checked {
    let board = &game.board;
    let (fortresses, over) = (board.of(Terrain::Fortress), matches!(game.phase, Phase::Over(_)));
    for (seat, number) in (0..2).zip(1..) {
        let (last, throne) = (game.last_fortress[seat], board.throne(seat));
        require_none(Squares::from(last) & !fortresses, |square| {
            format!(
                "`lastFortress`: the throne of seat {number} cannot have entered a fortress on {square}, where there is none"
            )
        })?;
        let here = Squares::from(throne.filter(|_| throne != last && !over)) & fortresses;
        require_none(here, |square| {
            format!(
                "`lastFortress`: the throne of seat {number} stands in the fortress on {square}, so it entered that one last"
            )
        })?;
    }
    require_none(board.breached & !fortresses, |square| {
        format!("`breached` names fortresses, and {square} is not one")
    })?;
    let acted = game.acted.moved > 0 || game.acted.favor || game.acted.lost;
    let mended = board.plays(Variant::Homefront) || acted || !matches!(game.phase, Phase::Turn | Phase::Battle { .. });
    require(mended || !board.breached.has(board.empty()), || {
        "`breached`: a fortress in which nobody stands is whole again at the end of the turn".to_owned()
    })
}

fn check_homefront(board: &Board) -> Checked {
    let farms: Squares = board.farms.into_iter().flatten().collect();
    require_none(board.destroyed & !farms, |square| format!("`destroyed` names farms, and {square} is not one"))?;
    let sites: Vec<Square> = [board.farms, board.cities].into_iter().flatten().flatten().collect();
    require(board.plays(Variant::Homefront) || sites.is_empty(), || {
        "farms and cities belong to the variant homefront, which is not played".to_owned()
    })?;
    for (seat, number) in (0..2).zip(1..) {
        require(board.cities[seat].is_none() || board.farms[seat].is_some(), || {
            format!("seat {number} has a city and no farm, and the farm comes first")
        })?;
    }
    for (index, site) in sites.iter().enumerate() {
        require(!board.is(*site, Terrain::Fortress), || {
            format!("nothing is established on a fortress, such as {site}")
        })?;
        let others = board.home.into_iter().flatten().chain(sites[..index].iter().copied());
        for other in others {
            let apart = board.options.apart;
            require(site.distance(other) >= apart, || {
                format!(
                    "a farm or city is at least {} squares from every home fortress, farm and city: {site} is too close to {other}",
                    number(apart)
                )
            })?;
        }
    }
    Ok(())
}

/// Favours are gained for fortresses, and the turn notes which one it used.
fn check_favors(game: &Campaign) -> Checked {
    let board = &game.board;
    let choosing = if let Phase::Favor { choosing, .. } = game.phase { choosing } else { [false; 2] };
    for (seat, number) in (0..2).zip(1..) {
        let hand = game.hands[seat];
        if let Some(favor) = hand.held.iter().find(|favor| !hand.had.has(*favor)) {
            return Err(PositionError(format!("`favors.{number}`: {favor} is in `held`, so it is in `had` as well")));
        }
        let entered = game.last_fortress[seat].is_some();
        require(entered || hand.had.is_empty(), || {
            format!("`favors.{number}`: a favour comes with a fortress, and `lastFortress` of seat {number} is null")
        })?;
        let most = usize::from(board.options.favors);
        require(hand.had.len() <= most, || {
            format!("`favors.{number}`: at most {most} are gained in this game, not {}", hand.had.len())
        })?;
        require(!entered || choosing[seat] || !hand.had.is_empty() || most == 0, || {
            format!("`favors.{number}`: the throne of seat {number} entered a fortress, so the seat has had a favour")
        })?;
    }
    let seat = game.seat();
    let has_used = |seat: usize, favor| {
        let hand: super::favor::Hand = game.hands[seat];
        hand.had.has(favor) && !hand.held.has(favor)
    };
    let used = |member: &str, seat: usize, favor: Favor, holds: bool| {
        require(!holds || has_used(seat, favor), || {
            format!("`{member}`: seat {} has used {favor}, so it is in `had` and not in `held`", seat + 1)
        })
    };
    used("acted.assault", seat, Favor::Assault, game.acted.assault != (false, false))?;
    used("acted.conspired", seat, Favor::Conspire, !board.noted(NAMED).is_empty())?;
    used("conspired", 1 - seat, Favor::Conspire, !board.noted(BOUND).is_empty())?;
    require(!game.acted.favor || Favors::ALL.iter().any(|favor| has_used(seat, favor)), || {
        format!("`acted.favor`: seat {} has used none of its favours", seat + 1)
    })
}

/// Checks what cannot have happened while attacks are not allowed yet.
fn check_peace(game: &Campaign) -> Checked {
    let board = &game.board;
    let peaceful = board.removed == [[0; 10]; 2] && board.breached.is_empty() && !game.acted.lost;
    require(peaceful && board.destroyed.is_empty() || game.turn > 2, || {
        "nobody attacks or fires before turn 3, so nothing is removed, breached or destroyed by then".to_owned()
    })?;
    require(board.noted(CHARGED).is_empty() || game.turn > 3, || {
        "`attacked`: nobody attacks before turn 3, so nobody is protected for it before turn 4".to_owned()
    })
}

/// Checks the notes of this turn and of the previous one.
fn check_acted(game: &Campaign) -> Checked {
    let (board, acted, seat) = (&game.board, &game.acted, game.seat());
    let (own, enemy) = (board.own(seat), board.own(1 - seat));
    let [switched, horse, assault] = [SWITCHED, HORSE, ASSAULT].map(|note| board.noted(note));
    let horses = Squares::ALL.keep(|square| board.cell(square).is(Kind::Warhorse));
    let require = |holds: bool, why: &str| require(holds, || why.to_owned());
    if matches!(game.phase, Phase::Over(_)) {
        let nothing = *acted == TurnProgress::default() && board.noted(!0).is_empty();
        return require(nothing, "once the game is over nothing is noted in `acted`, `attacked` and `conspired`");
    }
    require(
        !board.noted(MOVED | LOST).has(enemy),
        "`acted.moved` and `acted.lost` are pieces of the seat whose turn it is",
    )?;
    require(
        acted.moved + u8::from(acted.switched) <= 2,
        "a turn has two moves, or a switch and a move: `acted` has more",
    )?;
    require(!horse.has(!(own & switched & horses)), "`acted.warhorse` is an own warhorse among `acted.switched`")?;
    require(switched.len() != 1, "`acted.switched`: two pieces switch, not one")?;
    require(
        !horse.is_empty() || !switched.has(enemy) && switched.len() < 3,
        "`acted.switched`: without a warhorse two own pieces switch",
    )?;
    require(
        assault.is_empty() == (acted.assault == (false, false)),
        "`acted.assault`: `by` are the pieces of its `move` and its `switch`",
    )?;
    require(!assault.has(board.noted(MOVED)), "`acted.assault.by` have no part in `acted.moved`")?;
    let named = board.noted(NAMED);
    require(
        acted.favor || assault.is_empty() && named.is_empty(),
        "an assault or conspire is a favour: `acted.favor` is true",
    )?;
    require(!(acted.favor && acted.lost), "in a turn with an attack or shot no favour is used: `acted` has both")?;
    require(named.len() < 2 && board.noted(BOUND).len() < 2, "conspire names one piece")?;
    let charged = board.noted(CHARGED);
    require(!charged.has(!(enemy & horses)), "`attacked` are warhorses of the seat whose turn it is not")?;
    let holds = !game.hands[seat].held.is_empty();
    let waits = game.phase != Phase::Turn || *acted == TurnProgress::default() || !game.is_done(holds);
    require(waits, "after what was done nothing is left to do in this turn, so it has ended by itself")
}

/// Checks that the phase fits the board.
fn check_pending(game: &Campaign) -> Checked {
    let (board, seat) = (&game.board, game.seat());
    match game.phase {
        Phase::SetUp | Phase::Fortresses | Phase::Turn | Phase::Over(_) => Ok(()),
        Phase::Favor { choosing, .. } => {
            let may = |seat: usize| {
                let throne = board.throne(seat);
                throne.is_some() && game.last_fortress[seat] == throne && game.choice(seat).len() > 1
            };
            let fits = choosing != [false; 2] && (0..2).all(|seat| !choosing[seat] || may(seat));
            require(fits, || {
                "`toAct`: a seat chooses a favour while its throne stands in a fortress and it has had fewer than three"
                    .to_owned()
            })
        }
        Phase::Battle { by, target, fires } => {
            let reach = if fires { board.fires(by) } else { board.attacks(by) };
            let in_line = by.before(target).is_some();
            let fights = board.cell(by).kind().is_some_and(|kind| board.needs_battle(kind, target));
            let own = board.own(seat).has(by) && game.may_engage();
            require(own && in_line && fights && reach.has(target), || {
                let verb = if fires { "fire on" } else { "attack" };
                format!("`pending`: {by} cannot {verb} a whole fortress on {target} in this turn of seat {}", seat + 1)
            })
        }
        Phase::Displace { by } => {
            let lost = (board.own(seat) & board.noted(LOST)).has(by);
            let attacks = board.cell(by).kind().is_some_and(|kind| !kind.is_ranged());
            require(lost && attacks && game.may_engage() && by.neighbors().has(board.empty()), || {
                format!("`pending`: {by} is not the loser of an attack with an empty square beside it")
            })
        }
    }
}

"""What is counted in TRI. Captures are computed again: positions show what is gone, not why."""

from figures.tally import Tally, pairs

SEATS_MAX = 2
SECRETS = SIMULTANEOUS = False
MEASURES = ["islandsEnd", "islandsWinner", "islandsLoser", "islandsMost", "islandsTaken", "keysTaken", "expansions",
            "moves", "rotations", "groupRotations", "keyRotations", "islandsTurned", "captures", "capturesWinner",
            "ownCaptures", "outgrown", "piecesEnd"]
HEAT = ["visits", "captures", "rotations"]
LUCK = []

# Sixths of a circle, counter-clockwise, as steps on a lattice of small triangles.
TURNS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def count(lines, winners):
    tally = Tally(MEASURES)
    captured = {1: 0, 2: 0}
    for before, seat, action, after in pairs(lines):
        old, new = before["position"], after["position"]
        pieces = acted(tally, dict(old["pieces"]), seat, action, old["keys"])
        for on_turn, losses in removals(old, new, pieces, seat, action):
            for why, space, owner in losses:
                if why == "captured" and owner != on_turn:
                    tally.add("captures")
                    captured[on_turn] += 1
                elif why == "captured":
                    tally.add("ownCaptures")
                if why == "captured":
                    tally.mark("captures", space)
                pieces.pop(space, None)
            tally.add("outgrown", len({space[0] for why, space, _ in losses if why == "outgrown"}))
        assert pieces == new["pieces"], f"{action}: {pieces} is not {new['pieces']}"
        for side in (1, 2):
            taken = controlled(new["pieces"], side) - controlled(old["pieces"], side)
            tally.add("islandsTaken", len(taken))
            tally.add("keysTaken", len(taken & {*old["keys"]}))
    for line in lines:
        for side in (1, 2):
            tally.raised("islandsMost", len(controlled(line["position"]["pieces"], side)))
    end = lines[-1]["position"]["pieces"]
    held = {side: len(controlled(end, side)) for side in (1, 2)}
    winner = winners[0] if len(winners) == 1 else None
    tally.set("islandsEnd", held[1] + held[2])
    tally.set("islandsWinner", winner and held[winner])
    tally.set("islandsLoser", winner and held[3 - winner])
    tally.set("capturesWinner", winner and captured[winner])
    tally.set("piecesEnd", len(end))
    return tally.told()


def acted(tally, pieces, seat, action, keys):
    """The pieces after an action, before any captures."""
    if action.startswith("x:"):
        pieces[action[2:]] = seat
        tally.add("expansions")
        tally.mark("visits", action[2:])
    elif action.startswith("r:"):
        group = action[2:].split("@")[0]
        tally.add("rotations")
        tally.add("groupRotations", int(len(group) > 1))
        tally.add("keyRotations", int(any(island in keys for island in group)))
        tally.add("islandsTurned", len(group))
        for island in group:
            tally.mark("rotations", island)
    else:
        start, end = action.split("-")
        pieces[end] = pieces.pop(start)
        tally.add("moves")
        tally.mark("visits", end)
    return pieces


def removals(old, new, pieces, seat, action):
    """The captures after an action, assessment by assessment, with the seat on turn. The caller
    removes them between two assessments."""
    if action.startswith("x:") and new["phase"] == "expand" and new["toAct"] == seat:
        return
    if action.startswith("x:"):
        yield seat, outgrown(pieces, seat, old["keys"])
    yield from assessed(new, pieces, seat)
    # A turn that begins without an expansion is assessed at once.
    if new["toAct"] == 3 - seat and new["phase"] == "act":
        yield 3 - seat, outgrown(pieces, 3 - seat, old["keys"])
        yield from assessed(new, pieces, 3 - seat)


def controlled(pieces, side):
    return {island for island in "ABCDEFGHI" if pieces.get(island + "2") == pieces.get(island + "7") == side}


def outgrown(pieces, side, keys):
    full = [island for island in controlled(pieces, side) - {*keys}
            if all(f"{island}{number}" in pieces for number in range(1, 9))]
    return [("outgrown", island + centre, side) for island in full for centre in "27"]


def assessed(position, pieces, side):
    """First the opponent's pieces without a liberty, then one's own."""
    for owner in (3 - side, side):
        lost = without_liberty(position["islands"], pieces, owner, position.get("captures") == "pieces")
        yield side, [("captured", space, owner) for space in lost]


def without_liberty(islands, pieces, owner, is_single):
    """The pieces whose groups have no free edge; if single pieces are captured, each is a group of its own."""
    corners = {f"{island}{number}": triangle for island, place in islands.items()
               for number, triangle in enumerate(triangles(*place), 1)}
    by_edge = {}
    for space, triangle in corners.items():
        for corner in triangle:
            by_edge.setdefault(triangle - {corner}, []).append(space)
    beside = {space: {other for corner in triangle for other in by_edge[triangle - {corner}]} - {space}
              for space, triangle in corners.items()}
    lost, seen = [], set()
    for space in pieces:
        if pieces[space] != owner or space in seen:
            continue
        group, has_liberty, open_ends = {space}, False, [space]
        while open_ends:
            for other in beside[open_ends.pop()]:
                has_liberty |= other not in pieces
                if pieces.get(other) == owner and other not in group and not is_single:
                    group.add(other)
                    open_ends.append(other)
        seen |= group
        if not has_liberty:
            lost += sorted(group)
    return lost


def triangles(q, r, turn):
    """The eight spaces of an island, each as its three corners on the fine lattice."""
    (a, b), (c, d) = TURNS[turn], TURNS[(turn + 1) % 6]

    def at(along, across):
        return (2 * q + along * a + across * c, 2 * r + along * b + across * d)

    def half(near, side, other):
        # The corner, the middle, and the two ends of the long side.
        middle = [mean(near, side), mean(side, other), mean(near, other)]
        return [frozenset((near, middle[0], middle[2])), frozenset(middle),
                frozenset((side, middle[0], middle[1])), frozenset((other, middle[2], middle[1]))]

    n, right, far, left = at(0, 0), at(2, 0), at(2, 2), at(0, 2)
    one, two, three, four = half(n, right, left)
    eight, seven, five, six = half(far, right, left)
    return [one, two, three, four, five, six, seven, eight]


def mean(one, other):
    return ((one[0] + other[0]) // 2, (one[1] + other[1]) // 2)

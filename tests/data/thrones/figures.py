"""What is counted in Thrones."""

from collections import Counter

from figures.tally import Tally, pairs

SEATS_MAX = 2
SECRETS = SIMULTANEOUS = True
PIECES = {"B": "Trebuchet", "C": "Catapult", "D": "Dragon", "E": "Elephant", "L": "Lancer", "R": "Rangers",
          "S": "Spearmen", "T": "Throne", "W": "Warhorse", "X": "Crossbowmen"}
MEASURES = ["turns", "moves", "switches", "felled", "attacks", "shots", "battles", "battlesWon", "displaced",
            "captures", "capturesWinner", "favorsGained", "favorsUsed", "favorsUsedWinner", "piecesWinner",
            "piecesLoser", "pointsWinner", "pointsLoser", "spawned",
            *(count + piece for count in ("alive", "kills", "losses") for piece in PIECES.values())]
HEAT = ["visits", "captures", "battles", "thrones"]
LUCK = ["battles"]
HALF = 500_000


def count(lines, winners):
    tally = Tally(MEASURES)
    captured, used = Counter(), Counter()
    for before, by, action, after in pairs(lines):
        old, new = before["position"], after["position"]
        captured[by] += act(tally, old, new, by, action)
        if old["phase"] == "setup" and new["phase"] != "setup":
            for square, piece in new["pieces"].items():
                if piece[1] == "T":
                    tally.mark("thrones", square)
        for seat in (1, 2):
            had, has = (position["favors"][str(seat)] for position in (old, new))
            gone = len([favor for favor in had["held"] if favor not in has["held"]])
            tally.add("favorsGained", len(has["had"]) - len(had["had"]))
            tally.add("favorsUsed", gone)
            used[seat] += gone
    conclude(tally, lines[-1]["position"], winners, captured, used)
    return tally.told()


def act(tally, old, new, by, action):
    """Counts an action; returns the captured pieces."""
    name, _, rest = action.rpartition(":")
    if name == "battle":
        battle(tally, old, rest == "even")
    elif name == "displace":
        tally.add("displaced")
        tally.mark("visits", rest)
    elif name == "spawn":
        tally.add("spawned")
        tally.mark("visits", rest[1:])
    elif name in ("", "hasten", "assault", "deceive") and len(rest.rstrip("~")) == 5:
        return step(tally, old, new, name, rest)
    return 0


def step(tally, old, new, name, rest):
    tally.add("felled", int(rest.endswith("~")))
    start, sign, end = rest[:2], rest[2], rest[3:5]
    if sign == "-":
        tally.add("moves")
        tally.mark("visits", end)
    elif sign == "=":
        tally.add("switches", int(name != "deceive"))
        tally.mark("visits", start)
        tally.mark("visits", end)
    else:
        tally.add("attacks" if sign == "x" else "shots")
        if new["phase"] == "battle":
            return 0
        if sign == "x":
            tally.mark("visits", end)
        if end in old["pieces"]:
            tally.add("captures")
            tally.add("kills" + PIECES[old["pieces"][start][1]])
            tally.add("losses" + PIECES[old["pieces"][end][1]])
            tally.mark("captures", end)
            return 1
    return 0


def battle(tally, old, is_won):
    pending = old["pending"]
    tally.add("battles")
    tally.add("battlesWon", int(is_won))
    tally.mark("battles", pending["target"])
    tally.chance("battles", int(old["pieces"][pending["by"]][0]), HALF, int(is_won))
    if pending["target"] in old["pieces"]:
        tally.chance("battles", int(old["pieces"][pending["target"]][0]), HALF, int(not is_won))
    if is_won and pending["kind"] == "attack" and old["pieces"][pending["by"]][1] == "D":
        before = before_the_walls(pending["by"], pending["target"])
        if before != pending["by"]:
            tally.mark("visits", before)


def before_the_walls(start, end):
    """The last square before the end of a straight line."""
    def sign(one, other):
        return (one > other) - (one < other)
    return chr(ord(end[0]) + sign(start[0], end[0])) + str(int(end[1]) + sign(start[1], end[1]))


def conclude(tally, end, winners, captured, used):
    winner = winners[0] if len(winners) == 1 else None
    pieces = Counter(int(piece[0]) for piece in end["pieces"].values())
    tally.set("turns", end["turn"] if end["phase"] not in ("setup", "fortresses") else 0)
    tally.set("capturesWinner", winner and captured[winner])
    tally.set("favorsUsedWinner", winner and used[winner])
    tally.set("piecesWinner", winner and pieces[winner])
    tally.set("piecesLoser", winner and pieces[3 - winner])
    has_points = winner and "victory-points" in end["variants"]
    tally.set("pointsWinner", end["points"][winner - 1] if has_points else None)
    tally.set("pointsLoser", end["points"][2 - winner] if has_points else None)
    if "homefront" not in end["variants"]:
        tally.set("spawned", None)
    alive = Counter(piece[1] for piece in end["pieces"].values())
    gone = Counter(piece[1] for piece in end["removed"])
    for letter, name in PIECES.items():
        if alive[letter] + gone[letter] == 0:
            for measure in ("alive", "kills", "losses"):
                tally.set(measure + name, None)
        else:
            tally.set("alive" + name, alive[letter])

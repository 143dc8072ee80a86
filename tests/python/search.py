#!/usr/bin/env python3
"""Searches exported games for positions again, and compares the hits with answers.

    search.py PLYBOOK RECORDS ANSWERS

PLYBOOK is the program; only `plybook rules` is used, which folds a game into lines of JSON. RECORDS is the output of
`plybook export --format json`. ANSWERS is a list of objects: `kind`, `where`, and `hits`, a list of [game, ply].

The language is read a second time, from docs/search.md, and evaluated in another way: each part of a predicate becomes
a list of its truth at every ply. Facts are computed from the JSON of positions. Prints every difference; the exit status
is 1 if there is one.
"""

import json
import re
import sys

from figures import load

# By kind, the facts that are computed here: of a position's JSON, and of a seat (from 1) or a place.
FACTS = {
    "triangulate": {
        "owner": lambda at, place: (frogs(at, place) or [0])[-1],
        "frogs": lambda at, place: len(frogs(at, place)),
        "pad": lambda at, place: at["board"].get(place, {}).get("pad", 0),
        "pads": lambda at, seat: sum(square.get("pad") == seat for square in at["board"].values()),
        "stacked": lambda at, seat: sum(square.get("frogs", [])[1:].count(seat) for square in at["board"].values()),
        "pairs": lambda at, seat: sum(square.get("frogs", [])[:2] == [seat, seat] for square in at["board"].values()),
        "blocked": lambda at, seat: sum(square.get("frogs", [])[:2] == [seat, 3 - seat] for square in at["board"].values()),
    },
    "tri": {
        "owner": lambda at, place: at["pieces"].get(place, 0) if len(place) == 2 else
                 next((seat for seat in (1, 2) if place in islands(at, seat)), 0),
        "islands": lambda at, seat: len(islands(at, seat)),
        "keys": lambda at, seat: len(islands(at, seat) & {*at["keys"]}),
        "freeKeys": lambda at, _: len({*at["keys"]} - islands(at, 1) - islands(at, 2)),
        "pieces": lambda at, seat: sum(owner == seat for owner in at["pieces"].values()),
        "actions": lambda at, _: at["actions"],
    },
    "triforce": {
        "territories": lambda at, seat: sum(stack[0][0] == str(seat) for stack in at["stacks"].values()),
        "pieces": lambda at, seat: sum(piece[0] == str(seat) for stack in at["stacks"].values() for piece in stack),
        "stash": lambda at, seat: sum(at["stash"][seat - 1]),
        "spent": lambda at, _: at["spent"],
        "owner": lambda at, place: seat_of(at["stacks"].get(place, ["K"])[0]),
        "top": lambda at, place: seat_of(at["stacks"].get(place, ["K"])[-1]),
        "height": lambda at, place: len(at["stacks"].get(place, [])),
        "pawns": lambda at, place: at["pawns"].count(place),
        "contested": lambda at, _: sum(
            len(stack) >= 4 and len({piece[0] for piece in stack} - neutral(at)) >= 2 for stack in at["stacks"].values()),
    },
    "triforce-building": {
        "round": lambda at, _: at["round"],
        "triforces": lambda at, _: len(at["made"]),
        "powered": lambda at, seat: int(at["powered"][seat - 1]),
        "present": lambda at, seat: int(at["cells"][seat - 1] is not None),
        "garnets": lambda at, seat: at["garnets"][seat - 1],
        "priority": lambda at, seat: at["priority"][seat - 1],
        "seats": lambda at, place: at["cells"].count(place),
        "poweredSeats": lambda at, _: sum(
            powered and cell is not None for powered, cell in zip(at["powered"], at["cells"])),
    },
    "thrones": {
        "pieces": lambda at, seat: sum(piece[0] == str(seat) for piece in at["pieces"].values()),
        "lost": lambda at, seat: sum(piece[0] == str(seat) for piece in at["removed"]),
        "owner": lambda at, place: seat_of(at["pieces"].get(place, "K")),
        "piece": lambda at, place: LETTERS[at["pieces"].get(place, "0.")[1]],
        "terrain": lambda at, place: TERRAINS[at["tiles"][9 * (int(place[1]) - 1) + ord(place[0]) - ord("a")]],
        "breached": lambda at, _: len(at["breached"]),
        "favors": lambda at, seat: len(at["favors"][str(seat)]["held"]),
        "points": lambda at, seat: at["points"][seat - 1],
        "throneDistance": lambda at, seat: apart(throne(at, seat), throne(at, 3 - seat)),
    },
    "heaps": {"round": lambda at, _: at["round"]},
}

LETTERS = {".": "none", "B": "trebuchet", "C": "catapult", "D": "dragon", "E": "elephant", "L": "lancer",
           "R": "rangers", "S": "spearmen", "T": "throne", "W": "warhorse", "X": "crossbowmen"}
TERRAINS = {".": "none", "p": "plains", "f": "forest", "w": "water", "m": "mountain", "F": "fortress"}


def neutral(at):
    return set() if at.get("options", {}).get("colours") == "all" else {"K", "C"}


def frogs(at, place):
    return at["board"].get(place, {}).get("frogs", [])


def islands(at, seat):
    return {island for island in "ABCDEFGHI" if all(at["pieces"].get(island + n) == seat for n in "27")}


def seat_of(piece):
    return int(piece[0]) if piece[0].isdigit() else 0


def throne(at, seat):
    return next((square for square, piece in at["pieces"].items() if piece == f"{seat}T"), None)


def apart(one, other):
    return max(abs(ord(a) - ord(b)) for a, b in zip(one, other)) if one and other else None


class Game:
    """A folded game: evaluates predicates at all plies at once."""

    def __init__(self, kind, lines):
        self.kind, self.lines, self.plies = kind, lines, range(len(lines))
        # The ply at which the turn began that led to each ply.
        self.begun, turn = [0], None
        for ply, line in enumerate(lines[1:], 1):
            by = line["by"]
            begins = by != "chance" and by != turn
            turn = by if begins else turn
            self.begun.append(ply - 1 if begins else self.begun[-1])

    def hits(self, predicate):
        tokens = re.findall(r"[<>!]=?|=|[():]|-?\d+(?![\w.])|[\w.]+|'[^']*'|\"[^\"]*\"", predicate)
        truth = self.sequence(tokens)
        assert not tokens, tokens
        return [ply for ply in self.plies if truth[ply]]

    def sequence(self, tokens):
        truth = self.either(tokens)
        while tokens[:1] == ["then"]:
            del tokens[:2]
            within = self.number(tokens)
            earlier, later = truth, self.either(tokens)
            truth = [later[ply] and any(earlier[max(0, ply - within):ply]) for ply in self.plies]
        return truth

    def number(self, tokens):
        number = int(tokens.pop(0))
        while tokens.pop(0) != ":":
            pass
        return number

    def either(self, tokens):
        truth = self.both(tokens)
        while tokens[:1] == ["or"]:
            tokens.pop(0)
            truth = [one or other for one, other in zip(truth, self.both(tokens))]
        return truth

    def both(self, tokens):
        truth = self.single(tokens)
        while tokens[:1] == ["and"]:
            tokens.pop(0)
            truth = [one and other for one, other in zip(truth, self.single(tokens))]
        return truth

    def single(self, tokens):
        if tokens[0] == "not":
            tokens.pop(0)
            return [not truth for truth in self.single(tokens)]
        if tokens[0] == "for":
            tokens.pop(0)
            plies = self.number(tokens)
            truth = self.either(tokens)
            return [ply >= plies - 1 and all(truth[ply + 1 - plies:ply + 1]) for ply in self.plies]
        if tokens[0] == "first":
            del tokens[:2]
            truth = self.either(tokens)
            return [truth[ply] and not any(truth[:ply]) for ply in self.plies]
        if tokens[0] == "(":
            tokens.pop(0)
            truth = self.sequence(tokens)
            assert tokens.pop(0) == ")"
            return truth
        left = self.side(tokens)
        if not tokens or not re.fullmatch(r"[<>!]=?|=", tokens[0]):
            return [value not in (None, 0, "none") for value in left]
        compare = {"=": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__"}
        operator, right = compare[tokens.pop(0)], self.side(tokens)
        return [None not in pair and getattr(*pair[:1], operator)(pair[1]) for pair in zip(left, right)]

    def side(self, tokens):
        token = tokens.pop(0)
        if re.fullmatch(r"-?\d+", token):
            return [int(token)] * len(self.plies)
        if token[0] in "'\"":
            return [token[1:-1]] * len(self.plies)
        if token == "change":
            tokens.pop(0)
            values = self.side(tokens)
            assert tokens.pop(0) == ")"
            pairs = ((values[ply], values[self.begun[ply]]) for ply in self.plies)
            return [None if None in pair else pair[0] - pair[1] for pair in pairs]
        argument = None
        if tokens[:1] == ["("]:
            argument = tokens[1]
            del tokens[:3]
        return [self.value(ply, token, argument) for ply in self.plies]

    def value(self, ply, fact, argument):
        line = self.lines[ply]
        if fact == "ply":
            return ply
        if fact == "over":
            return int(not line["toAct"])
        if fact == "mobility":
            return sum(len(actions) for actions in line["legal"].values() if actions is not None)
        if fact == "toAct":
            return int(int(argument) in line["toAct"])
        of_seat = argument is not None and argument.isdigit()
        return FACTS[self.kind][fact](line["position"], int(argument) if of_seat else argument)


def games(program, records):
    """The games that are searched: neither lines, nor void, nor running with secrets."""
    with open(records, encoding="utf-8") as file:
        for record in map(json.loads, file):
            events = [json.loads(event) for event in record["events"]]
            created = events[0]["body"]
            kind = record["kind"]
            is_hidden = load.KINDS[kind].SECRETS and not created.get("open") and record["status"] == "running"
            if "fork" not in created and record["status"] != "void" and not is_hidden:
                opened = [event["body"]["content"] for event in events
                          if event["type"] == "revealed" and event["body"]["of"] == 0]
                setup = opened[0] if opened else json.dumps(created["setup"])
                lines = load.fold(program, kind, setup, record["actions"])
                yield events[0]["game"], Game(kind, lines)


def main():
    program, records, asked = sys.argv[1:]
    with open(asked, encoding="utf-8") as file:
        asked = json.load(file)
    known, differences, hits = list(games(program, records)), 0, 0
    for question in asked:
        found = [[log, ply] for log, game in known if game.kind == question["kind"]
                 for ply in game.hits(question["where"])]
        hits += len(found)
        if sorted(found) != sorted(question["hits"]):
            differences += 1
            missing = [hit for hit in found if hit not in question["hits"]]
            surplus = [hit for hit in question["hits"] if hit not in found]
            print(f"{question['kind']}: {question['where']}: missing {missing[:3]}, not expected {surplus[:3]}")
    print(f"{len(asked)} predicates over {len(known)} games with {hits} hits compared, {differences} differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())

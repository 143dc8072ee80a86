#!/usr/bin/env python3
"""Computes the standings of a tournament from the service's exports, independently of the program.

    report.py REPORT.trf GAMES.ndjson [ROUNDS]

REPORT.trf is the tournament as TRF26, and GAMES.ndjson its games as /export/games.ndjson?events=true gives
them: one JSON record per line. Prints the standings after ROUNDS rounds (by default, all) as JSON:

    {"games": 70, "standings": [{"name": "Ada", "entrant": 3, "place": 1, "points": "4.0", "figures": ["12.5"]}, ...]}

"games" is the number of tables with the outcome of a recorded game. Each of those outcomes is computed from the
events of the game, and has to match the result in the report; everything else is computed from the report, by
standings.py. Exits with status 1 and a reason if the report and the games contradict each other. Needs only
Python.
"""

import json
import sys

from standings import Tournament

BYES = {"U": "pairing", "H": "half", "F": "full", "Z": "zero", "-": "zero", " ": "zero"}
GAMES = {"1": "win", "=": "draw", "0": "loss", "+": "win", "-": "forfeit", " ": None}


class Contradiction(Exception):
    """The report and the games contradict each other."""


def tenths(text):
    whole, _, tenth = text.strip().partition(".")
    return 10 * int(whole or 0) + int(tenth or 0)


class Report:
    """A report file."""

    def __init__(self, text):
        lines = [line.rstrip("\r") for line in text.split("\n")]
        self.records = {line[:3]: line[4:].strip() for line in lines if line[:3] != "001"}
        people = sorted((line for line in lines if line[:3] == "001"), key=lambda line: int(line[4:8]))
        assert [int(line[4:8]) for line in people] == list(range(1, len(people) + 1)), "a number is missing"
        self.names = [line[14:47].strip() for line in people]
        self.ratings = [int(line[48:52]) if line[48:52].strip() else None for line in people]
        self.stated = [tenths(line[80:84]) for line in people]
        self.points = {"win": 10, "draw": 5, "loss": 0, "absent": 0}
        words = self.records.get("162", "").split()
        named = {"W": "win", "D": "draw", "L": "loss", "A": "absent", "P": "pairing"}
        self.points.update((named[word], tenths(points)) for word, points in zip(words[::2], words[1::2]))
        self.points.setdefault("pairing", self.points["win"])
        width = max(len(line) for line in people)
        self.rounds = [self.round([line[column:column + 8].ljust(8) for line in people])
                       for column in range(91, width, 10)]

    def round(self, cells):
        """One round from the cells of all players: opponent, w or b, result."""
        tables, byes = [], []
        for own, cell in enumerate(cells, 1):
            other, seat, result = cell[:4].strip().lstrip("0"), cell[5], cell[7]
            if not other:
                if cell.strip():
                    kind = BYES[result]
                    points = {"half": "draw", "full": "win", "zero": "absent"}.get(kind, kind)
                    byes.append({"entrant": own, "kind": kind, "points": self.points[points]})
                continue
            back = cells[int(other) - 1]
            if int(back[:4]) != own or {seat, back[5]} != {"w", "b"}:
                raise Contradiction(f"{own} and {other} differ about their game")
            if seat == "w":
                ends = [GAMES[result], GAMES[back[7]]]
                worth = {"forfeit": "absent"}
                points = [self.points[worth.get(end, end)] for end in ends] if ends[0] else None
                tables.append({"seats": [own, int(other)], "points": points, "forfeit": bool({result, back[7]} & {"+", "-"})})
        return {"tables": tables, "byes": byes}


def outcome_of(events):
    """The outcome of a game according to its events; None while it has none, or if it is void."""
    outcome, is_void = None, False
    for event in events:
        kind = event["type"]
        if kind in ("ended", "corrected"):
            outcome = event["body"]["outcome"]
        elif kind in ("reopened", "taken_back"):
            outcome = None
        elif kind in ("voided", "unvoided"):
            is_void = kind == "voided"
    return None if is_void else outcome


def outcomes(text):
    """The winners of each game that counts, by round and the names at the table; the last game at a table counts."""
    found = {}
    for line in text.splitlines():
        events = [json.loads(event) for event in json.loads(line)["events"]]
        created, outcome = events[0]["body"], outcome_of(events)
        if outcome is not None:
            names = tuple(seat["name"] for seat in created["seats"])
            found[created["round"], names] = outcome["winners"]
    return found


def compare(report, games):
    """Replaces the report's results by the outcomes of games, which must match them; returns how many."""
    points, left = report.points, dict(games)
    for number, round_ in enumerate(report.rounds, 1):
        for table in round_["tables"]:
            names = tuple(report.names[entrant - 1] for entrant in table["seats"])
            winners = left.pop((number, names), None)
            if winners is None:
                continue
            won = [points["win"] if seat in winners else points["loss"] for seat in (1, 2)]
            of_game = won if winners else [points["draw"]] * 2
            if table["forfeit"] or table["points"] != of_game:
                raise Contradiction(f"round {number}, {names}: {table} in the report, {of_game} by the game")
            table["points"] = of_game
    if left:
        raise Contradiction(f"games that are not in the report: {left}")
    return len(games)


def main(report_path, games_path, rounds=None):
    with open(report_path, encoding="utf-8", newline="") as file:
        report = Report(file.read())
    with open(games_path, encoding="utf-8") as file:
        count = compare(report, outcomes(file.read()))
    order, *tie_breaks = report.records["212"].split(",")
    assert order == "PTS", "points come first"
    after = len(report.rounds) if rounds is None else int(rounds)
    tournament = Tournament({
        "round_robin": "ROUNDROBIN" in report.records["192"], "seats": 2, "after": after, "tie_breaks": tie_breaks,
        "rounds_planned": int(report.records["142"]) if "142" in report.records else None, "rounds": report.rounds,
        "win": report.points["win"], "draw": report.points["draw"], "loss": report.points["loss"],
        "entrants": [{"rating": rating, "entered_after": 0, "withdrew_after": None} for rating in report.ratings],
    })
    standings = tournament.standings()
    if after == len(report.rounds):
        for row in standings:
            stated = report.stated[row["entrant"] - 1]
            if tenths(row["points"]) != stated:
                raise Contradiction(f"{row} should have {stated} tenths of a point by the report")
    rows = [{"name": report.names[row["entrant"] - 1], **row} for row in standings]
    print(json.dumps({"games": count, "standings": rows}))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Contradiction as why:
        sys.exit(str(why))

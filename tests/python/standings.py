#!/usr/bin/env python3
"""Computes points, tie-breaks and places of a tournament, independently of the program.

Reads one tournament per line from standard input, as JSON, and prints its standings as JSON:

    {"round_robin": false, "seats": 2, "rounds_planned": 5, "after": 3, "tie_breaks": ["BH/C1", "DE"],
     "win": 10, "draw": 5, "loss": 0, "beaten": false, "teams": [[1, 3], [2, 4]],
     "entrants": [{"rating": 2000, "entered_after": 0, "withdrew_after": null}, ...],
     "rounds": [{"tables": [{"seats": [1, 2], "points": [10, 0], "forfeit": false}, ...],
                 "byes": [{"entrant": 3, "kind": "half", "points": 5}, ...]}, ...]}

Points are in tenths; "points" is null while a result is not known. "win", "draw" and "loss" are the points for
a sole win, for sharing all places and for a sole last place at a usual table; "beaten" says that points are
given for each seat beaten; "teams" are the seats that win and lose together, if there are any. The rules are those of FIDE C.07, in force since 2026-03-01, and for tables of more than two
seats those of docs/standings.md. Needs only Python.
"""

import json
import sys
from fractions import Fraction
from itertools import groupby
from math import floor

HALF = Fraction(1, 2)

# FIDE B.02, 8.1.1: p in hundredths from 100 down to 50, and the difference of ratings.
FROM_SHARE = dict(zip(range(100, 49, -1), (
    800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366, 351, 336, 322, 309, 296, 284, 273, 262, 251, 240, 230, 220,
    211, 202, 193, 184, 175, 166, 158, 149, 141, 133, 125, 117, 110, 102, 95, 87, 80, 72, 65, 57, 50, 43, 36, 29, 21,
    14, 7, 0)))

# FIDE B.02, 8.1.2: the differences from which the stronger side is expected to score 50, 51, ... hundredths.
STEPS = (
    0, 4, 11, 18, 26, 33, 40, 47, 54, 62, 69, 77, 84, 92, 99, 107, 114, 122, 130, 138, 146, 154, 163, 171, 180, 189,
    198, 207, 216, 226, 236, 246, 257, 268, 279, 291, 303, 316, 329, 345, 358, 375, 392, 412, 433, 457, 485, 518, 560,
    620, 736)

EXPECTED = [max(50 + k for k, step in enumerate(STEPS) if gap >= step) for gap in range(737)]


def half_up(number):
    return floor(number + HALF)


class Day:
    """One round of one entrant."""

    def __init__(self):
        self.state = "zero"  # played, pending, won, lost (by forfeit), full, half, zero, void
        self.points = Fraction(0)
        self.others = []  # (entrant, that entrant's points)
        self.seat = None
        self.size = None

    @property
    def is_vur(self):
        return self.state in ("lost", "half", "zero")

    @property
    def is_bye(self):
        return self.state in ("half", "zero")


class Tournament:
    def __init__(self, told):
        self.told = told
        self.rr = told["round_robin"]
        self.n = len(told["entrants"])
        self.rounds = min(told["after"], len(told["rounds"]))
        self.last = told["rounds_planned"] if told["rounds_planned"] is not None else len(told["rounds"])
        self.ids = range(1, self.n + 1)
        self.void = {i for i in self.ids if self.rr and self.left_too_early(i)}
        self.days = {i: [Day() for _ in range(self.rounds)] for i in self.ids}
        for number, round_ in enumerate(told["rounds"][: self.rounds]):
            self.read(number, round_)
        self.score = {i: sum(day.points for day in self.days[i]) for i in self.ids}

    # The points for outcomes, which depend on the number of seats unless scoring is by result.

    def win(self, size):
        return Fraction(size - 1) if self.told.get("beaten") else Fraction(self.told["win"], 10)

    def draw(self, size):
        return Fraction(size - 1, 2) if self.told.get("beaten") else Fraction(self.told["draw"], 10)

    def loss(self, size):
        return Fraction(self.told["loss"], 10)

    def size(self, day):
        return day.size or self.told["seats"]

    def left_too_early(self, i):
        after = self.told["entrants"][i - 1]["withdrew_after"]
        if after is None or after > self.rounds:
            return False
        at_start = [e for e in self.told["entrants"] if e["entered_after"] == 0 and e["withdrew_after"] != 0]
        planned = self.told["rounds_planned"] if self.told["rounds_planned"] is not None else self.rounds
        games = planned - (planned // len(at_start) if len(at_start) % 2 else 0)
        played = sum(
            1
            for round_ in self.told["rounds"][: self.rounds]
            for table in round_["tables"]
            if i in table["seats"] and table["points"] is not None and not table["forfeit"]
        )
        return Fraction(played) < Fraction(games, 2)

    def read(self, number, round_):
        for table in round_["tables"]:
            seats, points = table["seats"], table["points"]
            for seat, i in enumerate(seats):
                day = self.days[i][number]
                day.size, day.seat = len(seats), seat + 1
                if self.void & set(seats):
                    day.state = "void"
                    continue
                got = [Fraction(p, 10) for p in points] if points is not None else [Fraction(0)] * len(seats)
                partners = next((team for team in self.told.get("teams", []) if seat + 1 in team), [seat + 1])
                day.others = [(j, got[s]) for s, j in enumerate(seats) if s + 1 not in partners]
                day.points = got[seat]
                if points is None:
                    day.state = "pending"
                elif not table["forfeit"]:
                    day.state = "played"
                else:
                    day.state = "lost" if got[seat] <= self.loss(len(seats)) else "won"
        for bye in round_["byes"]:
            day = self.days[bye["entrant"]][number]
            day.state = {"pairing": "full", "full": "full", "half": "half", "zero": "zero"}[bye["kind"]]
            day.points = Fraction(bye["points"], 10)

    # Article 16: the contribution of opponents.

    def is_drawn_by_fore(self, number, day, fore):
        return fore and self.rounds == self.last and number == self.last - 1 and bool(day.others)

    def own(self, i, fore):
        return sum(
            self.draw(self.size(day)) if self.is_drawn_by_fore(number, day, fore) else day.points
            for number, day in enumerate(self.days[i])
        )

    def adjusted(self, i, fore):
        if self.rr:
            return self.own(i, fore)
        days = self.days[i]
        available = [
            number for number, day in enumerate(days) if not day.is_vur or self.is_drawn_by_fore(number, day, fore)
        ]
        last = max(available, default=-1)
        total = Fraction(0)
        for number, day in enumerate(days):
            if self.is_drawn_by_fore(number, day, fore) or (day.is_bye and number > last):
                total += self.draw(self.size(day))
            else:
                total += day.points
        return total

    def pieces(self, i, fore, forfeits):
        """For each round that counts: opponent's worth, the day, and whether it is a cut-first VUR."""
        result = []
        mean = lambda day: floor(
            Fraction(100) * sum(self.adjusted_all[j] for j, _ in day.others) / len(day.others)
        ) * Fraction(1, 100)
        for number, day in enumerate(self.days[i]):
            forfeit = day.state in ("won", "lost")
            if (
                day.state == "played"
                or (forfeit and (forfeits or self.rr))
                or self.is_drawn_by_fore(number, day, fore)
            ):
                if day.others:
                    result.append((mean(day), day, False))
            elif day.state in ("pending", "void") or self.rr:
                continue
            else:
                cap = mean(day) if forfeit and day.others else None
                if not forfeit:
                    cap = self.draw(self.told["seats"]) * self.rounds
                worth = self.own(i, fore)
                result.append((worth if cap is None else min(worth, cap), day, day.is_vur))
        return result

    def weight(self, day):
        """The factor by which Sonneborn-Berger multiplies the opponent's contribution."""
        if self.size(day) == 2:
            return day.points
        if day.state == "played":
            beaten = sum(Fraction(2 if day.points > p else 1 if day.points == p else 0, 2) for _, p in day.others)
            return beaten / len(day.others)
        win = self.win(self.size(day))
        return min(day.points, win) / win

    def buchholz(self, name, low, high, forfeits):
        fore = name == "FB"
        self.adjusted_all = {i: self.adjusted(i, fore) for i in self.ids}
        figures = {}
        for i in self.ids:
            items = []
            for worth, day, vur in self.pieces(i, fore, forfeits):
                value = floor(100 * worth * self.weight(day)) * Fraction(1, 100) if name == "SB" else worth
                items.append((worth, value, vur))
            for _ in range(low):
                if not items:
                    break
                least = min(items, key=lambda item: item[:2])
                volunteers = [item for item in items if item[2]]
                if volunteers:
                    lowest = min(volunteers, key=lambda item: (item[1], item[0]))
                    least = lowest if lowest[1] >= least[1] else least
                items.remove(least)
            for _ in range(high):
                if items:
                    items.remove(max(items, key=lambda item: item[:2]))
            figures[i] = sum((item[1] for item in items), Fraction(0))
        return figures

    # Article 7, and Koya.

    def count(self, name):
        figures = {}
        for i in self.ids:
            total = Fraction(0)
            for day in self.days[i]:
                if day.state in ("pending", "void"):
                    continue
                over_the_board = day.state == "played" or (self.rr and day.state == "won")
                full = day.points >= self.win(self.size(day))
                if name == "WIN":
                    total += full
                elif name == "WON":
                    total += full and over_the_board
                elif name == "BPG":
                    total += day.seat == 2 and over_the_board
                elif name == "BWG":
                    total += day.seat == 2 and over_the_board and full
                elif name == "REP":
                    total += not day.is_vur
                elif name == "STD":
                    against = day.others[0][1] if day.state == "played" else self.draw(2)
                    total += 1 if day.points > against else HALF if day.points == against else 0
            figures[i] = total
        return figures

    def progressive(self, cut):
        return {
            i: sum(
                (sum(day.points for day in self.days[i][: number + 1]) for number in range(cut, self.rounds)),
                Fraction(0),
            )
            for i in self.ids
        }

    def koya(self, limit):
        rounds = self.rounds
        if self.rr:
            rounds = max((sum(1 for d in self.days[i] if d.others and d.state != "void") for i in self.ids), default=0)
        most = self.win(2) * rounds
        if limit is None or limit[0] in "+-":
            bound = most / 2 + HALF * int(limit or 0)
        else:
            bound = most * int(limit) / 100
        return {
            i: sum(
                (
                    day.points
                    for day in self.days[i]
                    if day.others and day.state not in ("pending", "void") and self.score[day.others[0][0]] >= bound
                ),
                Fraction(0),
            )
            for i in self.ids
        }

    # Article 10.

    def ratings(self, name, low, high, unrated):
        rating = {i: self.told["entrants"][i - 1]["rating"] or unrated for i in self.ids}
        if None in rating.values():
            return {i: None for i in self.ids}
        if name == "RTNG":
            return rating
        met = {i: [j for day in self.days[i] if day.state == "played" for j, _ in day.others] for i in self.ids}
        share = {
            i: sum(
                Fraction(1) if day.points >= self.win(2) else HALF if self.loss(2) < day.points >= self.draw(2) else 0
                for day in self.days[i]
                if day.state == "played" and len(day.others) == 1
            )
            for i in self.ids
        }

        def aro(i):
            numbers = sorted(rating[j] for j in met[i])[low:]
            numbers = numbers[: len(numbers) - high] if high < len(numbers) else [] if high else numbers
            return half_up(Fraction(sum(numbers), len(numbers))) if numbers else None

        def tpr(i):
            if not met[i]:
                return None
            percent = half_up(100 * share[i] / len(met[i]))
            return aro(i) + (FROM_SHARE[percent] if percent >= 50 else -FROM_SHARE[100 - percent])

        def expected(mine, other):
            better = EXPECTED[min(abs(mine - other), 736)]
            return better if mine >= other else 100 - better

        def ptp(i):
            if not met[i]:
                return None
            opponents = [rating[j] for j in met[i]]
            if share[i] == 0:
                return min(opponents) - 800
            mine = min(opponents) - 736
            # The expectation grows with the rating: search in steps of a hundred, then of one.
            for step in (100, 1):
                while sum(expected(mine, other) for other in opponents) < 100 * share[i]:
                    mine += step
                mine -= step
            return mine + 1

        if name == "ARO":
            return {i: aro(i) for i in self.ids}
        own = {i: (tpr if name in ("TPR", "APRO") else ptp)(i) for i in self.ids}
        if name in ("TPR", "PTP"):
            return own
        figures = {}
        for i in self.ids:
            of_others = [own[j] for j in met[i] if own[j] is not None]
            figures[i] = half_up(Fraction(sum(of_others), len(of_others))) if of_others else None
        return figures

    # Article 6.

    def encounter(self, tied, forfeits):
        places = {}
        self.rank_tied(list(tied), 1, places, forfeits or self.rr)
        return places

    def rank_tied(self, group, first, places, forfeits):
        for i in group:
            places[i] = first
        if len(group) < 2:
            return
        won, missing = {}, {}
        for i in group:
            results = {}
            for day in self.days[i]:
                if day.state == "played" or (forfeits and day.state in ("won", "lost")):
                    for j, points in day.others:
                        if j in group:
                            duel = Fraction(2 if day.points > points else 1 if day.points == points else 0, 2)
                            results.setdefault(j, []).append(day.points if day.size == 2 else duel)
            won[i] = sum((sum(of) / len(of) for of in results.values()), Fraction(0))
            missing[i] = len(group) - 1 - len(results)
        best = self.win(2) if self.told["seats"] == 2 else 1
        ceiling = {i: won[i] + missing[i] * best for i in group}
        if self.rr or not any(missing.values()):
            if len(set(won.values())) == 1:
                return
            ordered = sorted(group, key=lambda i: -won[i])
            for _, part in groupby(ordered, key=lambda i: won[i]):
                part = list(part)
                self.rank_tied(part, first, places, forfeits)
                first += len(part)
            return
        rest, place = list(group), first
        while rest:
            leader = max(rest, key=lambda i: won[i])
            if len(rest) > 1 and all(won[leader] > ceiling[j] for j in rest if j != leader):
                places[leader] = place
                place += 1
                rest.remove(leader)
            else:
                break
        if len(rest) < len(group):
            self.rank_tied(rest, place, places, forfeits)

    # Everything together.

    def figures(self, text, groups):
        name, *modifiers = text.split("/")
        low = high = 0
        limit = unrated = None
        for modifier in modifiers:
            if modifier[0] in "CM":
                low = int(modifier[1:])
                high = low if modifier[0] == "M" else 0
            elif modifier[0] == "L":
                limit = modifier[1:]
            elif modifier[0] == "U":
                unrated = int(modifier[1:])
        forfeits = "P" in modifiers
        if name == "DE":
            figures = {i: None for i in self.ids}
            for group in groups:
                if len(group) > 1:
                    figures.update(self.encounter(group, forfeits))
            return figures, False
        if name == "TPN":
            return {i: i for i in self.ids}, "R" in modifiers
        if name == "AOB":
            of_all = self.buchholz("FB" if "F" in modifiers else "BH", 0, 0, False)
            met = {i: [j for day in self.days[i] if day.state == "played" for j, _ in day.others] for i in self.ids}
            mean = {i: sum(of_all[j] for j in met[i]) / len(met[i]) if met[i] else None for i in self.ids}
            return {i: None if m is None else Fraction(half_up(100 * m), 100) for i, m in mean.items()}, True
        if name in ("BH", "FB", "SB"):
            return self.buchholz(name, low, high, forfeits), True
        if name == "PS":
            return self.progressive(low), True
        if name == "KS":
            return self.koya(limit), True
        if name in ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG"):
            return self.ratings(name, low, high, unrated), "R" not in modifiers
        return self.count(name), True

    def standings(self):
        def is_there(i):
            facts = self.told["entrants"][i - 1]
            return facts["withdrew_after"] != 0 and facts["entered_after"] <= self.rounds

        ranked = [i for i in self.ids if is_there(i) and i not in self.void]
        groups = [list(of) for _, of in groupby(sorted(ranked, key=lambda i: (-self.score[i], i)), lambda i: self.score[i])]
        columns = []
        for text in self.told["tie_breaks"]:
            figures, is_higher_better = self.figures(text, groups)
            columns.append((text, figures))

            def key(i):
                figure = figures[i]
                return (1, 0) if figure is None else (0, -figure if is_higher_better else figure)

            groups = [
                list(of) for group in groups for _, of in groupby(sorted(group, key=lambda i: (key(i), i)), key)
            ]
        rows, place = [], 1
        for group in groups:
            rows.extend((i, place) for i in group)
            place += len(group)
        rows.extend((i, None) for i in self.ids if is_there(i) and i in self.void)
        return [
            {
                "entrant": i,
                "place": place,
                "points": points_text(self.score[i]),
                "figures": [figure_text(text, figures[i]) for text, figures in columns],
            }
            for i, place in rows
        ]


WHOLE = ("DE", "WIN", "WON", "BPG", "BWG", "REP", "TPN", "ARO", "TPR", "PTP", "APRO", "APPO", "RTNG")


def points_text(number):
    hundredths = floor(100 * number)
    return f"{hundredths // 100}.{hundredths % 100:02}".removesuffix("0")


def figure_text(text, figure):
    if figure is None:
        return None
    return str(int(figure)) if text.split("/")[0] in WHOLE else points_text(figure)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(Tournament(json.loads(line)).standings()))

"""What is counted in Triforce."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from figures.tally import Tally, pairs

SEATS_MAX = 6
SECRETS = SIMULTANEOUS = False
BY_SEAT = ["swordsWon", "swordsLost", "shieldsWon", "shieldsLost", "piecesLost"]
MEASURES = ["turns", "pinnedTurns", "placements", "moves", "tallest", "combats", "attackerCombats", "attackerLosses",
            "sharedLosses", "swordsWon", "swordsWonWinner", "swordsLost", "swordsLostWinner", "shieldsWon",
            "shieldsWonWinner", "shieldsLost", "shieldsLostWinner", "piecesLost", "piecesLostWinner",
            "territoriesWinner"]
HEAT = ["visits", "combats", "captures"]
LUCK = ["rolls", "combats"]

# The expected total of each hand, in millionths of a pip. A hand is named by its dice.
PIPS = {("d12",): 6_500_000, ("d20",): 10_500_000, ("d12", "d12"): 13_000_000}
PLAIN, SHIELD, SWORD = ("d12",), ("d20",), ("d12", "d12")


def count(lines, winners):
    tally = Tally(MEASURES)
    by_seat = {(name, seat): 0 for name in BY_SEAT for seat in range(1, 7)}

    def add(name, seat):
        tally.add(name)
        by_seat[name, seat] += 1

    for before, by, action, after in pairs(lines):
        old, new = before["position"], after["position"]
        if action.startswith("+"):
            arrive(tally, "placements", old["pawns"][by - 1], new)
        elif action[0] in "abcde" and "-" in action:
            arrive(tally, "moves", action.split("-")[1], new)
        elif action == "pass":
            tally.add("pinnedTurns")
        elif action.startswith("sword:"):
            add("swordsWon", by)
        elif action.startswith("shield:"):
            add("shieldsWon", by)
        elif action.startswith("roll:"):
            combat(tally, add, before, action)
        tally.add("turns", int(new["turn"] != old["turn"] or new["phase"] == "over"))
    winner = winners[0] if len(winners) == 1 else None
    for name in BY_SEAT:
        tally.set(name + "Winner", by_seat.get((name, winner)))
    stacks = lines[-1]["position"]["stacks"].values()
    tally.set("territoriesWinner", winner and sum(stack[0][0] == str(winner) for stack in stacks))
    return tally.told()


def arrive(tally, name, place, position):
    tally.add(name)
    tally.mark("visits", place)
    tally.raised("tallest", len(position["stacks"][place]))


def combat(tally, add, before, action):
    position = before["position"]
    hands = {int(seat): tuple(dice) for seat, dice in before["prompt"]["chance"]["dice"].items()}
    rolls = dict(part.split("=") for part in action.removeprefix("roll:").split(","))
    totals = {int(seat): sum(map(int, dice.split("+"))) for seat, dice in rolls.items()}
    # Among equal totals the shield is lowest and the sword highest.
    ranks = {seat: rank(totals[seat], hands[seat]) for seat in hands}
    losers = [seat for seat in hands if ranks[seat] == min(ranks.values())]
    tally.add("combats")
    tally.mark("combats", position["fight"])
    tally.add("sharedLosses", int(len(losers) > 1))
    tally.add("attackerCombats", int(position["turn"] in hands))
    tally.add("attackerLosses", int(position["turn"] in losers))
    for seat in losers:
        add({SWORD: "swordsLost", SHIELD: "shieldsLost", PLAIN: "piecesLost"}[hands[seat]], seat)
        if hands[seat] == PLAIN:
            tally.mark("captures", position["fight"])
    wins = chances(tuple(sorted(hands.values())))
    for seat, hand in hands.items():
        tally.chance("rolls", seat, PIPS[hand], totals[seat])
        tally.chance("combats", seat, wins[hand], int(seat not in losers))


def rank(total, hand):
    return total, (SHIELD, PLAIN, SWORD).index(hand)


@lru_cache(maxsize=None)
def chances(hands):
    """For each hand, the probability of not being among the lowest, in millionths, rounded: over all
    totals, weighted by frequency."""
    ways = {SHIELD: totals(20), PLAIN: totals(12), SWORD: totals(12, 12)}
    all = 1
    for hand in hands:
        all *= sum(ways[hand].values())
    likely = {}
    for hand in set(hands):
        others = list(hands)
        others.remove(hand)
        lost = 0
        for total, often in ways[hand].items():
            # Nobody else is lower.
            for other in others:
                often *= sum(n for found, n in ways[other].items() if rank(found, other) >= rank(total, hand))
            lost += often
        likely[hand] = int(Fraction(all - lost, all) * 1_000_000 + Fraction(1, 2))
    return likely


def totals(*dice):
    ways = {}
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        ways[sum(faces)] = ways.get(sum(faces), 0) + 1
    return ways

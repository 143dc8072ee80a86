"""What is counted in Triforce Building, round by round."""

from collections import Counter

from figures.tally import Tally, pairs

SEATS_MAX = 13
SECRETS = SIMULTANEOUS = True
MEASURES = ["rounds", "steps", "stays", "garnetsSpent", "garnetsSpentWinners", "garnetsWon", "garnetsEnd",
            "firstPowered", "firstWinnerPowered", "winnersPowered", "poweredSeats", "poweredRounds", "triforces",
            "firstTriforce", "seatsRemoved", "priorityAtRemoval", "freshRemovals", "crowdMost"]
HEAT = ["visits", "powered", "removals"]
LUCK = []


def count(lines, winners):
    tally = Tally(MEASURES)
    submitted, powered_in, spent, priorities = {}, {}, Counter(), []
    for before, seat, action, after in pairs(lines):
        submitted[seat] = action
        old, new = before["position"], after["position"]
        if new["round"] != old["round"] or new["over"]:
            resolve(tally, old, new, submitted, powered_in, spent, priorities)
            submitted = {}
    end = lines[-1]["position"]
    won = sorted(powered_in[seat] for seat in winners if seat in powered_in)
    half = (len(winners) + 1) // 2
    tally.set("garnetsSpentWinners", sum(spent[seat] for seat in winners) if winners else None)
    tally.set("garnetsEnd", sum(end["garnets"]))
    tally.set("firstPowered", min(powered_in.values(), default=None))
    tally.set("firstWinnerPowered", won[0] if won else None)
    tally.set("winnersPowered", won[half - 1] if winners and len(won) >= half else None)
    tally.set("poweredSeats", sum(end["powered"]))
    tally.set("triforces", len(end["made"]))
    tally.set("firstTriforce", end["made"][0]["round"] if end["made"] else None)
    # In whole percent, rounding halves up.
    highest = end["setup"]["players"] * len(priorities)
    tally.set("priorityAtRemoval", (200 * sum(priorities) + highest) // (2 * highest) if priorities else None)
    return tally.told()


def resolve(tally, old, new, submitted, powered_in, spent, priorities):
    tally.add("rounds")
    crowd = Counter()
    for index, cell in enumerate(old["cells"]):
        if cell is None:
            continue
        seat = index + 1
        steps = submitted[seat].rstrip("!").strip("-")
        tally.add("steps", len(steps))
        tally.add("stays", int(not steps))
        spends = submitted[seat].endswith("!")
        tally.add("garnetsSpent", int(spends))
        spent[seat] += spends
        cell = walked(cell, steps)
        tally.mark("visits", cell)
        crowd[cell] += 1
        is_powered = new["powered"][index]
        tally.add("poweredRounds", int(is_powered))
        is_fresh = is_powered and not old["powered"][index]
        if is_fresh:
            powered_in[seat] = old["round"]
            tally.mark("powered", cell)
        if new["cells"][index] is None:
            tally.mark("removals", cell)
            tally.add("seatsRemoved")
            tally.add("freshRemovals", int(is_fresh))
            tally.add("garnetsWon", new["garnets"][index] - old["garnets"][index] + spends)
            priorities.append(unshifted(new, index))
    tally.raised("crowdMost", max(crowd.values()))


def walked(cell, steps):
    """A cell is `row.number`; cells with an odd number point upwards."""
    row, number = map(int, cell.split("."))
    for step in steps:
        if step == "D":
            row, number = row + 1, number + 1
        elif step == "U":
            row, number = row - 1, number - 1
        else:
            number += 1 if step == "R" else -1
    return f"{row}.{number}"


def unshifted(position, index):
    """The priority at the end of the round: before the shift that began the next one, if there was
    one, from round 3 on."""
    priority, players = position["priority"][index], position["setup"]["players"]
    if position["over"] or position["round"] < 3:
        return priority
    return (priority + position["round"] - 1) % players + 1

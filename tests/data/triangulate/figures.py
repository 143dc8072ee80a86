"""What is counted in Triangulate."""

from figures.tally import Tally, pairs

SEATS_MAX = 2
SECRETS = SIMULTANEOUS = False
MEASURES = ["stacks", "blocks", "slides", "slidesWinner", "longestSlide", "padsMost", "padsEnd", "padsWinner",
            "padsReplaced", "extraPad", "wonBySlide"]
HEAT = ["visits", "stacks", "pads", "replaced"]
LUCK = []


def count(lines, winners):
    tally = Tally(MEASURES)
    slides, lengths, second_moved = {1: 0, 2: 0}, [], False
    for before, seat, action, after in pairs(lines):
        if action == "pass":
            continue
        move, _, extra = action.partition("+")
        start, end = move.split("-")
        length = max(abs(ord(start[0]) - ord(end[0])), abs(int(start[1]) - int(end[1])))
        old, new = before["position"]["board"], after["position"]["board"]
        second_moved |= seat != before["position"].get("first", 1)
        tally.mark("visits", end)
        if length > 1:
            tally.add("slides")
            slides[seat] += 1
            lengths.append(length)
        there = old.get(end, {}).get("frogs", [])
        if len(there) == 1:
            tally.add("stacks")
            tally.mark("stacks", end)
            tally.add("blocks", int(there[0] != seat))
        tally.add("extraPad", int(extra != ""))
        for square in {*old, *new}:
            was, now = old.get(square, {}).get("pad"), new.get(square, {}).get("pad")
            if now == seat and was != seat:
                tally.mark("pads", square)
                if was is not None:
                    tally.add("padsReplaced")
                    tally.mark("replaced", square)
        if len(new[end]["frogs"]) == 3:
            tally.set("wonBySlide", int(length > 1))
    for line in lines:
        tally.raised("padsMost", pads(line, (1, 2)))
    winner = winners[0] if len(winners) == 1 else None
    tally.set("slidesWinner", slides.get(winner))
    tally.set("longestSlide", max(lengths, default=None))
    tally.set("padsEnd", pads(lines[-1], (1, 2)))
    tally.set("padsWinner", winner and pads(lines[-1], (winner,)))
    if not second_moved:
        tally.set("extraPad", None)
    if all(len(square.get("frogs", [])) < 3 for square in lines[-1]["position"]["board"].values()):
        tally.set("wonBySlide", None)
    return tally.told()


def pads(line, owners):
    return sum(square.get("pad") in owners for square in line["position"]["board"].values())

"""What is counted in Heaps."""

from figures.tally import Tally, pairs

SEATS_MAX = 4
SECRETS = SIMULTANEOUS = True
MEASURES = ["rounds", "takes", "clashes", "stones", "stonesWinner", "scoreWinner", "largestTake", "heapsEmpty"]
HEAT = ["visits", "stones"]
LUCK = ["rolls"]


def count(lines, winners):
    tally = Tally(MEASURES)
    reached = {}
    for before, by, action, after in pairs(lines):
        verb, _, what = action.partition(":")
        if verb == "reach":
            tally.mark("visits", what)
            reached[by] = what
            if len(reached) == len(before["position"]["pledges"]):
                heaps = list(reached.values())
                alone = {seat: heap for seat, heap in reached.items() if heaps.count(heap) == 1}
                tally.add("clashes", len(reached) - len(alone))
                reached = {}
        elif verb == "roll":
            for seat, heap in alone.items():
                index = int(heap[1:]) - 1
                taken = [line["position"]["taken"][seat - 1][index] for line in (before, after)]
                tally.add("takes")
                tally.add("stones", taken[1] - taken[0])
                tally.raised("largestTake", taken[1] - taken[0])
                tally.mark("stones", heap, taken[1] - taken[0])
                tally.chance("rolls", seat, 3_500_000, int(what))
        tally.add("rounds", after["position"]["round"] - before["position"]["round"])
    last = lines[-1]["position"]
    taken = last["taken"][winners[0] - 1] if len(winners) == 1 else None
    pledge = taken and last["pledges"][winners[0] - 1]
    tally.set("stonesWinner", taken and sum(taken))
    tally.set("scoreWinner", taken and sum(taken) + (taken[int(pledge[1:]) - 1] if pledge else 0))
    tally.set("heapsEmpty", last["heaps"].count(0))
    return tally.told()

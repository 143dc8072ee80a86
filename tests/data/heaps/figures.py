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
    stones = score = None
    team = winners[:1]
    if winners and last["setup"].get("teams"):
        team = [seat for seat in range(1, len(last["taken"]) + 1) if (seat - winners[0]) % 2 == 0]
    if winners and winners == team:
        rows = [(last["taken"][seat - 1], last["pledges"][seat - 1]) for seat in winners]
        stones = sum(sum(taken) for taken, _ in rows)
        score = stones + sum(taken[int(pledge[1:]) - 1] for taken, pledge in rows if pledge)
    tally.set("stonesWinner", stones)
    tally.set("scoreWinner", score)
    tally.set("heapsEmpty", last["heaps"].count(0))
    return tally.told()

"""What is counted while stepping through a game."""

from collections import Counter, defaultdict


class Tally:
    """Numbers by name, counts by place, luck by seat."""

    def __init__(self, names):
        self.values = dict.fromkeys(names, 0)
        self.heat = Counter()
        self.luck = defaultdict(lambda: [0, 0, 0])

    def add(self, name, more=1):
        self.values[name] += more

    def raised(self, name, to):
        self.values[name] = max(self.values[name], to)

    def set(self, name, value):
        assert name in self.values, name
        self.values[name] = value

    def mark(self, what, place, count=1):
        self.heat[what, place] += count

    def chance(self, name, seat, expected, actual):
        """`expected` in millionths."""
        sums = self.luck[name, seat]
        for index, more in enumerate((1, expected, actual)):
            sums[index] += more

    def told(self):
        return self.values, self.heat, self.luck


def pairs(lines):
    """Each action with the position before and after it."""
    return [(before, after["by"], after["action"], after) for before, after in zip(lines, lines[1:])]

"""How numbers are spread: percentiles and histograms."""

import math

BINS_MAX = 20


def of(database, values, parameters=()):
    """The distribution of the numbers that a query returns."""
    database.execute("drop table if exists numbers")
    database.execute("create temp table numbers (value)")
    database.execute(f"insert into numbers {values}", parameters)
    count, least, most, mean = database.execute(
        "select count(*), min(value), max(value), sum(value) * 1.0 / count(*) from numbers").fetchone()
    told = {"count": count, "min": least, "max": most, "mean": mean}
    for name, percent in (("median", 50), ("p10", 10), ("p90", 90)):
        told[name] = nearest_rank(database, count, percent)
    told["histogram"] = histogram(database, least, most) if count else []
    return told


def nearest_rank(database, count, percent):
    """The smallest value that at least this many percent of the values do not exceed."""
    if count == 0:
        return None
    rank = max(1, -(-count * percent // 100))
    return database.execute("select value from numbers order by value limit 1 offset ?", (rank - 1,)).fetchone()[0]


def histogram(database, least, most):
    """At most 20 bins whose width is 1, 2 or 5 times a power of ten, whole for whole numbers and never
    below a thousandth; the narrowest possible."""
    is_whole = database.execute("select min(value = round(value)) from numbers").fetchone()[0]
    power = 1.0 if is_whole else 0.001
    while True:
        for factor in (1, 2, 5):
            width = factor * power
            first, last = math.floor(least / width), math.floor(most / width)
            if last - first < BINS_MAX:
                return bins(database, width, first, last)
        power = power * 10 if power >= 1 else {0.001: 0.01, 0.01: 0.1, 0.1: 1.0}[power]


def bins(database, width, first, last):
    # A cast cuts off towards zero; bins of negative numbers begin below them.
    binned = "select cast(value / ?1 as integer) - (value / ?1 < cast(value / ?1 as integer)) bin, count(*) from numbers group by bin"
    found = dict(database.execute(binned, (width,)).fetchall())
    return [{"key": key(bin * width), "count": found.get(bin, 0)} for bin in range(first, last + 1)]


def key(bound):
    return f"{bound:.3f}".rstrip("0").rstrip(".")

#!/usr/bin/env python3
"""Computes explorer and statistics again, from exported games, and compares them with answers.

    statistics.py PLYBOOK RECORDS ANSWERS

PLYBOOK is the program; only `plybook rules` is used, which folds a game into lines of JSON.
RECORDS is the output of `plybook export --format json`. ANSWERS is a list of objects: `field`
(`statistics` or `explore`) and the arguments `kind`, `filter`, `setup`, `actions` of the
query, and `answer`, the answer of GraphQL.

Games, seats, plies, positions and what is counted in them go into SQLite tables, and every figure
is a query over those. Only the rules are shared with the service: every measure is implemented a
second time in `data/<kind>/figures.py`, from the pages of the games. Prints every difference; the exit
status is 1 if there is one.
"""

import json
import sys

from figures import answers, load


def main():
    program, records, asked = sys.argv[1:]
    database = load.database(program, records)
    with open(asked, encoding="utf-8") as file:
        asked = json.load(file)
    compared, differences = 0, []
    for question in asked:
        expected = answers.answer(database, program, question)
        name = json.dumps({key: question[key] for key in question if key != "answer"}, sort_keys=True)
        found = list(differ(question["field"], expected, answers.normal(question)))
        differences += [f"{name}: {why}" for why in found]
        compared += count(expected)
    for why in differences:
        print(why)
    games, plies = (database.execute(f"select count(*) from {table}").fetchone()[0] for table in ("games", "plies"))
    print(f"{compared} figures of {games} games with {plies} plies compared, {len(differences)} differ")
    return 1 if differences else 0


def differ(path, expected, found):
    """The differences between two values. Numbers other than counts may differ in their last bits."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            if key not in found:
                yield f"{path}.{key}: expected {expected[key]!r}, it is missing"
            elif key not in expected:
                yield f"{path}.{key}: not expected, it is {found[key]!r}"
            else:
                yield from differ(f"{path}.{key}", expected[key], found[key])
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: expected {len(expected)} entries, there are {len(found)}"
        for index, pair in enumerate(zip(expected, found)):
            named = isinstance(pair[0], dict) and pair[0].get("name")
            yield from differ(f"{path}[{named or index}]", *pair)
    elif isinstance(expected, float) or isinstance(found, float):
        is_number = isinstance(expected, (int, float)) and isinstance(found, (int, float))
        if not is_number or abs(expected - found) > 1e-9 * max(1, abs(expected)):
            yield f"{path}: expected {expected!r}, it is {found!r}"
    elif expected != found:
        yield f"{path}: expected {expected!r}, it is {found!r}"


def count(value):
    """How many individual figures a value has."""
    if isinstance(value, dict):
        return sum(count(member) for member in value.values())
    return sum(map(count, value)) if isinstance(value, list) else 1


if __name__ == "__main__":
    sys.exit(main())

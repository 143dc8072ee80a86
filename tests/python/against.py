#!/usr/bin/env python3
"""Times the service against databases that hold the same games, in one run.

    plybook bench --games 100000 --only-fill --data DIR
    pip install duckdb rocksdict
    against.py PLYBOOK DIR [KIND] [TIMES]

PLYBOOK serves a store of generated games. All recorded games of KIND (`tri` by default) are read from it over GraphQL and
put into DuckDB (a row a game, a column a figure), SQLite (a table with an index for each order, and tables of players and
tags) and RocksDB (the layout of lila-openingexplorer: a key of position and month, with the counts of each action as the
value). Then each question is asked TIMES times (200 by default) of both, in turn. The service is asked over HTTP, from the text of
the query to the parsed answer; the databases run in this process, with prepared statements. What they find must be
what the service finds. Times are on the wall, in ms: run this on a quiet machine.
"""

import collections
import http.client
import json
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

try:
    import duckdb
    import rocksdict
except ImportError as why:
    raise SystemExit(f"{why}\n\n{__doc__}")

PAGE = 25
PLIES = 12

STATISTICS = """fragment D on Distribution { count min max mean median p10 p90 }
query($kind: String!, $filter: GameFilter) { statistics(kind: $kind, filter: $filter) {
  games finished results { wins draws other } plies { ...D } reasons { key count } byMonth { key count }
  firstActions { action games } measures { name distribution { ...D } } } }"""

LIST = """query($filter: GameFilter, $order: GameOrder!) {
  games(first: %d, filter: $filter, orderBy: $order) { totalCount nodes { id } } }""" % PAGE

NODE = """query($kind: String!, $key: Hash!) { explore(kind: $kind, positionKey: $key) {
  games actions(first: 200) { action games results { wins draws other } } } }"""

READ = """query($kind: String!, $after: String) { games(first: 40, after: $after, orderBy: CREATED_ASC, filter: {kind: $kind}) {
  pageInfo { hasNextPage endCursor }
  nodes { id status ply playedAt createdAt tags seats { player { id } } outcome { winners reason }
    figures { measures { name value } } moves(first: 500) { nodes { action positionKey } } } } }"""


class Service:
    """The program, serving a store, and a connection to it."""

    def __init__(self, program, data):
        limits = ["--client-burst", "0", "--admin-burst", "0", "--operation-cost", "10000000", "--operation-cpu-ms", "60000"]
        command = [program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--metrics-listen", "off", *limits]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = next(re.findall("http://([^/]+)", line)[0] for line in self.process.stdout if "Plybook is at" in line)
        self.connection = http.client.HTTPConnection(address)
        self.asked = 0

    def ask(self, query, **variables):
        # No two queries are the same, so that no answer is a kept one.
        self.asked += 1
        body = json.dumps({"query": f"{query} # {self.asked}", "variables": variables})
        self.connection.request("POST", "/graphql", body, {"content-type": "application/json"})
        answer = json.load(self.connection.getresponse())
        if "errors" in answer:
            raise SystemExit(answer["errors"])
        return answer["data"]

    def games(self, kind):
        after, read = None, 0
        while True:
            page = self.ask(READ, kind=kind, after=after)["games"]
            for game in page["nodes"]:
                # In little memory: a million games have some fifty million moves.
                game["moves"] = [(sys.intern(move["action"]), bytes.fromhex(move["positionKey"])) for move in game["moves"]["nodes"]]
                yield game
            read += len(page["nodes"])
            print(f"\r{read} games read", end="", file=sys.stderr, flush=True)
            if not page["pageInfo"]["hasNextPage"]:
                print(file=sys.stderr)
                return
            after = page["pageInfo"]["endCursor"]


class Columns:
    """The games in DuckDB."""

    def __init__(self, games):
        self.measures = [measure["name"] for measure in games[0]["figures"]["measures"]] if games else []
        self.database = duckdb.connect()
        columns = {"id": "VARCHAR", "status": "VARCHAR", "ply": "INTEGER", "played": "VARCHAR", "reason": "VARCHAR",
                   "winner": "INTEGER", "is_finished": "BOOLEAN", "first": "VARCHAR", "player": "VARCHAR[]",
                   **{f"m{index}": "DOUBLE" for index in range(len(self.measures))}}
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            for game in games:
                outcome = game["outcome"] or {"winners": None, "reason": None}
                row = {"id": game["id"], "status": game["status"], "ply": game["ply"], "played": game["playedAt"],
                       "reason": outcome["reason"], "is_finished": game["outcome"] is not None,
                       "winner": sum(1 << seat for seat in outcome["winners"] or []),
                       "first": next((action for action, _ in game["moves"]), None), "player": players(game)}
                figures = {figure["name"]: figure["value"] for figure in (game["figures"] or {"measures": []})["measures"]}
                row |= {f"m{index}": figures.get(name) for index, name in enumerate(self.measures)}
                file.write(json.dumps(row) + "\n")
            file.flush()
            self.database.execute(f"CREATE TABLE games AS SELECT * FROM "
                                  f"read_json('{file.name}', format='newline_delimited', columns={columns})")

    def statistics(self, filter):
        where, given = ["status <> 'VOID'"], []
        for name, value in filter.items():
            where.append({"status": "status = ?", "minPly": "ply >= ?", "maxPly": "ply <= ?", "reason": "reason = ?",
                          "since": "played >= ?", "player": "list_contains(player, ?)"}[name])
            given.append(value[0] if name == "tags" else value)
        spread = "count({0}), min({0}), max({0}), avg({0}), quantile_disc({0}, [0.1, 0.5, 0.9])".format
        columns = ["ply", *(f"m{index}" for index in range(len(self.measures)))]
        wins = ", ".join(f"count(*) FILTER (winner & {1 << seat} <> 0)" for seat in range(1, 14))
        ask = lambda sql: self.database.execute(f"WITH g AS (SELECT * FROM games WHERE {' AND '.join(where)}) {sql}", given).fetchall()
        totals = ask(f"SELECT count(*), count(*) FILTER (is_finished), count(*) FILTER (is_finished AND winner = 0), {wins}, "
                     f"{', '.join(map(spread, columns))} FROM g")[0]
        return {
            "games": totals[0], "finished": totals[1], "plies": totals[16:21],
            "reasons": dict(ask("SELECT reason, count(*) FROM g WHERE is_finished GROUP BY ALL")),
            "months": dict(ask("SELECT played[:7], count(*) FROM g GROUP BY ALL")),
            "first": ask("SELECT first, count(*) FROM g GROUP BY ALL ORDER BY ALL LIMIT 20"),
        }


class Table:
    """The games in SQLite."""

    ORDERS = {"PLAYED_DESC": "played DESC", "PLAYED_ASC": "played ASC", "PLY_DESC": "ply DESC", "PLY_ASC": "ply ASC"}

    def __init__(self, games):
        self.database = sqlite3.connect(":memory:")
        self.database.executescript("""
            CREATE TABLE games (id TEXT PRIMARY KEY, status TEXT, ply INTEGER, played TEXT, reason TEXT) WITHOUT ROWID;
            CREATE TABLE players (player TEXT, game TEXT, PRIMARY KEY (player, game)) WITHOUT ROWID;
            CREATE TABLE tags (tag TEXT, game TEXT, PRIMARY KEY (tag, game)) WITHOUT ROWID;""")
        for game in games:
            reason = (game["outcome"] or {"reason": None})["reason"]
            self.database.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)",
                                  [game["id"], game["status"], game["ply"], game["playedAt"], reason])
            self.database.executemany("INSERT OR IGNORE INTO players VALUES (?, ?)", [(player, game["id"]) for player in players(game)])
            self.database.executemany("INSERT INTO tags VALUES (?, ?)", [(f"{name}={value}", game["id"]) for name, value in game["tags"].items()])
        self.database.executescript("""
            CREATE INDEX by_played ON games (played, id); CREATE INDEX by_ply ON games (ply, id);
            CREATE INDEX by_status ON games (status, played, id); CREATE INDEX by_reason ON games (reason, played, id);
            ANALYZE;""")

    def page(self, filter, order):
        where, given = [], []
        for name, value in filter.items():
            where.append({"status": "status = ?", "minPly": "ply >= ?", "reason": "reason = ?",
                          "player": "id IN (SELECT game FROM players WHERE player = ?)",
                          "tags": "id IN (SELECT game FROM tags WHERE tag = ?)"}[name])
            given.append(value[0] if name == "tags" else value)
        where = " AND ".join(where) or "true"
        [[total]] = self.database.execute(f"SELECT count(*) FROM games WHERE {where}", given)
        by = self.ORDERS[order]
        found = self.database.execute(f"SELECT id FROM games WHERE {where} ORDER BY {by}, id {by.split()[1]} LIMIT {PAGE}", given)
        return total, [game for (game,) in found]


class Nodes:
    """The positions in RocksDB: by position and month, the counts of each action, as lila-openingexplorer keeps them."""

    ENTRY = struct.Struct("<HIII")

    def __init__(self, games, into):
        counts = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
        numbers = {}
        for game in games:
            if game["status"] == "VOID":
                continue
            month = int(game["playedAt"][:4]) * 12 + int(game["playedAt"][5:7])
            winners = (game["outcome"] or {"winners": None})["winners"]
            which = 2 if winners is None else 1 if not winners else 0
            moves, seen = game["moves"], set()
            for (_, key), (action, _) in zip(moves, moves[1:]):
                if (key, action) not in seen:
                    seen.add((key, action))
                    number = numbers.setdefault(action, len(numbers) & 0xffff)
                    counts[key[:12] + struct.pack(">H", month & 0xffff)][number][which] += 1
        self.database = rocksdict.Rdict(into, rocksdict.Options(raw_mode=True))
        for key in sorted(counts):
            self.database[key] = b"".join(self.ENTRY.pack(number, *each) for number, each in counts[key].items())
        self.database.flush()
        self.database.compact_range(None, None)

    def node(self, key):
        start = key[:12]
        total = collections.defaultdict(lambda: [0, 0, 0])
        for found, value in self.database.items(from_key=start):
            if not found.startswith(start):
                break
            for number, *each in self.ENTRY.iter_unpack(value):
                total[number] = [one + other for one, other in zip(total[number], each)]
        return sorted(sum(each) for each in total.values())


def players(game):
    return [seat["player"]["id"] for seat in game["seats"] if seat["player"]]


def measure(name, goal, questions, ours, theirs, agree):
    """Asks both in turn, compares what they find, and prints a row."""
    times = ([], [])
    for question in questions:
        found = []
        for into, ask in zip(times, (ours, theirs)):
            begun = time.perf_counter()
            found.append(ask(*question))
            into.append((time.perf_counter() - begun) * 1000)
        agree(*found, question)
    at = lambda list, percent: sorted(list)[min(len(list) - 1, len(list) * percent // 100)]
    (ours50, ours99), (theirs50, theirs99) = [[at(each, 50), at(each, 99)] for each in times]
    ratio = theirs50 / ours50
    verdict = "–" if goal is None else "met" if ratio >= goal else "LOST"
    print(f"| {name} | {len(times[0])} | {ours50:.2f} | {ours99:.2f} | {theirs50:.2f} | {theirs99:.2f} | {ratio:.1f} | {goal or '–'} | {verdict} |", flush=True)


def require(is_true, what, *found):
    if not is_true:
        raise SystemExit(f"the answers differ: {what}: {found}")


def main():
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    program, data = sys.argv[1:3]
    kind = sys.argv[3] if len(sys.argv) > 3 else "tri"
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    service = Service(program, data)
    try:
        with tempfile.TemporaryDirectory() as folder:
            compare(service, list(service.games(kind)), kind, count, folder)
    finally:
        service.process.terminate()
        service.process.wait()


def compare(service, games, kind, count, folder):
    draw = random.Random(1)
    columns, table, nodes = Columns(games), Table(games), Nodes(games, folder)
    # The service has closed a connection that was idle for so long; the next question opens another.
    service.connection.close()
    some = lambda: draw.choice(games)
    with_reason = [game for game in games if game["outcome"]]
    seated = [game for game in games if players(game)]
    print(f"{len(games)} games of {kind}\n\n| asked | times | Plybook p50 ms | p99 | they p50 ms | p99 | times faster | goal | |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|---|")

    def statistics(filter):
        return service.ask(STATISTICS, kind=kind, filter=filter)["statistics"]

    def same_statistics(ours, theirs, question):
        keyed = lambda counts: {count["key"]: count["count"] for count in counts}
        require([ours["games"], ours["finished"]] == [theirs["games"], theirs["finished"]], "games", question, ours["games"], theirs["games"])
        require(keyed(ours["byMonth"]) == theirs["months"], "months", question)
        require(keyed(ours["reasons"]) == theirs["reasons"], "reasons", question)
        spread = ours["plies"]
        if spread["count"]:
            require([spread["min"], spread["max"], [spread["p10"], spread["median"], spread["p90"]]]
                    == [theirs["plies"][1], theirs["plies"][2], theirs["plies"][4]], "plies", question, spread, theirs["plies"])

    narrow = [
        lambda: {"reason": draw.choice(with_reason)["outcome"]["reason"], "minPly": draw.randint(20, 40)},
        lambda: {"since": some()["playedAt"], "status": "FINISHED"},
        lambda: {"player": draw.choice(players(draw.choice(seated))), "maxPly": draw.randint(20, 60)},
    ]
    measure("statistics, no filter (DuckDB)", 5, [({},)] * count, statistics, columns.statistics, same_statistics)
    measure("statistics, two filters (DuckDB)", 5, [(draw.choice(narrow)(),) for _ in range(count)], statistics, columns.statistics, same_statistics)

    def page(filter, order):
        return service.ask(LIST, filter={**filter, "kind": kind}, order=order)["games"]

    def same_page(ours, theirs, question):
        require((ours["totalCount"], [game["id"] for game in ours["nodes"]]) == theirs, "page", question, ours["totalCount"], theirs[0])

    lists = [
        lambda: {}, lambda: {"status": "FINISHED"}, lambda: {"reason": draw.choice(with_reason)["outcome"]["reason"]},
        lambda: {"player": draw.choice(players(draw.choice(seated)))},
        lambda: {"tags": ["=".join(map(str, draw.choice(list(some()["tags"].items()))))]},
        lambda: {"status": "FINISHED", "minPly": draw.randint(20, 40)},
    ]
    pages = [(draw.choice(lists)(), draw.choice(list(Table.ORDERS))) for _ in range(count)]
    measure("a page of 25 games with its total (SQLite)", 2, pages, page, table.page, same_page)

    def node(key):
        return service.ask(NODE, kind=kind, key=key.hex())["explore"]

    def same_node(ours, theirs, question):
        require(sorted(action["games"] for action in ours["actions"]) == theirs, "node", question, ours, theirs)

    keys = []
    while len(keys) < count:
        game = some()
        ply = draw.randint(1, PLIES)
        if game["status"] != "VOID" and len(game["moves"]) > ply:
            keys.append((game["moves"][ply - 1][1],))
    measure("a node of the explorer (RocksDB)", None, keys, node, nodes.node, same_node)


if __name__ == "__main__":
    main()

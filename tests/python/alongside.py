#!/usr/bin/env python3
"""Times `act` over HTTP while a game is analysed, and while none is, in turn.

    alongside.py PLYBOOK [ROUNDS]

PLYBOOK is the program; it serves a new directory. One client acts in games of Triangulate, an action every 10 ms,
durably. In every other period, the service analyses a game of TRI with 120 plies at 2,000 playouts; the periods between
are as long. Prints the times of each round, and those of all periods of a sort together.
"""

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time

# The actions of one period at least, and the time between two.
ACTIONS = 400
EVERY_S = 0.010

# The game that is analysed.
KIND, PLIES, PLAYOUTS = "tri", 120, 2_000


class Client:
    """An administrator with one connection."""

    def __init__(self, address, token):
        self.connection = http.client.HTTPConnection(address)
        self.headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}

    def ask(self, query, **variables):
        body = json.dumps({"query": query, "variables": variables})
        self.connection.request("POST", "/graphql", body, self.headers)
        answer = json.load(self.connection.getresponse())
        if "errors" in answer:
            raise SystemExit(answer["errors"])
        return answer["data"]

    def create(self, kind):
        query = "mutation($k: String!) { createGame(input: {kind: $k, seats: [{name: \"A\"}, {name: \"B\"}]}) { id } }"
        return self.ask(query, k=kind)["createGame"]["id"]

    def act(self, game, action):
        self.ask("mutation($g: ID!, $a: String!) { act(game: $g, action: $a) { ply } }", g=game, a=action)

    def begin_analysis(self, game):
        self.ask("mutation($g: ID!, $p: Int) { analyze(game: $g, playouts: $p) { state } }", g=game, p=PLAYOUTS)

    def is_analysed(self, game):
        found = self.ask("query($g: ID!) { game(id: $g) { analysis { state } } }", g=game)
        return (found["game"]["analysis"] or {}).get("state") == "DONE"


def main():
    program, *rounds = sys.argv[1:]
    rounds = int(rounds[0]) if rounds else 5
    seeds = iter(range(1, 10_000))

    def words(kind, plies):
        """A random game with at least so many actions."""
        while True:
            command = [program, "random", kind, "--seed", str(next(seeds)), "--actions-max", str(plies)]
            played = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            if len(played) == plies:
                return played

    with tempfile.TemporaryDirectory() as data:
        command = [program, "serve", "--data", data, "--listen", "127.0.0.1:0", "--metrics-listen", "off"]
        service = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = next(re.findall("http://([^/]+)", line)[0] for line in service.stdout if "Plybook is at" in line)
            with open(os.path.join(data, "admin-token"), encoding="utf-8") as file:
                client = Client(address, file.read().strip())
            measure(client, words, rounds)
        finally:
            service.terminate()
            service.wait()


def measure(client, words, rounds):
    games = []
    for _ in range(rounds):
        games.append(client.create(KIND))
        for action in words(KIND, PLIES):
            client.act(games[-1], action)
    period(client, words, lambda actions: actions >= ACTIONS)
    every = {"without": [], "beside": []}
    print("| round | | actions | p50 ms | p99 ms |\n|---|---|---:|---:|---:|")
    for number, game in enumerate(games, 1):
        client.begin_analysis(game)
        beside = period(client, words, lambda _: client.is_analysed(game))
        without = period(client, words, lambda actions: client.is_analysed(game) and actions >= len(beside))
        for name, times in [("beside", beside), ("without", without)]:
            every[name] += times
            print(row(number, name, times), flush=True)
    for name, times in every.items():
        print(row("all", name, times))


def period(client, words, is_over):
    """Acts until it is over, asked every 50 actions. Returns how long each action took, in ms."""
    times = []
    while True:
        game = client.create("triangulate")
        for action in words("triangulate", 100):
            begun = time.perf_counter()
            client.act(game, action)
            took = time.perf_counter() - begun
            times.append(took * 1e3)
            if len(times) % 50 == 0 and is_over(len(times)):
                return times
            time.sleep(max(0, EVERY_S - took))


def row(number, name, times):
    times = sorted(times)
    p50, p99 = (times[len(times) * percent // 100] for percent in (50, 99))
    return f"| {number} | {name} | {len(times)} | {p50:.2f} | {p99:.2f} |"


if __name__ == "__main__":
    main()

"""Exported games as tables of SQLite."""

import datetime
import hashlib
import importlib.util
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile


class Kinds(dict):
    """What is counted in each game, by kind: `tests/data/<kind>/figures.py`, loaded on demand."""

    def __missing__(self, kind):
        path = pathlib.Path(__file__).parents[2] / "data" / kind / "figures.py"
        if not path.exists():
            sys.exit(f"tests/data/{kind}/figures.py: no such file; it has to compute the measures of {kind} independently"
                     " (docs/adding-a-game.md)")
        spec = importlib.util.spec_from_file_location("figures_of_" + kind.replace("-", "_"), path)
        self[kind] = module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module


KINDS = Kinds()

TABLES = """
    create table games (game, kind, setup, status, created, finished, ply, tournament, reason, takebacks, folded);
    create table tags (game, name, value);
    create table members (game, name, value);
    create table seats (game, seat, player);
    create table winners (game, seat, rank);
    create table plies (game, ply, word, key, choices);
    create table measures (game, name, value);
    create table heat (game, what, place, count);
    create table luck (game, name, seat, count, expected, actual);
    create index plies_by_key on plies (key);
    create index measures_by_name on measures (name);
"""


def database(program, records):
    """The tables of all recorded games; lines of analysis are left out."""
    into = sqlite3.connect(":memory:")
    into.executescript(TABLES)
    with open(records, encoding="utf-8") as file:
        for line in file:
            events = [json.loads(event) for event in json.loads(line)["events"]]
            if "fork" not in events[0]["body"]:
                load(into, program, events)
    into.executescript("create index by_game on seats (game); create index won on winners (game); analyze;")
    return into


def load(into, program, events):
    """One game. `folded` is 0 if something is still sealed: the plies of such a game are unknown."""
    game, created = events[0]["game"], events[0]["body"]
    opened = {event["body"]["of"]: event["body"]["content"] for event in events if event["type"] == "revealed"}
    words, ended, outcome, is_void, takebacks = [], None, None, False, 0
    for event in events[1:]:
        body = event["body"]
        if event["type"] == "acted":
            words.append((event["by"], body["action"]))
        elif event["type"] == "sealed":
            words.append((event["by"], opened.get(event["seq"])))
        elif event["type"] == "taken_back":
            del words[body["to_ply"]:]
            ended, outcome, takebacks = None, None, takebacks + 1
        elif event["type"] == "ended":
            ended, outcome = millis(event["at"]), body["outcome"]
        elif event["type"] == "corrected":
            outcome = body["outcome"]
        elif event["type"] == "voided":
            is_void = True
        elif event["type"] == "unvoided":
            is_void = False
        elif event["type"] == "reopened":
            ended, outcome = None, None
    status = "VOID" if is_void else "FINISHED" if ended is not None else "RUNNING"
    setup = opened.get(0) if "sealed_setup" in created else json.dumps(created["setup"])
    is_secret = KINDS[created["kind"]].SECRETS and not created.get("open", False)
    folded = setup is not None and all(token is not None for _, token in words)
    folded = folded and not (is_secret and status == "RUNNING")
    row = (game, created["kind"], setup, status, millis(events[0]["at"]), ended, len(words), created.get("tournament"),
           outcome and outcome["reason"], takebacks, folded)
    into.execute(f"insert into games values ({', '.join('?' * len(row))})", row)
    for name, value in created.get("tags", {}).items():
        into.execute("insert into tags values (?, ?, ?)", (game, name, value))
    for name, value in created["setup"].items():
        into.execute("insert into members values (?, ?, ?)", (game, name, canonical(value)))
    for index, seat in enumerate(created["seats"]):
        into.execute("insert into seats values (?, ?, ?)", (game, index + 1, seat.get("player")))
    winners = outcome["winners"] if outcome else []
    for rank, seat in enumerate(winners):
        into.execute("insert into winners values (?, ?, ?)", (game, seat, rank))
    if folded:
        lines = fold(program, created["kind"], setup, [word(created["kind"], *done) for done in words])
        put(into, game, created["kind"], lines, winners, [actor for actor, _ in words])


def put(into, game, kind, lines, winners, actors):
    """The plies of a game, and what is counted in it."""
    for ply, line in enumerate(lines):
        done = lines[ply + 1]["word"] if ply + 1 < len(lines) else None
        listed = [actions for actions in line["legal"].values() if actions is not None]
        choices = sum(map(len, listed)) if done is not None else 0
        into.execute("insert into plies values (?, ?, ?, ?, ?)", (game, ply, done, line["key"], choices))
    measures, heat, luck = KINDS[kind].count(lines, winners)
    for name, value in measures.items():
        into.execute("insert into measures values (?, ?, ?)", (game, name, value))
    for (what, place), number in heat.items():
        into.execute("insert into heat values (?, ?, ?, ?)", (game, what, place, number))
    for (name, seat), sums in luck.items():
        into.execute("insert into luck values (?, ?, ?, ?, ?, ?)", (game, name, seat, *sums))


def fold(program, kind, setup, words):
    """The lines of `plybook rules --every-ply`, each with its `word` and the `key` of its position."""
    with tempfile.NamedTemporaryFile("w") as setup_file, tempfile.NamedTemporaryFile("w") as actions_file:
        setup_file.write(setup)
        setup_file.flush()
        actions_file.write(" ".join(words))
        actions_file.flush()
        command = [program, "rules", kind, "--setup", setup_file.name, "--actions-file", actions_file.name]
        printed = subprocess.run(command + ["--every-ply"], capture_output=True, text=True, check=True).stdout
    lines = [json.loads(line) for line in printed.splitlines()]
    for line, done in zip(lines, [None] + words, strict=True):
        line["word"] = done
        line["key"] = hashlib.sha256(f"{kind}\0{canonical(line['position'])}".encode()).hexdigest()
    return lines


def word(kind, by, token):
    """An action as records write it: with the seat in front in games where several act at once."""
    return by.removeprefix("seat:") + ":" + token if KINDS[kind].SIMULTANEOUS and by != "chance" else token


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def millis(at):
    """Milliseconds since 1970 of a time in UTC."""
    time = datetime.datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return (time - epoch) // datetime.timedelta(milliseconds=1)

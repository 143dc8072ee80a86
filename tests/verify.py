#!/usr/bin/env python3
"""Verifies Plybook logs with nothing but Python: layout, chain, commitments.

    verify.py [--game ID] [FILE ...]

Files are logs (.ndjson: one, or several mixed) or JSON records; `-` or no file is standard input.
A line of analysis is verified together with the logs it continues, and a tournament with its games, if these are in
one of the files. Prints `ok <id> <events> <head>` or `bad <id> seq N: why` for each log; the exit status is 1 if any
is bad. With --game, each file is one log and has to be that game's.

It knows no game and no pairing system. So it cannot judge actions, pairings and standings, nor recompute rolls,
since only the rules know which dice are rolled. Of fair dice it checks that the seed is the one committed to, and
that nothing was rolled from a seed without a commitment or from one already public. Missing or changed events at
the end are detected only if the head is known, as in a JSON record. See FORMAT.md.
"""

import hashlib
import json
import re
import sys
import uuid

EVENT_BYTES_MAX = 64 * 1024
INTEGER_MAX = 2**53 - 1
DEPTH_MAX = 64
AT_MAX = "9999-12-30T22:00:00.000Z"

AT = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{3}Z", re.ASCII)
BY = re.compile(r"seat:([1-9]|1[0-3])|chance|arbiter|service")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
HASH = re.compile(r"[0-9a-f]{64}")
KEY = re.compile(r'[ !#-\[\]-~]*')
DECIDERS = {"rules", "resignation", "agreement", "time", "arbiter", "abandonment"}


class Bad(Exception):
    """What is wrong with an event."""


# The values allowed in members: functions from a value to whether it is allowed.

def text(value):
    return type(value) is str

def matching(pattern):
    return lambda value: text(value) and bool(pattern.fullmatch(value))

def integer(upto=INTEGER_MAX, least=0):
    return lambda value: type(value) is int and least <= value <= upto

def anything(value):
    return True

def true(value):
    return value is True

def flag(value):
    return type(value) is bool

def is_time(value):
    parts = text(value) and AT.fullmatch(value)
    if not parts or value > AT_MAX:
        return False
    year, month, day, hour, minute, second = map(int, parts.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return 1 <= month <= 12 and 1 <= day <= days[month - 1] and hour < 24 and minute < 60 and second < 60

def an_object(value):
    return type(value) is dict

def listing(of, least=0):
    return lambda value: type(value) is list and len(value) >= least and all(map(of, value))

def members(others=None, **known):
    """An object with these members; a member whose name ends in _ is optional."""
    need = {name for name in known if not name.endswith("_")}
    fits = {name.rstrip("_"): check for name, check in known.items()}

    def check(value):
        return (type(value) is dict and need <= value.keys()
                and all(fits.get(name, others or (lambda _: False))(inner) for name, inner in value.items()))
    return check

PLAYED = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)

def played(value):
    return is_time(f"{value}T00:00:00.000Z" if text(value) and PLAYED.fullmatch(value) else value)

game, hashed, small, whole = matching(ID), matching(HASH), integer(2**32 - 1), integer()
seat_list = listing(integer(255))
outcome = members(anything, winners=seat_list, ranking_=listing(seat_list), reason=text)
seed = members(seed=hashed, salt=hashed)
number, entrants, optional = integer(2**16 - 1), listing(integer(2**16 - 1)), lambda of: listing(of, 1)
settings = members(
    name=text, kind=text, seats=members(least=integer(255), most=integer(255)), format=an_object, scoring=an_object,
    tie_breaks=listing(text), setups_=optional(anything), half_byes_=small, half_byes_until_=small, time_control_=text,
    starts_at_=is_time, ends_at_=is_time, rounds_at_=optional(is_time), place_=text, description_=text, unrated_=true,
    tags_=lambda value: type(value) is dict and value != {})
details = members(name=text, rating_=number, club_=text, country_=text)
asked = lambda *of: lambda value: text(value) and value in ("half", "full", "zero", *of)
byes = listing(members(bye=asked("pairing"), entrant=number))
record = members(game=game, seq=whole, hash=hashed)
of_round = members(round=small)
TOURNAMENT = {
    "tournament_created": settings,
    "tournament_edited": settings,
    "entered": members(entrant=number, player=game, details=details, from_round_=small, points_=small),
    "entrant_edited": members(entrant=number, details=details),
    "entry_removed": members(entrant=number),
    "withdrawn": members(entrant=number, from_round=small, reason_=text),
    "returned": members(entrant=number, from_round=small),
    "absence_announced": members(entrant=number, round=small, bye=asked("pairing")),
    "absence_cancelled": members(entrant=number, round=small),
    "paired": members(round=small, engine_=members(name=text, version=text, input=hashed),
                      tables=listing(entrants), byes=byes),
    "pairing_changed": members(round=small, tables=listing(entrants), byes=byes, breaks_=optional(text)),
    "unpaired": of_round,
    "round_opened": members(round=small, salt=hashed),
    "round_unopened": of_round,
    "game_opened": members(round=small, table=small, game=game),
    "table_opened": members(round=small, table=small, seats=entrants, game=game),
    "result_recorded": members(round=small, table=small, ranking=listing(seat_list), record_=record, at_table_=true),
    "result_removed": members(round=small, table=small, record_=record, reason_=text),
    "forfeited": members(round=small, table=small, seats=seat_list, reason_=text),
    "adjourned": members(round=small, table=small, until_=text),
    "resumed": members(round=small, table=small),
    "round_closed": of_round,
    "round_reopened": of_round,
    "tournament_finished": members(),
    "tournament_reopened": members(),
}
BODIES = {
    "created": members(
        kind=text, rules=text, setup=anything, position_=lambda value: type(value) is dict,
        seats=listing(members(name=text, player_=game)),
        tournament_=game, round_=small, table_=small, played_=played, unrated_=true,
        tags_=lambda value: type(value) is dict and value != {},
        fairness_=hashed, dice_=integer(2, 2), sealed_setup_=hashed, open_=true,
        fork_=members(game=game, ply=small, seq=whole, hash=hashed), name_=text, owner_=game),
    "acted": members(action=text, clock_ms_=whole, fair_=true),
    "entropy_added": members(entropy=hashed),
    "sealed": members(commitment=hashed, clock_ms_=whole),
    "revealed": members(of=whole, content=text, salt=hashed),
    "taken_back": members(to_ply=small, reason=text),
    "annotated": members(ply=small, comment_=text, glyphs_=listing(text, 1)),
    "draw_offered": members(),
    "draw_answered": members(accept=flag),
    "resigned": members(),
    "ended": members(decided_by=lambda value: text(value) and value in DECIDERS, outcome=outcome, seed_=seed),
    "corrected": members(outcome=outcome, reason=text),
    "voided": members(reason=text, seed_=seed),
    "reopened": members(reason=text),
    "unvoided": members(reason=text),
    "arranged": lambda value: value != {} and members(
        name_=text, hidden_=flag, rank_=integer(least=-INTEGER_MAX))(value),
    "player_created": members(name=text),
    "received": members(request=hashed, log=game, seq=whole),
    "player_edited": lambda value: value != {} and members(
        name_=text, club_=text, country_=text, links_=listing(text))(value),
    "player_merged": members(into=game),
    "player_unmerged": members(),
    **TOURNAMENT,
}


def canonical(value):
    """The canonical form of a value; Bad if there is none."""
    return json.dumps(checked(value, 0), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def checked(value, depth):
    # The depth is counted from the body, which is one level below the event.
    if depth > DEPTH_MAX + 1:
        raise Bad("nested too deep")
    if type(value) is float or type(value) is int and abs(value) > INTEGER_MAX:
        raise Bad("a number that is not a 53-bit integer")
    if type(value) is list:
        for inner in value:
            checked(inner, depth + 1)
    if type(value) is dict:
        for key, inner in value.items():
            if not KEY.fullmatch(key):
                raise Bad("a key that is not plain ASCII")
            checked(inner, depth + 1)
    return value


def parse(line):
    """The event with these bytes."""
    if len(line) > EVENT_BYTES_MAX:
        raise Bad("over 64 KiB")
    try:
        event = json.loads(line.decode())
        if canonical(event) != line:
            raise Bad("not canonical JSON")
    except (ValueError, RecursionError) as why:
        raise Bad(f"not canonical JSON: {why}") from None
    if type(event) is not dict or event.keys() != {"at", "body", "by", "game", "prev", "seq", "type", "v"}:
        raise Bad("not the eight members of an event")
    if type(event["v"]) is not int or event["v"] != 1:
        raise Bad("not version 1")
    checks = {"at": is_time, "by": matching(BY), "game": game, "prev": hashed, "seq": whole,
              "type": lambda value: text(value) and value in BODIES}
    for name, check in checks.items():
        if not check(event[name]):
            raise Bad(f"bad `{name}`")
    if not BODIES[event["type"]](event["body"]):
        raise Bad(f"not the body of `{event['type']}`")
    return event


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def chain(lines, log):
    """The events of a log and the hash of the last; Bad with the seq of the first bad one."""
    events, head, at = [], "0" * 64, ""
    for seq, line in enumerate(lines):
        try:
            event = parse(line)
            expected = head
            if seq == 0 and event["type"] == "created" and "fork" in event["body"]:
                expected = event["body"]["fork"]["hash"]
            if event["game"] != log:
                raise Bad("belongs to another log")
            if event["seq"] != seq:
                raise Bad(f"is numbered {event['seq']}")
            if event["prev"] != expected:
                raise Bad("does not carry the hash of the event before it")
            if event["at"] < at:
                raise Bad("is dated before the event before it")
        except Bad as why:
            raise Bad(seq, str(why)) from None
        events.append(event)
        head, at = sha256(b"plybook/event/v1\0", line), event["at"]
    return events, head


def commitments(events, log):
    """Opens what was sealed, and the seed of the dice."""
    log_bytes, sealed, fairness, is_public = bytes.fromhex(log.replace("-", "")), {}, None, False
    takers, contributors, is_rolled = [], set(), False
    for seq, event in enumerate(events):
        kind, body = event["type"], event["body"]
        if kind == "created":
            fairness = body.get("fairness")
            takers = [f"seat:{seat}" for seat in range(1, len(body["seats"]) + 1)] if "dice" in body and "fork" not in body else []
            if "dice" in body and fairness is None:
                raise Bad(seq, "its dice follow from a seed that was never committed to")
        if kind == "entropy_added":
            if event["by"] not in takers:
                raise Bad(seq, "only seats contribute, and only to dice that take contributions")
            if is_rolled or is_public or event["by"] in contributors:
                raise Bad(seq, "seats contribute to the dice once, before the first roll")
            contributors.add(event["by"])
        commitment = body.get({"created": "sealed_setup", "sealed": "commitment"}.get(kind))
        if commitment:
            sealed[seq] = event["by"], commitment
        if kind == "revealed":
            if body["of"] not in sealed:
                raise Bad(seq, "reveals what is not sealed")
            by, commitment = sealed.pop(body["of"])
            salt, content = bytes.fromhex(body["salt"]), body["content"].encode()
            if sha256(b"plybook/seal/v1\0", log_bytes, by.encode(), b"\0", salt, content) != commitment:
                raise Bad(seq, f"reveals something else than was sealed in event {body['of']}")
        if kind in ("ended", "voided") and sealed:
            raise Bad(seq, "something is still sealed at the end")
        if kind == "ended" and is_rolled and "dice" in events[0]["body"] and not is_public and "seed" not in body:
            raise Bad(seq, "the game ends without the seed of its dice")
        if kind in ("ended", "voided") and "seed" in body:
            salt, secret = bytes.fromhex(body["seed"]["salt"]), bytes.fromhex(body["seed"]["seed"])
            if sha256(b"plybook/seed/v1\0", log_bytes, salt, secret) != fairness:
                raise Bad(seq, "the seed is not the one that was committed to")
            is_public = True
        if kind == "acted" and "fair" in body:
            if event["by"] != "chance":
                raise Bad(seq, "only chance rolls")
            if fairness is None:
                raise Bad(seq, "rolled from a seed that was never committed to")
            if is_public:
                raise Bad(seq, "rolled from a seed that was public")
            is_rolled = True


def profile(events, log):
    """Checks that the log of a player has only a player's events, and that only a merged player is unmerged."""
    is_merged, own = False, {"player_edited", "player_merged", "player_unmerged"}
    of_player = events[:1] and events[0]["type"] == "player_created"
    for seq, event in enumerate(events[1:], 1):
        kind = event["type"]
        if (kind in own or kind == "player_created") != bool(of_player) or kind == "player_created":
            raise Bad(seq, f"`{kind}` cannot come here")
        if kind == "player_merged" and (is_merged or event["body"]["into"] == log):
            raise Bad(seq, "the player is already merged, or would be merged with itself")
        if kind == "player_unmerged" and not is_merged:
            raise Bad(seq, "the player is not merged")
        is_merged = is_merged if kind not in ("player_merged", "player_unmerged") else kind == "player_merged"


def receipt(events):
    """Checks that a receipt is the only event of its log."""
    for seq, event in enumerate(events):
        if seq > 0 and "received" in (event["type"], events[0]["type"]):
            raise Bad(seq, "a receipt is the only event of its log")


def tournament(events, log, logs):
    """Checks that the log of a tournament has only a tournament's events, and no other log has any; that the tables it
    refers to exist; and that its references to games match their logs, if these are here."""
    of_tournament, rounds = events[:1] and events[0]["type"] == "tournament_created", []
    for seq, event in enumerate(events[1:], 1):
        kind = event["type"]
        if (kind in TOURNAMENT) != bool(of_tournament) or kind == "tournament_created":
            raise Bad(seq, f"`{kind}` cannot come here")
        if of_tournament:
            try:
                tables(rounds, kind, event["body"], bytes.fromhex(log.replace("-", "")))
                quoted(event["body"].get("record"), logs)
            except Bad as why:
                raise Bad(seq, *why.args) from None


OF_TABLES = {"game_opened", "result_recorded", "result_removed", "forfeited", "adjourned", "resumed"}

def tables(rounds, kind, body, log):
    """Follows the rounds: for each, whether it was opened, and the games of each table."""
    number = body.get("round", 0)
    last = rounds[number - 1] if 1 <= number <= len(rounds) else None
    if kind == "paired" or kind == "pairing_changed" and last is None:
        if number != len(rounds) + 1:
            raise Bad(f"round {number} is not the next one")
        rounds.append({"is_open": False, "games": [set() for _ in body["tables"]]})
    elif kind == "table_opened":
        if number == len(rounds) + 1:
            rounds.append({"is_open": True, "games": []})
        games = rounds[number - 1]["games"] if 1 <= number <= len(rounds) else None
        if games is None or body["table"] != len(games) + 1:
            raise Bad(f"table {body['table']} of round {number} is not the next one")
        games.append({body["game"]})
    elif kind in ("pairing_changed", "unpaired", "round_opened"):
        if last is None or last["is_open"]:
            raise Bad(f"round {number} is not paired, or open already")
        if kind == "unpaired":
            rounds.remove(last)
        elif kind == "round_opened":
            last["is_open"] = True
            for table, games in enumerate(last["games"], 1):
                games.add(table_game(log, bytes.fromhex(body["salt"]), number, table))
        else:
            last["games"] = [set() for _ in body["tables"]]
    elif kind in OF_TABLES or kind in ("round_unopened", "round_closed", "round_reopened"):
        if last is None or not last["is_open"]:
            raise Bad(f"round {number} was not opened")
        if kind == "round_unopened":
            last.update(is_open=False, games=[set() for _ in last["games"]])
        elif kind in OF_TABLES:
            if not 1 <= body["table"] <= len(last["games"]):
                raise Bad(f"round {number} has no table {body['table']}")
            games = last["games"][body["table"] - 1]
            if kind == "game_opened":
                games.add(body["game"])
            elif "record" in body and body["record"]["game"] not in games:
                raise Bad(f"the game {body['record']['game']} is not one of this table")


def table_game(log, salt, number, table):
    """The id of the game that a table gets when its round is opened."""
    where = number.to_bytes(4, "big") + table.to_bytes(4, "big")
    found = bytearray(hashlib.sha256(b"plybook/table/v1\0" + log + salt + where).digest()[:16])
    found[6], found[8] = found[6] & 0x0F | 0x80, found[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(found)))


def quoted(record, logs):
    """Checks that a game has the event that a tournament names, if the game's log is here."""
    if record is None or record["game"] not in logs:
        return
    lines = logs[record["game"]]
    if record["seq"] >= len(lines) or sha256(b"plybook/event/v1\0", lines[record["seq"]]) != record["hash"]:
        raise Bad(f"event {record['seq']} of the game {record['game']} has another hash")


def continues(events, logs):
    """Checks that a line continues the event of its parent that it names; Bad if it does not."""
    fork = events[0]["body"].get("fork") if events[0]["type"] == "created" else None
    if fork is None or fork["game"] not in logs:
        return
    game, seq = fork["game"], fork["seq"]
    lines = logs[game][:seq + 1]
    if len(lines) <= seq:
        raise Bad(0, f"the log {game}, which it continues, has no event {seq}")
    try:
        parents, head = chain(lines, game)
    except Bad as why:
        raise Bad(0, f"the log {game}, which it continues, is bad at seq {why.args[0]}: {why.args[1]}") from None
    if head != fork["hash"]:
        raise Bad(0, f"event {seq} of the log {game}, which it continues, has another hash")
    first, last = parents[0]["body"], parents[-1]
    ply = first.get("fork", {}).get("ply", 0)
    for event in parents:
        ply = event["body"]["to_ply"] if event["type"] == "taken_back" else ply + (event["type"] in ("acted", "sealed"))
    leads = last["type"] in ("acted", "sealed") or seq == 0 and ("fork" not in first or "position" in first)
    if ply != fork["ply"] or not leads:
        raise Bad(0, f"event {seq} of the log {game}, which it continues, did not lead to ply {fork['ply']}")
    ours = events[0]["body"]
    if any(ours[name] != first[name] for name in ("kind", "rules")) or len(ours["seats"]) != len(first["seats"]):
        raise Bad(0, f"it is not of the same game as the log {game}, which it continues")


def verify(log, lines, logs, head=None):
    """Prints the finding for a log; returns whether it is valid. `logs` are all logs, by id."""
    try:
        events, found = chain(lines, log)
        commitments(events, log)
        profile(events, log)
        receipt(events)
        tournament(events, log, logs)
        continues(events, logs)
        if head not in (None, found):
            raise Bad(len(lines), f"the log ends in {found}, not in {head}")
    except Bad as why:
        print(f"bad {log} seq {why.args[0]}: {why.args[1]}")
        return False
    print(f"ok {log} {len(events)} {found}")
    return True


def split(lines):
    """The lines by log; a line without a log's name belongs to that of the previous line."""
    logs, last = {}, None
    for line in lines:
        named = re.search(rb'.*"game":"([0-9a-f-]{36})","prev":"', line)
        last = named.group(1).decode() if named else last or "?"
        logs.setdefault(last, []).append(line)
    return logs


def carried(record, name):
    """The id and the lines of the log in an object of a record; Bad if there is none."""
    log, events = record.get(name), record.get("events")
    if not (game(log) and hashed(record.get("head")) and listing(text, 1)(events)):
        raise Bad("not a record")
    return log, [line.encode() for line in events]


def record_logs(record):
    """The logs in a JSON record: the game's, then those of its lines; Bad if it is not a record."""
    below = record.get("lines", [])
    if record.get("format") != "plybook-record/1" or not listing(lambda line: type(line) is dict)(below):
        raise Bad("not a record")
    return [carried(record, "game"), *(carried(line, "line") for line in below)]


def copies(record, lines, names):
    """Checks what an object of a record copies from its log."""
    events = [parse(line) for line in lines]
    first = events[0]
    copied = {**first["body"], "createdAt": first["at"]}
    if "fork" in copied:
        named = [event["body"]["name"] for event in events if event["type"] == "arranged" and "name" in event["body"]]
        copied["name"] = (named[-1] or None) if named else copied.get("name")
        names = (*names, "fork", "name")
    for name in names:
        if record.get(name) != copied.get(name):
            raise Bad(f"`{name}` of the record is not that of the log")


def verify_record(record, logs):
    """Checks the logs in a JSON record, and what the record copies from them."""
    is_right = True
    objects = [record, *record.get("lines", [])]
    for (log, lines), told in zip(record_logs(record), objects):
        names = ("kind", "rules", "setup", "position", "played", "seats", "createdAt") if told is record else ("createdAt",)
        try:
            copies(told, lines, names)
            is_right &= verify(log, lines, logs, told["head"])
        except Bad as why:
            print(f"bad {log} seq 0: {why.args[-1]}")
            is_right = False
    return is_right


def main(args):
    log = None
    if args[:1] == ["--game"] and len(args) > 1:
        log, args = args[1], args[2:]
    # Functions that print the finding for each file, once all logs are known.
    logs, checks = {}, []
    for path in args or ["-"]:
        with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
            lines = [line for line in file.read().split(b"\n") if line]
        if log:
            checks.append(lambda lines=lines: verify(log, lines, logs))
        elif lines and not lines[0].startswith(b'{"at":') and lines[0].lstrip().startswith(b"{"):
            for line in lines:
                try:
                    record = json.loads(line)
                    logs.update(record_logs(record))
                    checks.append(lambda record=record: verify_record(record, logs))
                except (Bad, ValueError, AttributeError) as why:
                    checks.append(lambda why=why: print(f"bad ? seq 0: not a record: {why}"))
        else:
            found = split(lines)
            logs.update(found)
            checks.extend(lambda log=log, its=its: verify(log, its, logs) for log, its in found.items())
            if not lines:
                checks.append(lambda: print("bad ? seq 0: it contains no event"))
    return 0 if all([bool(check()) for check in checks]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Verifies Plybook logs with nothing but Python: layout, chain, signatures, order, authors, commitments.

Files are logs (.ndjson: one, or several mixed) or JSON records; `-` or no file is standard input.
A line of analysis is verified together with the logs it continues, and a tournament with its games, if these are in
one of the files. Prints `ok <id> <events> <head>` or `bad <id> seq N: kind: why` for each log, and with --signers
`signed <id> <events> <key>` for each key; the exit status is 1 if any is bad. The kinds of faults are those of FORMAT.md.

It knows no game and no pairing system. So it cannot judge actions, pairings and standings, nor recompute rolls,
since only the rules know which dice are rolled. Of fair dice it checks that the seed is the one committed to, and
that nothing was rolled from a seed without a commitment or from one already public. Missing or changed events at
the end are detected only if the head is known, as in a JSON record or with --head. See FORMAT.md.
"""

import argparse
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
WHO = re.compile(r"(player|table|recorder|organiser|arbiter|admin):[0-9a-f]{8}|operator")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
HASH = re.compile(r"[0-9a-f]{64}")
REQUEST = re.compile(r"[0-9a-f]{32}")
SIGNATURE = re.compile(r"([0-9a-f]{64}):([0-9a-f]{128})")
KEY = re.compile(r'[ !#-\[\]-~]*')
CURSOR = re.compile(r"(0|-?[1-9][0-9]{0,18})\.(.*)")
DECIDERS = {"rules", "resignation", "agreement", "time", "arbiter", "abandonment"}


class Bad(Exception):
    """What is wrong: the kind of fault, one word as in FORMAT.md, and why; of an event in a log, with its seq."""

    def __init__(self, kind, why, seq=None):
        self.kind, self.why, self.seq = kind, why, seq


def demand(is_right, kind, why):
    if not is_right:
        raise Bad(kind, why)


def on(seq, check, *arguments):
    """What a check returns; if it fails, event `seq` is bad."""
    try:
        return check(*arguments)
    except Bad as bad:
        raise Bad(bad.kind, bad.why, seq) from None


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
outcome = members(anything, winners=seat_list, ranking_=listing(seat_list, 1), reason=text, forfeit_=true)
seed = members(seed=hashed, salt=hashed)
rolls = matching(re.compile("fair|typed"))
number, entrants, optional = integer(2**16 - 1), listing(integer(2**16 - 1)), lambda of: listing(of, 1)
settings = members(
    name=text, kind=text, seats=members(least=integer(255), most=integer(255)), format=an_object, scoring=an_object,
    tie_breaks=listing(text), setups_=optional(anything), teams_=optional(seat_list), half_byes_=small, half_byes_until_=small, time_control_=text,
    starts_at_=is_time, ends_at_=is_time, rounds_at_=optional(is_time), time_zone_=text, place_=text, description_=text,
    announcement_=text, forbidden_=optional(entrants), ranked_by_entry_=true, records_=optional(text), archived_=true, unrated_=true,
    signed_=true, rolls_=rolls, tags_=lambda value: type(value) is dict and value != {})
details = members(
    name=text, rating_=number, club_=text, country_=text, federation_=text, federation_id_=text, sex_=text, title_=text)
asked = lambda *of: lambda value: text(value) and value in ("half", "full", "zero", *of)
byes = listing(members(bye=asked("pairing"), entrant=number))
record = members(game=game, seq=whole, hash=hashed)
of_round = members(round=small)
event_ref = members(log=game, seq=whole, hash=hashed)
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
    "table_reseated": members(round=small, table=small, seats=entrants),
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
created = members(
    kind=text, rules=text, setup=anything, position_=an_object, seats=listing(members(name=text, player_=game), 1),
    tournament_=game, round_=small, table_=small, played_=played, unrated_=true,
    tags_=lambda value: type(value) is dict and value != {},
    fairness_=hashed, drawn_=listing(text, 1), rolls_=rolls, sealed_setup_=hashed, open_=true, signed_=true,
    fork_=members(game=game, ply=small, seq=whole, hash=hashed), name_=text, owner_=game)

def begins(body):
    """A beginning whose members do not contradict each other."""
    if not created(body):
        return False
    is_line, has, drawn = "fork" in body, body.keys().__contains__, body.get("drawn", [])
    return (len(body["seats"]) <= 13 and (is_line or not has("name") and not has("owner"))
            and not (has("sealed_setup") and has("open")) and drawn == sorted(set(drawn))
            and not (is_line and (has("sealed_setup") or has("drawn") or has("signed") or has("rolls")))
            and (has("fairness") or not drawn and body.get("rolls") != "fair"))

def is_deadline(body):
    return (members(opens_=is_time, due_=is_time, reason_=text)(body)
            and ("opens" not in body or "due" in body and body["opens"] < body["due"]))

mark = members(log=game, first=whole, last=whole, head=hashed, file=hashed, source_=text)
BODIES = {
    "created": begins,
    "acted": members(action=text, clock_ms_=whole, fair_=true),
    "entropy_added": members(entropy=hashed),
    "sealed": members(commitment=hashed, clock_ms_=whole, fair_=true),
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
    "deadline_set": is_deadline,
    "arranged": lambda value: value != {} and members(
        name_=text, hidden_=flag, rank_=integer(least=-INTEGER_MAX))(value),
    "player_created": members(name=text),
    "imported": lambda value: mark(value) and value["first"] <= value["last"],
    "history_accepted": members(position=whole, recorded_=event_ref, found_=event_ref),
    "key_rotated": members(key=text, old=text, dropped_=true),
    "player_edited": lambda value: value != {} and members(
        name_=text, club_=text, country_=text, links_=listing(text))(value),
    "player_merged": members(into=game),
    "player_unmerged": members(),
    "player_key_added": members(key=hashed),
    "player_key_removed": members(key=hashed),
    **TOURNAMENT,
}
OF_GAMES = {"acted", "entropy_added", "sealed", "revealed", "taken_back", "annotated", "draw_offered", "draw_answered",
            "resigned", "ended", "corrected", "voided", "reopened", "unvoided", "deadline_set", "arranged"}
# What only comes while the game is running.
RUNNING = {"acted", "entropy_added", "sealed", "draw_offered", "draw_answered", "resigned", "ended",
           "deadline_set"}


def canonical(value, depth=0):
    """The canonical form of a value at a depth; Bad if there is none."""
    text = json.dumps(checked(value, depth), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()


def checked(value, depth):
    demand(depth <= DEPTH_MAX, "form", "nested too deep")
    if type(value) is float or type(value) is int and abs(value) > INTEGER_MAX:
        raise Bad("form", "a number that is not a 53-bit integer")
    if type(value) is list:
        for inner in value:
            checked(inner, depth + 1)
    if type(value) is dict:
        for key, inner in value.items():
            demand(KEY.fullmatch(key), "form", "a key that is not plain ASCII")
            checked(inner, depth + 1)
    return value


def read(text, depth=0):
    """The value that these bytes are the canonical form of."""
    try:
        value = json.loads(text.decode())
        demand(canonical(value, depth) == text, "form", "not canonical JSON")
        return value
    except (ValueError, RecursionError) as why:
        raise Bad("form", f"not canonical JSON: {why}") from None


def parse(line):
    """The event with these bytes."""
    demand(len(line) <= EVENT_BYTES_MAX, "form", "over 64 KiB")
    # The body has depth 0.
    event = read(line, -1)
    if type(event) is not dict or event.keys() - {"request", "signature", "who"} != {"at", "body", "by", "game", "prev", "seq", "type", "v"}:
        raise Bad("form", "not the members of an event")
    demand(type(event["v"]) is int and event["v"] == 1, "form", "not version 1")
    checks = {"at": is_time, "by": matching(BY), "game": game, "prev": hashed, "seq": whole,
              "type": lambda value: text(value) and value in BODIES}
    for name, check in checks.items():
        demand(check(event[name]), "form", f"bad `{name}`")
    for name, pattern in (("request", REQUEST), ("signature", SIGNATURE), ("who", WHO)):
        demand(name not in event or matching(pattern)(event[name]), "form", f"bad `{name}`")
    demand(BODIES[event["type"]](event["body"]), "form", f"not the body of `{event['type']}`")
    return event


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def chain(lines, log):
    """The events of a log and the hash of the last; Bad with the seq of the first bad one."""
    events, head, at, revealing = [], "0" * 64, "", None
    for seq, line in enumerate(lines):
        event = on(seq, parse, line)
        expected = head
        if seq == 0 and event["type"] == "created" and "fork" in event["body"]:
            expected = event["body"]["fork"]["hash"]
        for is_right, why in [
            (event["game"] == log, "belongs to another log"),
            (event["seq"] == seq, f"is numbered {event['seq']}"),
            (event["prev"] == expected, "does not carry the hash of the event before it"),
            (event["at"] >= at, "is dated before the event before it"),
        ]:
            on(seq, demand, is_right, "chain", why)
        # The place that a signature names: of the first of the `revealed` directly before the event, if there are any.
        place = revealing or (seq, event["prev"])
        on(seq, demand, "signature" not in event or is_signed(event, place), "signature", "something else was signed")
        revealing = place if event["type"] == "revealed" else None
        events.append(event)
        head, at = sha256(b"plybook/event/v1\0", line), event["at"]
    return events, head


# Ed25519 (RFC 8032): the prime of the field, the order of the base point, the constant of the curve, the base point.
P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point(encoded):
    """The point of the curve that 32 bytes encode, in extended coordinates; None if there is none."""
    y = int.from_bytes(encoded, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or x == 0 and encoded[31] >> 7:
        return None
    if x & 1 != encoded[31] >> 7:
        x = P - x
    return x, y, 1, x * y % P


def added(one, other):
    """The sum of two points."""
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, of):
    """A multiple of a point."""
    total = (0, 1, 1, 0)
    while number:
        total = added(total, of) if number & 1 else total
        number, of = number >> 1, added(of, of)
    return total


def same(one, other):
    return not ((one[0] * other[2] - other[0] * one[2]) % P or (one[1] * other[2] - other[1] * one[2]) % P)


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(event, place):
    """Whether an event is signed by the key that it names; not by one of small order, which anybody could sign with."""
    key, signature = map(bytes.fromhex, SIGNATURE.fullmatch(event["signature"]).groups())
    body = {name: value for name, value in event["body"].items() if name != "seed"}
    statement = {"body": body, "by": event["by"], "game": event["game"], "prev": place[1], "seq": place[0],
                 "type": event["type"]}
    return is_ed25519(key, signature, b"plybook/signature/v1\0" + canonical(statement, -1))


def is_ed25519(key, signature, message):
    """Whether a signature by a key is right, and neither is of small order."""
    public, nonce, scalar = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if public is None or nonce is None or scalar >= L or any(same(times(8, of), (0, 1, 1, 0)) for of in (public, nonce)):
        return False
    hashed = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    return same(times(scalar, BASE), added(nonce, times(hashed, public)))


# The authors of each type of event; of all others, the arbiter.
AUTHORS = {
    **dict.fromkeys(["created", "revealed", "player_created", "imported", "history_accepted", "key_rotated"], {"service"}),
    **dict.fromkeys(["entropy_added", "draw_offered", "draw_answered", "resigned"], {"seat"}),
    **dict.fromkeys(["acted", "sealed"], {"seat", "chance"}),
    "annotated": {"seat", "arbiter"},
    "player_edited": {"arbiter", "service"},
}
DECIDED_BY = {"rules": {"service"}, "agreement": {"service"}, "resignation": {"seat"}}


def authored(event):
    """Checks that an event may be by its author, whatever seats there are."""
    kind, body = event["type"], event["body"]
    authors = AUTHORS.get(kind, {"arbiter"})
    if kind == "ended":
        authors = DECIDED_BY.get(body["decided_by"], {"arbiter"})
    if kind in ("acted", "sealed") and "fair" in body:
        authors = {"chance"}
    if kind == "deadline_set" and "reason" not in body:
        authors = {"service"}
    if kind in ("result_recorded", "result_removed") and "record" in body:
        authors = {"service"}
    demand(event["by"].partition(":")[0] in authors, "author", f"`{kind}` cannot be by {event['by']}")
    is_asked = event["by"] != "service" or kind in ("created", "player_created", "player_edited",
                                                      "imported", "history_accepted", "key_rotated")
    demand(is_asked or "who" not in event, "author", f"`{kind}` follows from another event: nobody caused it")
    demand(is_personal(event) or "signature" not in event, "author", f"`{kind}` follows from another event: nobody signs it")


def is_personal(event):
    """Whether an event is something that a person does, and can sign."""
    return event["by"] != "service" and "fair" not in event["body"]


def seat_of(event):
    """The seat that an event is by; 0 if it is by nobody's."""
    who, _, number = event["by"].partition(":")
    return int(number) if who == "seat" else 0


class Game:
    """The order of the events of a game or a line: what the events so far say about the next one."""

    def __init__(self, first):
        body = self.created = first["body"]
        authored(first)
        self.log, self.is_line = first["game"], "fork" in body
        self.seats, self.ply = len(body["seats"]), body.get("fork", {}).get("ply", 0)
        self.begins_at = self.ply
        self.outcome = self.decided_by = self.corrected_by = None
        self.is_void = self.is_closing = False
        self.sealed = {0: ("service", body["sealed_setup"])} if "sealed_setup" in body else {}
        # The submissions on the mainline, and what was revealed: by seq.
        self.submitted, self.revealed = {}, {}
        # The log's own actions on the mainline: who acted, and the action, or the seq of what is sealed.
        self.mainline, self.name = [], body.get("name")
        self.offered_by, self.agreed, self.gone = None, set(), set()
        self.contributors, self.is_rolled, self.is_public, self.due = set(), False, False, None

    def status(self):
        return "void" if self.is_void else "finished" if self.outcome else "running"

    def is_agreed(self):
        return len(self.agreed) == self.seats > 1

    def is_ending(self):
        """Whether the end of the game is begun, so that no log ends here."""
        return self.is_closing or self.is_agreed()

    def check(self, event):
        kind, body, seat = event["type"], event["body"], seat_of(event)
        own = {"acted", "annotated", "taken_back", "arranged"} if self.is_line else OF_GAMES - {"arranged"}
        is_own = kind in own or self.is_line and kind == "ended" and body["decided_by"] == "rules"
        demand(is_own, "order", f"`{kind}` does not belong in this log")
        authored(event)
        demand(seat <= self.seats and not (self.is_line and kind == "annotated" and seat), "author",
               f"`{kind}` cannot be by {event['by']}")
        is_late = self.due is not None and event["at"] >= self.due
        is_for_absent = kind in ("acted", "sealed") and seat and (seat in self.gone or is_late)
        demand("signed" not in self.created or "signature" in event or not is_personal(event) or is_for_absent,
               "signature", f"`{kind}` is not signed")
        self.place(event, seat)
        if kind in ("ended", "corrected"):
            self.can_end(body, seat)
        self.commitments(kind, body, seat)

    def place(self, event, seat):
        """Checks that an event may come at this point."""
        kind, body = event["type"], event["body"]
        due = body.get("due") if kind == "deadline_set" else None
        status, decided_by = self.status(), body.get("decided_by")
        is_end = kind in ("revealed", "ended", "voided")
        agreement = kind == "revealed" or decided_by == "agreement"
        wrong = (
            self.is_closing and not is_end and "what only the end reveals is revealed: the game ends"
            or self.is_agreed() and not agreement and "a draw is agreed: the game ends"
            or kind == "annotated" and body["ply"] > self.ply and "there is no such ply"
            or kind == "voided" and self.is_void and "the game is void already"
            or kind == "unvoided" and not self.is_void and "the game is not void"
            or kind in ("corrected", "reopened") and status != "finished" and "the game is not over, or void"
            or kind == "reopened" and self.decided_by == "rules" and "the rules ended the game"
            or kind == "taken_back" and self.taken(body["to_ply"])
            or kind in RUNNING and status != "running" and "the game is over"
            or kind == "sealed" and "open" in self.created and "the game is recorded openly"
            or kind == "draw_offered" and self.agreed and "a draw is offered already"
            or kind == "draw_answered" and not self.agreed and "no draw is offered"
            or kind == "draw_answered" and seat in self.agreed and "the seat has agreed already"
            or kind == "resigned" and seat in self.gone and "the seat has resigned already"
            or due and due <= event["at"] and "the deadline is over already"
            or decided_by == "agreement" and not self.is_agreed() and "not all seats have agreed to a draw"
        )
        demand(not wrong, "order", f"`{kind}` cannot come here: {wrong}")

    def taken(self, to_ply):
        return (self.is_void and "the game is void" or to_ply >= self.ply and "there is no later ply to take back"
                or self.is_line and to_ply < self.created["fork"]["ply"] and "the line begins at a later ply")

    def can_end(self, body, seat):
        """Checks that a game with so many seats can have such an outcome."""
        outcome, decided_by, seats = body["outcome"], body.get("decided_by"), set(range(1, self.seats + 1))
        winners, ranking = outcome["winners"], outcome.get("ranking")
        is_group = lambda group: group == sorted(set(group) & seats)
        demand(is_group(winners), "outcome", "winners are seats, ascending, each once")
        if ranking is not None:
            ranked = sorted(seat for group in ranking for seat in group)
            demand(all(group and is_group(group) for group in ranking) and ranked == sorted(seats), "outcome",
                   "a ranking names each seat once, in groups")
        if "forfeit" in outcome:
            demand(outcome["forfeit"] is True and not winners and ranking is None, "outcome",
                   "a forfeit by all seats has no winners and no ranking")
        demand(len(winners) < self.seats or self.seats == 1, "outcome", "not all seats win: a game that nobody lost is a draw")
        first = ranking[0] if ranking and len(ranking) > 1 else []
        demand(ranking is None or self.seats == 1 or winners == first, "outcome", "the winners are not those who are ranked first")
        is_plain = outcome.keys() == {"winners", "reason"} and outcome["reason"] == decided_by
        others = sorted(seats - {seat})
        demand(decided_by != "resignation" or is_plain and self.seats == 2 and winners == others, "outcome",
               "a resignation is won by the other one of two seats, with the reason `resignation`")
        demand(decided_by != "time" or is_plain and self.seats == 2 and len(winners) == 1, "outcome",
               "a loss on time is won by the other one of two seats, with the reason `time`")
        demand(decided_by != "agreement" or is_plain and not winners, "outcome", "an agreed game is a draw, with the reason `agreement`")

    def commitments(self, kind, body, seat):
        """Opens what was sealed, and the seed of the dice."""
        log = bytes.fromhex(self.log.replace("-", ""))
        if kind == "entropy_added":
            demand("fairness" in self.created and self.created.get("rolls") != "typed", "dice",
                   "this log has no dice that seats contribute to")
            demand(not self.is_rolled and not self.is_public and seat not in self.contributors, "dice",
                   "seats contribute to the dice once, before the first roll")
        if kind == "revealed":
            demand(body["of"] in self.sealed, "seal", "reveals what is not sealed")
            by, commitment = self.sealed[body["of"]]
            salt, content = bytes.fromhex(body["salt"]), body["content"].encode()
            demand(sha256(b"plybook/seal/v1\0", log, by.encode(), b"\0", salt, content) == commitment, "seal",
                   f"reveals something else than was sealed in event {body['of']}")
            demand(body["of"] != 0 or self.is_setup(content), "seal",
                   "the setup that it reveals is not one that the public part in `created` belongs to")
        if kind in ("acted", "sealed") and not seat:
            source = self.created.get("rolls")
            demand(source in (None, "fair" if "fair" in body else "typed"), "dice", f"all rolls of this game are {source}")
        if kind in ("acted", "sealed") and "fair" in body:
            demand("fairness" in self.created, "dice", "rolled from a seed that was never committed to")
            demand(not self.is_public, "dice", "rolled from a seed that was public")
        if kind not in ("ended", "voided"):
            return
        is_used = self.is_rolled or "drawn" in self.created
        is_owed = kind == "ended" and is_used and not self.is_public
        demand(not is_owed or "seed" in body, "dice", "the game ends without the seed that it was drawn from")
        demand(not self.sealed, "seal", "something is still sealed at the end")
        if "seed" in body:
            salt, secret = bytes.fromhex(body["seed"]["salt"]), bytes.fromhex(body["seed"]["seed"])
            demand(sha256(b"plybook/seed/v1\0", log, salt, secret) == self.created.get("fairness"), "dice",
                   "the seed is not the one that was committed to")

    def is_setup(self, content):
        """Whether a complete setup has everything that was public of it."""
        public = self.created["setup"]
        try:
            complete = read(content)
        except Bad:
            return False
        if type(public) is not dict or type(complete) is not dict:
            return canonical(public) == canonical(complete)
        return all(name in complete and canonical(complete[name]) == canonical(value) for name, value in public.items())

    def apply(self, event):
        """Adds an event that was checked."""
        kind, body, seat = event["type"], event["body"], seat_of(event)
        if kind in ("acted", "sealed"):
            self.ply += 1
            if seat != self.offered_by:
                self.offered_by, self.agreed = None, set()
            self.is_rolled |= "fair" in body
            self.mainline.append((seat, body["action"] if kind == "acted" else event["seq"]))
        if kind == "sealed":
            self.sealed[event["seq"]] = event["by"], body["commitment"]
            self.submitted[event["seq"]] = self.ply
        elif kind == "revealed":
            del self.sealed[body["of"]]
            self.revealed[body["of"]] = body["content"]
            self.is_closing |= body["of"] not in self.submitted
        elif kind == "taken_back":
            self.ply = body["to_ply"]
            del self.mainline[self.ply - self.begins_at:]
            self.submitted = {seq: ply for seq, ply in self.submitted.items() if ply <= self.ply}
        elif kind == "draw_offered":
            self.offered_by, self.agreed = seat, {seat}
        elif kind == "draw_answered":
            self.agreed = self.agreed | {seat} if body["accept"] else set()
        elif kind == "resigned":
            self.gone.add(seat)
        elif kind == "entropy_added":
            self.contributors.add(seat)
        elif kind == "deadline_set":
            self.due = body.get("due")
        elif kind == "ended":
            self.outcome, self.decided_by, self.corrected_by = body["outcome"], body["decided_by"], None
        elif kind == "corrected":
            self.outcome, self.corrected_by = body["outcome"], "arbiter"
        elif kind in ("voided", "unvoided"):
            self.is_void = kind == "voided"
        elif kind == "arranged" and "name" in body:
            self.name = body["name"] or None
        if kind in ("taken_back", "reopened"):
            self.outcome = self.decided_by = None
        if kind in ("taken_back", "ended"):
            self.offered_by, self.agreed = None, set()
        if kind in ("ended", "voided"):
            self.is_closing = False
            self.is_public |= "seed" in body


def of_player(events, log):
    """Checks the order of a player's log."""
    is_merged, keys = False, set()
    for seq, event in enumerate(events):
        kind = event["type"]
        on(seq, demand, kind.startswith("player_") and (kind == "player_created") == (seq == 0), "order",
           f"`{kind}` does not belong in this log")
        on(seq, authored, event)
        # The service only adds what a player was created with.
        on(seq, demand, event["by"] != "service" or seq <= 1, "author", f"`{kind}` cannot be by service")
        on(seq, demand, kind != "player_merged" or not is_merged and event["body"]["into"] != log, "order",
           "the player is already merged, or would be merged with itself")
        on(seq, demand, kind != "player_unmerged" or is_merged, "order", "the player is not merged")
        if kind in ("player_key_added", "player_key_removed"):
            key = event["body"]["key"]
            on(seq, demand, (key in keys) == (kind == "player_key_removed"), "order",
               "a key is added that the player has, or removed that the player does not have")
            keys ^= {key}
        is_merged = kind == "player_merged" or is_merged and kind != "player_unmerged"


def of_imports(events, log):
    """Checks the order of the marks of imports: of one log, each event once."""
    before = -1
    for seq, event in enumerate(events):
        kind, body = event["type"], event["body"]
        on(seq, demand, kind == "imported", "order", f"`{kind}` does not belong in this log")
        on(seq, authored, event)
        on(seq, demand, log == derived_id(b"plybook/imports/v1\0" + id_bytes(body["log"])), "order",
           "this log is for the imports of another one")
        on(seq, demand, before < body["first"], "order", "it imports an event twice")
        before = body["last"]


def ordered(events, log):
    """Checks the order of a log's events and their authors. Returns the order of a game; None of another log."""
    first = events[0]["type"] if events else None
    if first == "player_created":
        return of_player(events, log)
    if first == "created":
        game = on(0, Game, events[0])
        for seq, event in enumerate(events[1:], 1):
            on(seq, game.check, event)
            game.apply(event)
        return game
    if first == "imported":
        return of_imports(events, log)
    own = TOURNAMENT if first == "tournament_created" else {first} & {"history_accepted", "key_rotated"}
    for seq, event in enumerate(events):
        kind = event["type"]
        is_own = kind in own and (kind == first) == (seq == 0)
        on(seq, demand, is_own, "order", f"`{kind}` does not belong in this log")
        on(seq, authored, event)
    return None


def tournament(events, log, logs):
    """Checks that the tables that a tournament's log refers to exist, and that its references to games match their
    logs, if these are here."""
    rounds, players, settings = [], {}, events[0]["body"] if events else {}
    for seq, event in enumerate(events[1:], 1):
        kind, body = event["type"], event["body"]
        if kind in TOURNAMENT:
            on(seq, tables, rounds, kind, body, bytes.fromhex(log.replace("-", "")))
            on(seq, quoted, body.get("record"), logs)
            if kind == "result_removed" and "record" in body:
                on(seq, withdrawn, body["record"], logs)
            if kind == "result_recorded" and "record" in body:
                on(seq, adopted, body, log, settings, rounds, players, logs)
            if kind == "entered":
                players[body["entrant"]] = body["player"]
            settings = body if kind == "tournament_edited" else settings
    on(len(events), overruled, rounds, logs)


OF_TABLES = {"game_opened", "table_reseated", "result_recorded", "result_removed", "forfeited", "adjourned", "resumed"}

def tables(rounds, kind, body, log):
    """Follows the rounds: for each, whether it was opened and is closed, and the games of each table, with the results
    that were adopted."""
    number = body.get("round", 0)
    last = rounds[number - 1] if 1 <= number <= len(rounds) else None
    if kind == "paired" or kind == "pairing_changed" and last is None:
        if number != len(rounds) + 1:
            raise Bad("order", f"round {number} is not the next one")
        rounds.append(new_round([{} for _ in body["tables"]], body["tables"]))
    elif kind == "table_opened":
        if number == len(rounds) + 1:
            rounds.append({**new_round([], []), "is_open": True})
        games = rounds[number - 1]["games"] if 1 <= number <= len(rounds) else None
        if games is None or body["table"] != len(games) + 1:
            raise Bad("order", f"table {body['table']} of round {number} is not the next one")
        games.append({body["game"]: None})
        rounds[number - 1]["seats"].append(body["seats"])
    elif kind in ("pairing_changed", "unpaired", "round_opened"):
        if last is None or last["is_open"]:
            raise Bad("order", f"round {number} is not paired, or open already")
        if kind == "unpaired":
            rounds.remove(last)
        elif kind == "round_opened":
            last["is_open"] = True
            for table, games in enumerate(last["games"], 1):
                games[table_game(log, bytes.fromhex(body["salt"]), number, table)] = None
        else:
            last["games"], last["seats"] = [{} for _ in body["tables"]], list(body["tables"])
    elif kind in OF_TABLES or kind in ("round_unopened", "round_closed", "round_reopened"):
        if last is None or not last["is_open"]:
            raise Bad("order", f"round {number} was not opened")
        if kind == "round_unopened":
            last.update(is_open=False, games=[{} for _ in last["games"]])
        elif kind in OF_TABLES:
            if not 1 <= body["table"] <= len(last["games"]):
                raise Bad("order", f"round {number} has no table {body['table']}")
            table_event(last, kind, body, body["table"] - 1)
        else:
            last["is_closed"] = kind == "round_closed"


def new_round(games, seats):
    return {"is_open": False, "is_closed": False, "games": games, "seats": list(seats), "entered": set()}


def table_event(of, kind, body, table):
    """What happens at a table of a round."""
    games, record = of["games"][table], body.get("record")
    demand(record is None or record["game"] in games, "order", f"the game {record and record['game']} is not one of this table")
    if record:
        games[record["game"]] = body.get("ranking")
    elif kind in ("game_opened", "result_recorded", "result_removed", "forfeited"):
        demand(all(adopted is None for adopted in games.values()), "order", f"table {table + 1} has the result of a recorded game")
    if kind in ("result_recorded", "forfeited") and not record:
        of["entered"].add(table)
    if kind == "result_removed":
        of["entered"].discard(table)
    if kind == "game_opened":
        games[body["game"]] = None
    elif kind == "table_reseated":
        of["seats"][table] = body["seats"]


def overruled(rounds, logs):
    """Checks that the tables of closed rounds have the results of their games, if these have any and are here."""
    for number, of in enumerate(rounds, 1):
        for table, games in enumerate(of["games"] if of["is_closed"] else []):
            # An adjourned game may have ended since.
            has_result = table in of["entered"] or any(adopted is not None for adopted in games.values())
            for game, adopted in games.items():
                demand(not has_result or adopted is not None or game not in logs or told_by(logs[game])[1] is None, "line",
                       f"table {table + 1} of round {number} has another result than its game {game}")


def adopted(body, log, settings, rounds, players, logs):
    """Checks that a result which comes from a game is that of the game at this table, if that is here."""
    game, seats = body["record"]["game"], rounds[body["round"] - 1]["seats"][body["table"] - 1]
    named = sorted(seat for group in body["ranking"] for seat in group)
    demand([] not in body["ranking"] and named == list(range(1, len(seats) + 1)), "order", "the ranking has to name each seat once")
    if game not in logs:
        return
    created, outcome = told_by(logs[game][:body["record"]["seq"] + 1])
    at = [created.get(name) for name in ("kind", "tournament", "round", "table")]
    sat = [seat.get("player") for seat in created.get("seats", [])]
    demand(at == [settings["kind"], log, body["round"], body["table"]] and sat == [players.get(entrant) for entrant in seats], "line",
           f"the game {game} was not played at this table")
    groups = outcome and (outcome.get("ranking") or [outcome["winners"]])
    rest = [seat for seat in range(1, len(seats) + 1) if not any(seat in group for group in groups or [])]
    demand(groups and [group for group in [*groups, rest] if group] == body["ranking"], "line",
           f"the game {game} does not have this result")


def withdrawn(record, logs):
    """Checks that a game whose result is removed has none any more, if it is here."""
    game = record["game"]
    demand(game not in logs or told_by(logs[game][:record["seq"] + 1])[1] is None, "line", f"the game {game} has a result")


def told_by(lines):
    """How a game began, and the outcome that it tells its tournament after these events; None if there is none that counts."""
    created, outcome, is_void, ply = {}, None, False, 0
    for event in whole_events(lines):
        kind, body = event["type"], event["body"]
        if kind == "created":
            created = body
        elif kind in ("acted", "sealed"):
            ply += 1
        elif kind in ("ended", "corrected"):
            outcome = body["outcome"]
        elif kind in ("reopened", "taken_back"):
            outcome, ply = None, body.get("to_ply", ply)
        elif kind in ("voided", "unvoided"):
            is_void = kind == "voided"
    is_entered = outcome and ply == 0 and outcome["reason"] == "entered without a record"
    return created, None if is_void or is_entered or outcome and "forfeit" in outcome else outcome


def table_game(log, salt, number, table):
    """The id of the game that a table gets when its round is opened."""
    where = number.to_bytes(4, "big") + table.to_bytes(4, "big")
    return derived_id(b"plybook/table/v1\0" + log + salt + where)


def derived_id(content):
    """The id that follows from some bytes."""
    found = bytearray(hashlib.sha256(content).digest()[:16])
    found[6], found[8] = found[6] & 0x0F | 0x80, found[8] & 0x3F | 0x80
    return str(uuid.UUID(bytes=bytes(found)))


def id_bytes(log):
    return bytes.fromhex(log.replace("-", ""))


def imports(events, logs):
    """Checks that what was imported is there, if its log is."""
    for seq, event in enumerate(events):
        if event["type"] == "imported":
            body = event["body"]
            on(seq, quoted, {"game": body["log"], "seq": body["last"], "hash": body["head"]}, logs)


def quoted(record, logs):
    """Checks that a log has the event that another one names, if it is here."""
    if record is None or record["game"] not in logs:
        return
    lines = logs[record["game"]]
    if record["seq"] >= len(lines) or sha256(b"plybook/event/v1\0", lines[record["seq"]]) != record["hash"]:
        raise Bad("line", f"event {record['seq']} of the log {record['game']} has another hash")


FORKS_MAX = 100

def continues(events, logs):
    """Checks that a line continues the event of its parent that it names; Bad if it does not."""
    fork = events[0]["body"].get("fork") if events and events[0]["type"] == "created" else None
    if fork is None or fork["game"] not in logs:
        return
    first, (name, seq) = events[0], (fork["game"], fork["seq"])
    forks, above = 1, logs[name]
    while b'"fork":{' in above[0] and forks <= FORKS_MAX:
        above = logs.get(parse(above[0])["body"].get("fork", {}).get("game"), [b""])
        forks += 1
    demand(forks <= FORKS_MAX, "line", f"more than {FORKS_MAX} lines lie between it and a game")
    try:
        parents, head = chain(logs[name][:seq + 1], name)
        parent = ordered(parents, name)
    except Bad as bad:
        raise Bad("line", f"the log {name}, which it continues, is bad at seq {bad.seq}: {bad.why}") from None
    demand(len(parents) > seq, "line", f"the log {name}, which it continues, has no event {seq}")
    demand(head == fork["hash"], "line", f"event {seq} of the log {name}, which it continues, has another hash")
    demand(parent, "line", f"the log {name}, which it continues, is not that of a game")
    ours, theirs, last = first["body"], parent.created, parents[-1]["type"]
    leads = last in ("acted", "sealed") or seq == 0 and (not parent.is_line or "position" in theirs)
    demand(parent.ply == fork["ply"] and leads, "line",
           f"event {seq} of the log {name}, which it continues, did not lead to ply {fork['ply']}")
    demand(first["at"] >= parents[0]["at"], "line", "it is dated before the log that it continues")
    # What was sealed may be revealed after the event that the line forks from.
    later = [event["body"] for event in whole_events(logs[name][seq + 1:]) if event["type"] == "revealed"]
    revealed = {**parent.revealed, **{body["of"]: body["content"] for body in later}}
    hidden = set(parent.submitted) | ({0} if "sealed_setup" in theirs else set())
    demand(hidden <= revealed.keys(), "line", "something that it continues is still sealed")
    setup = json.loads(revealed[0]) if "sealed_setup" in theirs else theirs["setup"]
    demand(all(ours[name] == theirs[name] for name in ("kind", "rules")) and len(ours["seats"]) == parent.seats
           and canonical(ours["setup"]) == canonical(setup) and "sealed_setup" not in ours, "line",
           f"it is not of the same game as the log {name}, which it continues")


def whole_events(lines):
    """The events of these lines up to the first bad one."""
    for line in lines:
        try:
            yield parse(line)
        except Bad:
            return


def signers(events):
    """How many events each key signed."""
    keys = [event["signature"][:64] for event in events if "signature" in event]
    return {key: keys.count(key) for key in keys}


def verify(log, lines, logs, head=None, names_signers=False, also=lambda: None):
    """Prints the finding for a log; returns whether it is valid. `logs` are all logs, by id; `also` is checked last."""
    try:
        events, found, bad = [], "", None
        try:
            events, found = chain(lines, log)
        except Bad as first:
            # A fault in the order of the events before it is found first.
            events, bad = [parse(line) for line in lines[:first.seq]], first
        order = ordered(events, log)
        if bad:
            raise bad
        tournament(events, log, logs)
        imports(events, logs)
        on(0, continues, events, logs)
        end = len(lines)
        on(end, demand, not order or not order.is_ending(), "order", "`ended` is missing: the log stops where the game ends")
        on(end, demand, head in (None, found), "chain", f"the log ends in {found}, not in {head}")
        on(0, also)
    except Bad as bad:
        print(f"bad {log} seq {bad.seq}: {bad.kind}: {bad.why}")
        return False
    print(f"ok {log} {len(events)} {found}")
    if names_signers:
        for key, count in signers(events).items():
            print(f"signed {log} {count} {key}")
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
        raise Bad("form", "not a record")
    return log, [line.encode() for line in events]


def record_logs(record):
    """The logs in a JSON record: the game's, then those of its lines; Bad if it is not a record."""
    if record.get("format") != "plybook-record/1" or "lines" in record and not listing(an_object, 1)(record["lines"]):
        raise Bad("form", "not a record")
    logs = [carried(record, "game"), *(carried(line, "line") for line in record.get("lines", []))]
    ids = [log for log, _ in logs]
    for index, line in enumerate(record.get("lines", []), 1):
        fork = line.get("fork")
        demand(an_object(fork) and fork.get("game") in ids[:index] and ids[index] not in ids[:index], "form",
               "a line in it stands after the log that it continues, once")
    return logs


def outline(log, lines, logs, is_line):
    """What a record says of a log besides its lines: all of it follows from the events."""
    events = [parse(line) for line in lines]
    game, first, head = ordered(events, log), events[0], sha256(b"plybook/event/v1\0", lines[-1])
    demand(game, "form", "the log of a record is that of a game")
    body, people = first["body"], sorted({event["who"] for event in events if "who" in event})
    said = {"createdAt": first["at"], "events": [line.decode() for line in lines], "head": head}
    if is_line:
        return game, {**said, "line": log, "fork": body.get("fork"), "name": game.name}
    said |= {name: body[name] for name in ("kind", "rules", "setup", "seats", "position", "played", "fork") if name in body}
    said |= {"format": "plybook-record/1", "game": log, "status": game.status(), "outcome": game.outcome,
             "decidedBy": game.corrected_by or game.decided_by if game.outcome else None}
    if game.is_line:
        said["name"] = game.name
    return game, {**said, "recordedBy": people} if people else said


def played_up_to(log, logs, seq=None):
    """The words of a mainline after an event, as both sorts of kinds write them; None if a log that it needs is not here."""
    if log not in logs:
        return None
    lines = logs[log] if seq is None else logs[log][:seq + 1]
    game = ordered([parse(line) for line in lines], log)
    revealed = {event["body"]["of"]: event["body"]["content"] for event in whole_events(logs[log]) if event["type"] == "revealed"}
    own = [(seat, revealed.get(action, "?") if type(action) is int else action) for seat, action in game.mainline]
    words = [action for _, action in own], [f"{seat}:{action}" if seat else action for seat, action in own]
    if not game.is_line:
        return words
    above = played_up_to(game.created["fork"]["game"], logs, game.created["fork"]["seq"])
    return above and tuple(theirs + ours for theirs, ours in zip(above, words))


def contradicted(told, record, log, lines, logs):
    """Checks what an object of a record says of its log."""
    is_line = told is not record
    game, said = outline(log, lines, logs, is_line)
    words = played_up_to(log, logs)
    demand(words is not None, "line", "a log that it continues is not here")
    begins_at = game.begins_at if is_line else 0
    demand(told.get("actions") in [some[begins_at:] for some in words], "form", "`actions` does not follow from the log")
    said["actions"] = told["actions"]
    if "lines" in record and not is_line:
        said["lines"] = record["lines"]
    # What an engine said of the game does not follow from its log, nor does the place in an export.
    analysis, cursor = told.get("analysis"), told.get("cursor")
    if not is_line and type(analysis) is dict and analysis.get("head") == said["head"]:
        told = {name: value for name, value in told.items() if name != "analysis"}
    at = CURSOR.fullmatch(cursor) if text(cursor) else None
    if not is_line and at and at[2] == log and -2**63 <= int(at[1]) < 2**63:
        said["cursor"] = cursor
    for name in {**said, **told}:
        is_same = name in said and name in told and canonical(said[name]) == canonical(told[name])
        demand(is_same, "form", f"`{name}` of the record does not follow from the log")


def verify_record(record, logs, names_signers=False):
    """Checks the logs in a JSON record, and that everything else in it follows from them."""
    both = zip(record_logs(record), [record, *record.get("lines", [])])
    return all([verify(log, lines, logs, told["head"], names_signers, lambda: contradicted(told, record, log, lines, logs))
                for (log, lines), told in both])


def object_of(pairs):
    """An object, none of whose members stands in it twice."""
    members = dict(pairs)
    demand(len(members) == len(pairs), "form", "a member stands in it twice")
    return members


def number_of(text):
    """A number in JSON; Bad if it is none, or out of the range of readers."""
    demand(abs(float(text)) < float("inf"), "form", f"not JSON: {text[:20]} is no number, or too large")
    return float(text) if re.search("[.eE]", text) else int(text)


def depth_of(value):
    """How deep the lists and objects of a value are nested."""
    inner = value.values() if type(value) is dict else value if type(value) is list else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def read_json(data):
    """An object of JSON; Bad if it is none."""
    try:
        value = json.loads(data.decode(), object_pairs_hook=object_of, parse_int=number_of, parse_float=number_of,
                           parse_constant=number_of)
        # Half of a surrogate pair is no text.
        json.dumps(value, ensure_ascii=False).encode()
        demand(depth_of(value) < 128, "form", "not JSON: nested too deep")
    except (ValueError, RecursionError) as why:
        raise Bad("form", f"not JSON: {why}") from None
    demand(an_object(value), "form", "not a record")
    return value


def logs_in(path):
    """The lines of the file, and its logs by id if it holds logs; `-` is standard input."""
    with sys.stdin.buffer if path == "-" else open(path, "rb") as file:
        return [line for line in map(lambda line: line.removesuffix(b"\r"), file.read().split(b"\n")) if line]


def main(args):
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--game", metavar="ID", help="each file is one log, and has to be that game's")
    options.add_argument("--head", metavar="HASH", help="the log has to end in this hash")
    options.add_argument("--with", dest="known", metavar="FILE", action="append", default=[],
                         help="logs that others may continue or refer to; they are not verified")
    options.add_argument("--signers", action="store_true", help="also print which keys signed how many events")
    options.add_argument("files", metavar="FILE", nargs="*", default=["-"])
    options = options.parse_args(args)
    # Functions that print the finding for each file, once all logs are known.
    known, logs, checks = {}, {}, []
    for path in options.known:
        known.update(split(logs_in(path)))
    for path in options.files:
        lines = logs_in(path)
        if options.game:
            checks.append(lambda lines=lines: verify(options.game, lines, logs, options.head, options.signers))
        elif lines and not lines[0].startswith(b'{"at":') and lines[0].lstrip().startswith(b"{"):
            # A record that is not on one line is the only one.
            for line in lines if lines[0].rstrip().endswith(b"}") else [b"\n".join(lines)]:
                try:
                    record = read_json(line)
                    logs.update(record_logs(record))
                    checks.append(lambda record=record: verify_record(record, logs, options.signers))
                except Bad as why:
                    checks.append(lambda why=why.why: print(f"bad ? seq 0: form: {why}"))
        else:
            found = split(lines)
            logs.update(found)
            checks.extend(lambda log=log, its=its: verify(log, its, logs, options.head, options.signers) for log, its in found.items())
            if not lines:
                checks.append(lambda: print("bad ? seq 0: form: it contains no event"))
    logs.update(known)
    return 0 if all([bool(check()) for check in checks]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

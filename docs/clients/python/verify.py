"""Verifies the log of a game from its exact bytes: the chain, what was sealed, and the dice of Thrones.

FORMAT.md describes each check. Whether the actions are legal only the rules can say: `plybook verify` and the field
`verification` do.
"""

import hashlib
import hmac
import json
from dataclasses import dataclass


class BadLog(Exception):
    """The first thing wrong with a log."""

    def __init__(self, seq, why):
        super().__init__(f"event {seq} {why}")


@dataclass(frozen=True)
class Verified:
    events: int
    head: str
    """The hash of the last event."""
    opened: int
    """The secrets that were opened and fit their commitments."""
    rolls: int
    """The rolls of the service that follow from its seed."""


def battle(_, below):
    """A battle of Thrones: a number below 2, where 0 is even."""
    return "battle:even" if below(2) == 0 else "battle:odd"


def verify(log, roll):
    """Verifies a log of whole lines. Raises BadLog.

    `roll` takes an action and the function that draws the next number below its argument, and returns the action
    that is drawn.
    """
    events, head = check_chain(log)
    return Verified(len(events), head, check_sealed(events), check_dice(events, roll))


def check_chain(log):
    """Every event carries the hash of the one before it."""
    events, head = [], "0" * 64
    for line in log.split(b"\n")[:-1]:
        event, seq = json.loads(line), len(events)
        if event["seq"] != seq:
            raise BadLog(seq, f"is numbered {event['seq']}")
        if event["game"] != (events or [event])[0]["game"]:
            raise BadLog(seq, "belongs to another log")
        if event["prev"] != head:
            raise BadLog(seq, "does not carry the hash of the event before it")
        head = sha256(b"plybook/event/v1\0", line)
        events.append(event)
    if not log.endswith(b"\n"):
        raise BadLog(len(events), "is missing, or its end is")
    return events, head


def check_sealed(events):
    """Every secret that is opened is the one that was committed to, and none stays sealed once the game is over."""
    sealed, opened = {}, 0
    for event in events:
        seq, kind, body = event["seq"], event["type"], event["body"]
        if kind == "sealed":
            sealed[seq] = (event["by"], body["commitment"])
        elif kind == "created" and "sealed_setup" in body:
            sealed[seq] = ("service", body["sealed_setup"])
        elif kind == "ended" and sealed:
            raise BadLog(seq, "ends the game while something is sealed")
        elif kind == "revealed":
            if body["of"] not in sealed:
                raise BadLog(seq, f"opens event {body['of']}, which sealed nothing")
            by, commitment = sealed.pop(body["of"])
            parts = (raw(event["game"]), by.encode(), b"\0", raw(body["salt"]), body["content"].encode())
            if sha256(b"plybook/seal/v1\0", *parts) != commitment:
                raise BadLog(seq, f"does not open what event {body['of']} sealed")
            opened += 1
    return opened


def check_dice(events, roll):
    """The published seed is the one committed to, and gives every roll that the service has made."""
    created = events[0]
    rolls = [event for event in events if event["body"].get("fair")]
    end = next((event for event in events if "seed" in event["body"]), None)
    if end is None:
        over = next((event for event in events if event["type"] == "ended"), None)
        if over and rolls:
            raise BadLog(over["seq"], "ends the game without the seed of its dice")
        return 0
    seed, salt = raw(end["body"]["seed"]["seed"]), raw(end["body"]["seed"]["salt"])
    if sha256(b"plybook/seed/v1\0", raw(created["game"]), salt, seed) != created["body"]["fairness"]:
        raise BadLog(end["seq"], "publishes another seed than the game committed to")
    entropy = b"".join(
        bytes([int(event["by"].removeprefix("seat:"))]) + raw(event["body"]["entropy"])
        for event in events
        if event["type"] == "entropy_added"
    )
    key = hmac_sha256(seed, b"plybook/entropy/v1\0", raw(created["game"]), entropy)
    # What was dealt in secret is revealed by now.
    opened = {event["body"]["of"]: event["body"]["content"] for event in events if event["type"] == "revealed"}
    for ordinal, event in enumerate(rolls):
        words = stream(key, created["game"], ordinal)
        action = event["body"].get("action") or opened[event["seq"]]
        if roll(action, lambda n: below(n, words)) != action:
            raise BadLog(event["seq"], "is not what the seed gives")
    return len(rolls)


def stream(key, game, ordinal):
    """The 32-bit words of a roll, eight a block."""
    block = 0
    while True:
        place = ordinal.to_bytes(8, "big") + block.to_bytes(4, "big")
        dealt = hmac_sha256(key, b"plybook/roll/v1\0", raw(game), place)
        yield from (int.from_bytes(dealt[at : at + 4], "big") for at in range(0, len(dealt), 4))
        block += 1


def below(n, words):
    """The next number below `n`; words that would favour low numbers are skipped."""
    limit = 2**32 // n * n
    return next(word for word in words if word < limit) % n


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def hmac_sha256(key, *parts):
    return hmac.digest(key, b"".join(parts), "sha256")


def raw(digits):
    """The bytes of a hash, a salt, a seed or an id."""
    return bytes.fromhex(digits.replace("-", ""))

"""Signs what somebody does in a game with an Ed25519 key, as FORMAT.md describes.

What is signed follows from what the person wants and from the log, never from what the service asks for: verify the log
first.
"""

import hashlib
import json

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def next_place(log):
    """Where the next event stands: its seq, and the hash of the last event that is not `revealed`."""
    events = log.splitlines()
    seq = len(events)
    while seq > 1 and json.loads(events[seq - 1])["type"] == "revealed":
        seq -= 1
    return seq, hashlib.sha256(b"plybook/event/v1\0" + events[seq - 1]).hexdigest()


class Signer:
    """Somebody with a key: a new one, unless one is given. A player's public key is made known with `addPlayerKey`."""

    def __init__(self, key=None):
        self.key = key or Ed25519PrivateKey.generate()
        self.public_key = self.key.public_key().public_bytes_raw().hex()

    def sign(self, game, place, by, type_, body):
        """The argument `signature` of the mutation that does it.

        An action of `seat:1` has the type `acted` and the body `{"action": action}`.
        """
        seq, prev = place
        statement = {"body": body, "by": by, "game": game, "prev": prev, "seq": seq, "type": type_}
        text = json.dumps(statement, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return f"{self.public_key}:{self.key.sign(b'plybook/signature/v1' + bytes(1) + text.encode()).hex()}"

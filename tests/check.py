"""Checks a proof file of Plybook offline: python3 check.py FILE KEY. Needs the package `cryptography`."""
import base64, hashlib, json, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
def demand(holds, what):
    holds or sys.exit("not proven: " + what)
proof, vkey = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2]
# The log: each event carries the hash of the one before it.
events, prev = [line.encode() for line in proof["record"]["events"]], "0" * 64
for seq, line in enumerate(events):
    event = json.loads(line)
    demand((event["game"], event["seq"], event["prev"]) == (proof["record"]["game"], seq, prev), f"event {seq}")
    prev = sha(b"plybook/event/v1\0", line).hex()
# The checkpoint: signed by the key (c2sp.org/signed-note).
name, key_id, key = vkey.split("+", 2)
key = base64.b64decode(key)
demand(key[0] == 1 and sha(name.encode(), b"\n", key)[:4].hex() == key_id, "the key")
text, signatures = proof["checkpoint"].rsplit("\n\n", 1)
signatures = [(line.split(" ")[1], base64.b64decode(line.split(" ")[2])) for line in signatures.splitlines()]
signatures = [signed[4:] for signer, signed in signatures if signer == name and signed[:4].hex() == key_id]
demand(signatures, "the checkpoint is not signed by this key")
Ed25519PublicKey.from_public_bytes(key[1:]).verify(signatures[0], text.encode() + b"\n")
origin, size, root = text.split("\n")[:3]
demand(origin == name, "the checkpoint is another log's")
# The tree: the path leads from the last event to the root (RFC 9162, section 2.1.3.2).
index, last, node = proof["inclusion"]["index"], int(size) - 1, sha(b"\0", events[-1])
demand(0 <= index <= last, "the index")
for sibling in map(bytes.fromhex, proof["inclusion"]["path"]):
    demand(last > 0, "the path is too long")
    if index % 2 or index == last:
        node = sha(b"\1", sibling, node)
        while index and index % 2 == 0:
            index, last = index // 2, last // 2
    else:
        node = sha(b"\1", node, sibling)
    index, last = index // 2, last // 2
demand(last == 0 and node == base64.b64decode(root), "the path does not lead to the root")
print(f"{len(events)} events, head {prev}, are in {origin}")

"""Draws start cells and labels again from the log of a finished game of Triforce Building: `draw.py LOG`. See FORMAT.md, *Drawn
setups*.
"""

import hashlib, hmac, json, struct, sys
events = [json.loads(line) for line in open(sys.argv[1])]
created, log = events[0]["body"], bytes.fromhex(events[0]["game"].replace("-", ""))
seed = next(bytes.fromhex(e["body"]["seed"]["seed"]) for e in events if "seed" in e["body"])
sealed = [e["body"]["content"] for e in events if e["type"] == "revealed" and e["body"]["of"] == 0]
setup = json.loads(sealed[0]) if sealed else created["setup"]

def words():
    n = 0
    while True:
        message = b"plybook/roll/v1\0" + log + struct.pack(">QL", 0, n)
        yield from struct.unpack(">8L", hmac.digest(seed, message, "sha256"))
        n += 1

def below(n, words=words()):
    return next(word for word in words if word < 2**32 // n * n) % n

def shuffled(items, count):
    for i in range(count):
        d = below(len(items) - i)
        items[i], items[i + d] = items[i + d], items[i]
    return items[:count]

side, players = setup["side"], setup["players"]
border = [(r, c) for r in range(1, side + 1) for c in range(1, 2 * r) if c in (1, 2 * r - 1) or r == side and c % 2]
if "starts" in created["drawn"]:
    assert setup["starts"] == [f"{r}.{c}" for r, c in shuffled(border, players)], "other start cells were drawn"
if "labels" in created["drawn"]:
    assert setup["labels"] == shuffled(list(range(1, players + 1)), players), "other labels were drawn"
print("drawn from the seed:", *created["drawn"])

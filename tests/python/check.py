"""Checks a proof file of Plybook offline, beside verify.py: python3 check.py FILE KEY [QUORUM WITNESS...].

The record is checked as verify.py checks it, without the rules of the game.
"""
import base64, contextlib, hashlib, io, re, sys
import verify
def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()
def demand(holds, what):
    holds or sys.exit("not proven: " + what)
def unpacked(text):  # Each value has one spelling as base64.
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        data = b""
    demand(text and base64.b64encode(data).decode() == text, "what is no base64: " + text)
    return data
def has_signed(vkey, kind):  # Logs sign the text (c2sp.org/signed-note), witnesses also a time (c2sp.org/tlog-cosignature).
    name, key_id, key = (vkey.split("+", 2) + ["", ""])[:3]
    key = unpacked(key)
    demand(len(key) == 33 and key[0] == kind and sha(name.encode(), b"\n", key)[:4].hex() == key_id, "the key " + vkey)
    signed = [signed for by, signed in signatures if by == name and signed[:4].hex() == key_id]
    for signature in signed:
        demand(len(signature) == (76 if kind == 4 else 68), "the signature by " + vkey)
        time = b"cosignature/v1\ntime %d\n" % int.from_bytes(signature[4:12], "big") if kind == 4 else b""
        demand(verify.is_ed25519(key[1:], signature[-64:], time + text.encode()), "the signature by " + vkey)
    return signed
vkey, quorum, witnesses = sys.argv[2], sys.argv[3:4], sys.argv[4:]
is_proof = verify.members(format=lambda value: value == "plybook-proof/1", record=verify.an_object, checkpoint=verify.text,
                          inclusion=verify.members(index=verify.whole, path=verify.listing(verify.hashed)))
try:
    proof = verify.read_json(open(sys.argv[1], "rb").read())
    demand(is_proof(proof), "it is not a proof file")
    logs = dict(verify.record_logs(proof["record"]))
except verify.Bad as why:
    sys.exit("not proven: " + why.why)
with contextlib.redirect_stdout(io.StringIO()) as found:
    is_right = verify.verify_record(proof["record"], logs)
demand(is_right, found.getvalue())
lines = logs[proof["record"]["game"]]
note = re.fullmatch("((?:.+\n){3,})\n((?:\u2014 [^ +\n]+ [^ \n]+\n)+)", proof["checkpoint"])
demand(note, "the checkpoint is no signed note")
text, signatures = note[1], [line.split(" ")[1:] for line in note[2].split("\n")[:-1]]
signatures = [(name, unpacked(signed)) for name, signed in signatures]
origin, size, root = text.split("\n")[:3]  # c2sp.org/tlog-checkpoint
demand(has_signed(vkey, 1) and vkey.startswith(origin + "+"), "the checkpoint is not signed by this key")
cosigned = {key.split("+", 2)[2] for key in witnesses if has_signed(key, 4)}
demand(len(cosigned) >= int((quorum or ["0"])[0]), f"only {len(cosigned)} of the witnesses have cosigned the checkpoint")
index, last, node = proof["inclusion"]["index"], int(size) - 1, sha(b"\0", lines[-1])
demand(0 <= index <= last, "the index")
for sibling in map(bytes.fromhex, proof["inclusion"]["path"]):  # From the last event to the root: RFC 9162, section 2.1.3.2.
    demand(last > 0, "the path is too long")
    if index % 2 or index == last:
        node = sha(b"\1", sibling, node)
        while index and index % 2 == 0:
            index, last = index // 2, last // 2
    else:
        node = sha(b"\1", node, sibling)
    index, last = index // 2, last // 2
demand(last == 0 and node == unpacked(root), "the path does not lead to the root")
print(f"{len(lines)} events, head {proof['record']['head']}, are in {origin}, cosigned by {len(cosigned)} witnesses")

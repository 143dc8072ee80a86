"""Checks the text of a segment of the journal, as docs/journal.md describes it: `journal.py FILE`."""

import hashlib, sys
position, group = None, b""
for line in open(sys.argv[1], "rb"):
    if line.startswith(b"#plybook-journal 1 "):
        position = int(line.split()[2])
    elif line.startswith(b"#commit "):
        _, after, count, check = line.split()
        position += int(count)
        group += line[:line.rindex(b" ") + 1]
        digest = hashlib.sha256(b"plybook/journal/v1\0" + group).hexdigest()
        assert position == int(after) and digest[:16].encode() == check, line
        group = b""
    else:
        group += line
print(position, "is the next position;", len(group), "bytes of an unfinished group")

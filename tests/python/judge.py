"""Judges many logs with tests/python/verify.py, for tests/records/sweep: `judge.py FILE...`.

The files are logs that lines may continue. On standard input come a log's id, the number of its lines, the hash that it has
to end in or `-`, and the lines; the answer is a line, as of verify.py.
"""

import functools
import json
import sys

import verify

# Most signatures are the same in all copies of a log, and take most of the time.
checked = functools.cache(lambda event, place, check=verify.is_signed: check(json.loads(event), place))
verify.is_signed = lambda event, place: checked(json.dumps(event, sort_keys=True), place)

known = {}
for path in sys.argv[1:]:
    known.update(verify.split(verify.logs_in(path)))
while header := sys.stdin.buffer.readline():
    log, count, head = header.decode().split()
    lines = [sys.stdin.buffer.readline().removesuffix(b"\n") for _ in range(int(count))]
    verify.verify(log, lines, known, None if head == "-" else head)
    sys.stdout.flush()

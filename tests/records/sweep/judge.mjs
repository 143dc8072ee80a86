// Judges many logs with the browser's verifier, for tests/records/sweep: `node judge.mjs FILE...`.
//
// The files are logs that lines may continue. On standard input come a log's id, the number of its lines, the hash that it has
// to end in or `-`, and the lines; the answer is a line that begins with `ok` or `bad`.

import { createHash } from 'node:crypto';
import { readFileSync, writeSync } from 'node:fs';

import { Chain, lines, verifyLine, verifyLog } from '../../../web-viewer/model/verify.js';

// The same hash without a detour through other threads.
crypto.subtle.digest = async (_, bytes) => createHash('sha256').update(bytes).digest();

const known = new Map(process.argv.slice(2).map((path) => {
  const log = readFileSync(path);
  return [JSON.parse(log.subarray(0, log.indexOf(0x0a))).game, log];
}));

const count = (log) => [...lines(log)].length;

async function judged(id, log, hash) {
  const head = hash === '-' ? undefined : { seq: count(known.get(id)) - 1, hash };
  const chain = new Chain(id);
  let found = await verifyLog(chain, log, head);
  if (found.valid) found = await verifyLine(chain, found, (game) => known.get(game) ?? new Uint8Array());
  return found.valid ? `ok ${found.head}` : `bad ${found.firstBad} ${found.kind}: ${found.problem}`;
}

let rest = Buffer.alloc(0);
for await (const data of process.stdin) {
  rest = Buffer.concat([rest, data]);
  for (;;) {
    const header = rest.indexOf(0x0a);
    if (header < 0) break;
    const [id, wanted, hash] = rest.subarray(0, header).toString().split(' ');
    let end = header;
    for (let line = 0; line < Number(wanted) && end >= 0; line += 1) end = rest.indexOf(0x0a, end + 1);
    if (end < 0) break;
    const log = rest.subarray(header + 1, end + 1);
    writeSync(1, `${await judged(id, log, hash)}\n`);
    rest = rest.subarray(end + 1);
  }
}

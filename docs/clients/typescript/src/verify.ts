// Verifies the log of a game from its exact bytes: the chain, what was sealed, and the dice of Thrones. FORMAT.md
// describes each check. Whether the actions are legal only the rules can say: `plybook verify` and the field
// `verification` do.

import { createHash, createHmac } from "node:crypto";

const LINE_FEED = 0x0a;

/** How many outcomes each number has that is drawn for an action, and the action that follows from what is drawn. */
export type Draws = (action: string) => { sides: number[]; action: (drawn: number[]) => string };

interface LogEvent {
  seq: number;
  type: string;
  by: string;
  game: string;
  prev: string;
  body: any;
}

/** What was verified. */
export interface Verified {
  events: number;
  /** The hash of the last event. */
  head: string;
  /** The secrets that were opened and fit their commitments. */
  opened: number;
  /** The rolls of the service that follow from its seed. */
  rolls: number;
}

/** The first thing wrong with a log. */
export class BadLog extends Error {
  constructor(seq: number, why: string) {
    super(`event ${seq} ${why}`);
    this.name = "BadLog";
  }
}

/** A battle of Thrones: a number below 2, where 0 is even. */
export const thrones: Draws = () => ({ sides: [2], action: ([drawn]) => (drawn === 0 ? "battle:even" : "battle:odd") });

/**
 * Verifies a log of whole lines.
 * @throws BadLog
 */
export function verify(log: Uint8Array, draws: Draws): Verified {
  const { events, head } = checkChain(log);
  return { events: events.length, head, opened: checkSealed(events), rolls: checkDice(events, draws) };
}

/** Every event carries the hash of the one before it. */
function checkChain(log: Uint8Array): { events: LogEvent[]; head: string } {
  const events: LogEvent[] = [];
  let head = "0".repeat(64);
  for (const line of lines(log)) {
    const event = JSON.parse(Buffer.from(line).toString()) as LogEvent;
    const seq = events.length;
    if (event.seq !== seq) throw new BadLog(seq, `is numbered ${event.seq}`);
    if (event.game !== (events[0] ?? event).game) throw new BadLog(seq, "belongs to another log");
    if (event.prev !== head) throw new BadLog(seq, "does not carry the hash of the event before it");
    head = sha256(text("plybook/event/v1\0"), line);
    events.push(event);
  }
  if (log.at(-1) !== LINE_FEED) throw new BadLog(events.length, "is missing, or its end is");
  return { events, head };
}

/** Every secret that is opened is the one that was committed to, and none stays sealed once the game is over. */
function checkSealed(events: LogEvent[]): number {
  const sealed = new Map<number, { by: string; commitment: string }>();
  let opened = 0;
  for (const { seq, type, by, game, body } of events) {
    if (type === "sealed") sealed.set(seq, { by, commitment: body.commitment });
    if (type === "created" && body.sealed_setup) sealed.set(seq, { by: "service", commitment: body.sealed_setup });
    if (type === "ended" && sealed.size > 0) throw new BadLog(seq, "ends the game while something is sealed");
    if (type !== "revealed") continue;
    const secret = sealed.get(body.of);
    if (!secret) throw new BadLog(seq, `opens event ${body.of}, which sealed nothing`);
    const commitment = sha256(
      text("plybook/seal/v1\0"), hex(game), text(`${secret.by}\0`), hex(body.salt), text(body.content),
    );
    if (commitment !== secret.commitment) throw new BadLog(seq, `does not open what event ${body.of} sealed`);
    sealed.delete(body.of);
    opened += 1;
  }
  return opened;
}

/** The published seed is the one committed to, and gives every roll that the service has made. */
function checkDice(events: LogEvent[], draws: Draws): number {
  const created = events[0]!;
  const rolls = events.filter(({ type, body }) => type === "acted" && body.fair);
  const end = events.find(({ body }) => body.seed);
  if (!end) {
    const over = events.find(({ type }) => type === "ended");
    if (over && rolls.length > 0) throw new BadLog(over.seq, "ends the game without the seed of its dice");
    return 0;
  }
  const { seed, salt } = end.body.seed;
  if (sha256(text("plybook/seed/v1\0"), hex(created.game), hex(salt), hex(seed)) !== created.body.fairness) {
    throw new BadLog(end.seq, "publishes another seed than the game committed to");
  }
  const entropy = events
    .filter(({ type }) => type === "entropy_added")
    .flatMap(({ by, body }) => [Uint8Array.of(Number(by.slice("seat:".length))), hex(body.entropy)]);
  const key = hmac(hex(seed), text("plybook/entropy/v1\0"), hex(created.game), ...entropy);
  for (const [ordinal, { seq, body }] of rolls.entries()) {
    const words = stream(key, created.game, ordinal);
    const { sides, action } = draws(body.action);
    if (action(sides.map((n) => below(n, words))) !== body.action) {
      throw new BadLog(seq, "is not what the seed gives");
    }
  }
  return rolls.length;
}

/** The 32-bit words of a roll, eight a block. */
function* stream(key: Uint8Array, game: string, ordinal: number): Generator<number, never> {
  for (let block = 0; ; block += 1) {
    const numbers = Buffer.alloc(12);
    numbers.writeBigUInt64BE(BigInt(ordinal), 0);
    numbers.writeUInt32BE(block, 8);
    const bytes = Buffer.from(hmac(key, text("plybook/roll/v1\0"), hex(game), numbers));
    for (let at = 0; at < bytes.length; at += 4) yield bytes.readUInt32BE(at);
  }
}

/** The next number below `n`; words that would favour low numbers are skipped. */
function below(n: number, words: Generator<number, never>): number {
  const limit = Math.floor(2 ** 32 / n) * n;
  for (;;) {
    const word = words.next().value;
    if (word < limit) return word % n;
  }
}

function* lines(log: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  for (let end = log.indexOf(LINE_FEED); end >= 0; end = log.indexOf(LINE_FEED, start)) {
    yield log.subarray(start, end);
    start = end + 1;
  }
}

function sha256(...parts: Uint8Array[]): string {
  return createHash("sha256").update(Buffer.concat(parts)).digest("hex");
}

function hmac(key: Uint8Array, ...parts: Uint8Array[]): Uint8Array {
  return createHmac("sha256", key).update(Buffer.concat(parts)).digest();
}

function text(of: string): Uint8Array {
  return Buffer.from(of);
}

/** The bytes of a hash, a salt, a seed or an id. */
function hex(digits: string): Uint8Array {
  return Buffer.from(digits.replaceAll("-", ""), "hex");
}

// A game of Thrones from both seats, followed over a connection that breaks, and verified.
//   PLYBOOK_URL=http://127.0.0.1:8080 PLYBOOK_TOKEN=<a recorder's> npm test
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { ReadGame } from "../src/operations.js";
import { Plybook, Refused, type GameEvent } from "../src/plybook.js";
import { contribute, create, PLANS, step } from "../src/thrones.js";
import { BadLog, thrones, verify } from "../src/verify.js";
import { Wire } from "./wire.js";

const { PLYBOOK_URL: url = "", PLYBOOK_TOKEN: token = "" } = process.env;
assert.ok(url && token, "PLYBOOK_URL and PLYBOOK_TOKEN: a running service, and the token of an arbiter");

test("a game of Thrones is played from both seats, followed through lost connections, and verified", async (t) => {
  const { game, tokens } = await create(new Plybook(url, token));
  const wire = await Wire.to(url);
  const stop = new AbortController();
  t.after(() => {
    stop.abort();
    wire.close();
  });
  const following = follow(game, wire, stop.signal);
  const players = [...tokens].map(([seat, secret]) => [seat, new Plybook(url, secret)] as const);

  const entropy = [];
  for (const [seat, player] of players) entropy.push(await contribute(player, game, seat));
  await secretsAreKept(game, players[0]![1]);
  for (let isOver = false; !isOver; ) {
    for (const [seat, player] of players) isOver = await step(player, game, seat);
  }

  const spectator = new Plybook(url);
  const { outcome, head, verification } = (await spectator.request(ReadGame, { game })).game!;
  assert.deepEqual(outcome, { winners: [1], reason: "throne-removed" });
  assert.ok(verification.valid);

  const events = await following;
  assert.ok(wire.cuts >= 3, "the connection was lost now and then");
  const log = await spectator.log(game);
  assert.equal(`${events.map(({ bytes }) => bytes).join("\n")}\n`, Buffer.from(log).toString(), "no gap, nothing twice");
  for (const part of entropy) assert.ok(events.some(({ bytes }) => bytes.includes(part)));

  const verified = verify(log, thrones);
  assert.equal(verified.head, head.hash);
  assert.equal(verified.events, head.seq + 1);
  assert.equal(verified.opened, 4, "two homelands and two favours");
  assert.ok(verified.rolls >= 1, "at least one battle");
  forgeriesAreFound(log);
});

test("an action whose answer was lost is recorded once", async (t) => {
  const { game, tokens } = await create(new Plybook(url, token));
  const wire = await Wire.to(url);
  t.after(() => wire.close());
  const player = new Plybook(wire.url, tokens.get(1));
  await player.request(ReadGame, { game });
  const before = (await player.request(ReadGame, { game })).game!.head.seq;
  wire.loseNextAnswer();
  await contribute(player, game, 1);
  assert.equal(wire.cuts, 1);
  assert.equal((await new Plybook(url).request(ReadGame, { game })).game!.head.seq, before + 1);
});

test("a refusal has the code of the service", async () => {
  const player = new Plybook(url, "forged");
  await assert.rejects(player.request(ReadGame, { game: "nothing" }), (why: Refused) => why.code === "UNAUTHENTICATED");
  const refused = new Plybook(url).follow("nothing").next();
  await assert.rejects(refused, (why: Refused) => why.code === "BAD_INPUT");
});

/** Follows the game to its end over a wire that is cut after every fourth event. */
async function follow(game: string, wire: Wire, stop: AbortSignal): Promise<GameEvent[]> {
  const events: GameEvent[] = [];
  for await (const event of new Plybook(wire.url).follow(game, -1, stop)) {
    events.push(event);
    if (event.type === "ended") break;
    if (events.length % 4 === 0) wire.cut();
  }
  return events;
}

/** Seat 1 submits its homeland: it sees it, and nobody else does. */
async function secretsAreKept(game: string, ada: Plybook): Promise<void> {
  await step(ada, game, 1);
  const homeland = PLANS.get(1)![0]!.slice("setup:".length);
  const seen = async (who: Plybook) => JSON.stringify((await who.request(ReadGame, { game })).game!.position!.position);
  assert.ok((await seen(ada)).includes(homeland));
  assert.ok(!(await seen(new Plybook(url))).includes(homeland));
}

/** A forger who changes something and repairs the chain afterwards is found out by the commitments and the seed. */
function forgeriesAreFound(log: Uint8Array): void {
  const text = Buffer.from(log).toString();
  const otherWay = text.includes("battle:even") ? ["battle:even", "battle:odd"] : ["battle:odd", "battle:even"];
  const forged = (from: string, to: string) => chained(text.replace(from, to));
  assert.throws(() => verify(Buffer.from(text.replace("Ada", "Eve")), thrones), /does not carry the hash/);
  assert.doesNotThrow(() => verify(forged("Ada", "Eve"), thrones), "names are not sealed");
  assert.throws(() => verify(forged("favor:hasten", "favor:assault"), thrones), /does not open what event/);
  assert.throws(() => verify(forged(otherWay[0]!, otherWay[1]!), thrones), /is not what the seed gives/);
  assert.throws(() => verify(log.subarray(0, log.length - 1), thrones), BadLog);
}

/** The log with hashes that fit again. */
function chained(log: string): Uint8Array {
  let prev = "0".repeat(64);
  const lines = log.trimEnd().split("\n").map((line) => {
    const next = line.replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${prev}"`);
    prev = createHash("sha256").update(`plybook/event/v1\0${next}`).digest("hex");
    return next;
  });
  return Buffer.from(`${lines.join("\n")}\n`);
}

// The task of a bot's author: every seat is a bot with a token of its own. It hears of the game over a socket, and
// sends one request a ply.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";

import { createClient } from "graphql-ws";
import WebSocket from "ws";

import { ask, get, socketUrl } from "../service.mjs";

const UPDATED = `subscription ($game: ID!, $seat: Int!) {
  gameUpdated(game: $game) { status position { ply seatsToAct chanceToAct legalActions(seat: $seat) } }
}`;
const ACT = `mutation ($game: ID!, $action: String!, $ply: Int!, $key: IdempotencyKey!) {
  act(game: $game, action: $action, expectedPly: $ply, idempotencyKey: $key) { ply }
}`;
const ROLL = `mutation ($game: ID!, $ply: Int!, $key: IdempotencyKey!) {
  roll(game: $game, expectedPly: $ply, idempotencyKey: $key) { ply }
}`;

/** The socket of a bot. */
function socketOf(token) {
  const connectionParams = { authorization: `Bearer ${token}` };
  return createClient({ url: socketUrl, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
}

/** Plays a seat to the end of the game. Returns the number of its requests. */
async function bot(socket, game, seat, token, choose) {
  let requests = 0;
  let known = 0;
  for await (const { data, errors } of socket.iterate({ query: UPDATED, variables: { game, seat } })) {
    assert.equal(errors, undefined);
    const { status, position } = data.gameUpdated;
    if (status !== "RUNNING") break;
    // What was sent before the bot's own action was recorded is out of date.
    const { ply } = position;
    if (ply < known) continue;
    const rolls = position.chanceToAct && seat === 1;
    if (!rolls && !position.seatsToAct.includes(seat)) continue;
    const wanted = { game, ply, key: randomUUID(), action: rolls ? undefined : choose(seat, position.legalActions) };
    const done = await get(rolls ? ROLL : ACT, wanted, token);
    requests += 1;
    known = (done.roll ?? done.act).ply;
  }
  return requests;
}

/** Lets bots play a game of a kind. Returns what became of it. */
async function play(kind, seats, choose, setup) {
  const input = { kind, setup, tags: { test: true }, seats: Array.from({ length: seats }, (_, index) => ({ name: `Bot ${index + 1}` })) };
  const { createGame } = await get("mutation ($input: CreateGame!) { createGame(input: $input) { id } }", { input });
  const game = createGame.id;
  const { issueGameTokens } = await get("mutation ($game: ID!) { issueGameTokens(game: $game) { seat token } }", { game });
  const players = issueGameTokens.filter(({ seat }) => seat);
  assert.equal(players.length, seats);
  const sockets = players.map(({ token }) => socketOf(token));
  const playing = players.map(({ seat, token }, index) => bot(sockets[index], game, seat, token, choose));
  // If one bot fails, the others do not wait for it.
  const requests = await Promise.all(playing).finally(() => Promise.all(sockets.map((socket) => socket.dispose())));
  const query = "query ($game: ID!) { game(id: $game) { ply outcome { reason decidedBy winners } verification { valid } } }";
  const played = (await get(query, { game }, null)).game;
  assert.equal(requests.reduce((sum, count) => sum + count), played.ply, "one request a ply");
  assert.ok(played.verification.valid);
  assert.equal(played.outcome.decidedBy, "RULES");
  return { game, ...played };
}

test("two bots play Thrones: set-ups and favours in secret, battles by the service's dice", async () => {
  const homeland = "setup:mmmmmwwww/wwwfFffff/ffffppppp/ppppppppp";
  const plans = [
    [`${homeland}:Ra4Rb4Sc4Sd4Te2De4Ef4Xg3Lg4Ch3Lh4Bi3Wi4:pafbwcmd`, "favor:hasten", "e7xe8", "e4xe8", "end", "a4-a5", "a5-a4"],
    [`${homeland}:Ra6Rb6Sc6Sd6Te8Df6Eg6Wg7Lh6Xh7Li6Ci7Bi8:pffgwhmi`, "favor:conspire", "leave", "end", "a6-b7", "b7-a6"],
  ];
  const { outcome } = await play("thrones", 2, (seat, legal) => plans[seat - 1].find((wish) => !legal || legal.includes(wish)));
  assert.deepEqual([outcome.winners, outcome.reason], [[1], "throne-removed"]);
});

test("seven bots play Triforce Building: all submit at once, and nobody waits for a request of another's", async () => {
  const { game, outcome } = await play("triforce-building", 7, (seat, legal) => legal[(seat * 5) % legal.length]);
  assert.ok(["rounds", "triforces"].includes(outcome.reason));
  const again = await ask(ACT, { game, action: "-", ply: 0, key: randomUUID() });
  assert.equal(again.errors[0].extensions.code, "GAME_OVER");
});

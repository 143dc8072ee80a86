// The task of an analyst: TRI games by Xenia in 2026, won by seat 1 in fewer than 60 plies after one opening: the tree,
// the lengths, the heat. It takes two requests.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { before, test } from "node:test";

import { get } from "../service.mjs";

const OPENING = ["x:A1"];
const OTHER = ["x:A3"];
const name = `Xenia ${randomUUID().slice(0, 8)}`;

const FIND = `query ($name: String!, $opening: [String!]!) {
  players(filter: { search: $name }) { nodes { id name } }
  explore(kind: "tri", actions: $opening) { position { positionKey } }
}`;
const ANALYSE = `query ($filter: GameFilter!, $key: Hash!) {
  explore(kind: "tri", positionKey: $key, filter: $filter) {
    games
    results { wins }
    actions(first: 6) { action games explorer { actions(first: 6) { action games explorer { games } } } }
  }
  statistics(kind: "tri", filter: $filter) {
    plies { min median max histogram { key count } }
    heat(what: "visits") { total max places { key count } }
  }
  games(filter: $filter, orderBy: PLY_ASC, first: 100) { totalCount nodes { ply playedAt seats { name } } }
}`;

/** Records a game that Xenia plays, and that `loser` resigns after some plies. */
async function record({ opening, plies, played, players, loser }) {
  // The tag tells the tests of the viewer that this is none of the demo's.
  const input = { kind: "tri", played, tags: { test: true }, seats: players.map((player) => ({ player })) };
  const create = "mutation ($input: CreateGame!) { createGame(input: $input) { id } }";
  const game = (await get(create, { input })).createGame.id;
  const act = "mutation ($game: ID!, $action: String!) { act(game: $game, action: $action) { ply position { legalActions } } }";
  let legal;
  for (const action of opening) legal = (await get(act, { game, action })).act.position.legalActions;
  for (let ply = opening.length; ply < plies; ply += 1) {
    legal = (await get(act, { game, action: legal[0] })).act.position.legalActions;
  }
  await get("mutation ($game: ID!, $loser: Int!) { resign(game: $game, seat: $loser) { id } }", { game, loser });
}

before(async () => {
  const create = "mutation ($name: String!) { createPlayer(input: { name: $name }) { id } }";
  const [xenia, yuri] = await Promise.all([name, `Yuri ${name}`].map(async (of) => (await get(create, { name: of })).createPlayer.id));
  const meant = { opening: OPENING, plies: 6, played: "2026-03-01", players: [xenia, yuri], loser: 2 };
  const games = [
    meant,
    { ...meant, plies: 9, played: "2026-10-01", players: [yuri, xenia] },
    { ...meant, played: "2025-12-31" },
    { ...meant, opening: OTHER },
    { ...meant, loser: 1 },
    { ...meant, plies: 60 },
  ];
  for (const game of games) await record(game);
});

test("the tree, the lengths and the heat of some games take two requests", async () => {
  const found = await get(FIND, { name, opening: OPENING }, null);
  const player = found.players.nodes.find((node) => node.name === name).id;
  const key = found.explore.position.positionKey;
  const filter = {
    kind: "tri", player, since: "2026-01-01", until: "2027-01-01", winningSeat: 1, maxPly: 59, position: { key },
  };
  const { explore, statistics, games } = await get(ANALYSE, { filter, key }, null);
  assert.equal(games.totalCount, 2);
  assert.deepEqual(games.nodes.map(({ ply }) => ply), [6, 9]);
  assert.equal(explore.games, 2);
  assert.deepEqual(explore.results.wins, [2, 0]);
  assert.equal(explore.actions[0].games, 2);
  assert.equal(explore.actions[0].explorer.actions[0].explorer.games, 2);
  assert.deepEqual([statistics.plies.min, statistics.plies.max], [6, 9]);
  assert.equal(statistics.plies.histogram.reduce((sum, { count }) => sum + count, 0), 2);
  assert.ok(statistics.heat.total > 0);
});

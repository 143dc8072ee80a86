// The task of an organiser: a round robin of six, in which an illegal move, a resignation by mistake, a flag and a late
// correction happen.
import assert from "node:assert/strict";
import { test } from "node:test";

import { get, refusal } from "../service.mjs";

const ROUNDS = 5;
const GAME = "id status outcome { winners reason decidedBy }";
const PAIR = `mutation ($of: ID!, $round: Int!) {
  pairRound(tournament: $of) { number }
  openRound(tournament: $of, round: $round) { tables { number game { id } seats { entrant { name } } } }
}`;
const CLOSE = "mutation ($of: ID!, $round: Int!) { endRound(tournament: $of, round: $round) { status } }";
const STANDINGS = "query ($of: ID!) { tournament(id: $of) { standings { rank score wins entrant { name } } } }";
const ACT = "mutation ($game: ID!, $action: String!) { act(game: $game, action: $action) { ply position { legalActions } } }";
const RESIGN = `mutation ($game: ID!, $seat: Int!) { resign(game: $game, seat: $seat) { ${GAME} } }`;

/** A tournament with six entrants, and the token of its organiser. */
async function planned() {
  const input = { name: "Club championship", kind: "triangulate", format: "ROUND_ROBIN" };
  const { createTournament } = await get("mutation ($input: CreateTournament!) { createTournament(input: $input) { id } }", { input });
  const of = createTournament.id;
  const create = "mutation ($of: ID!) { createToken(input: {role: \"organiser\", tournament: $of, label: \"Chief\", days: 2}) { token } }";
  const { token } = (await get(create, { of })).createToken;
  const entrants = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn"].map((name) => ({ name }));
  const enter = "mutation ($of: ID!, $entrants: [EntrantInput!]!) { addEntrants(tournament: $of, entrants: $entrants) { entrantsCount } }";
  assert.equal((await get(enter, { of, entrants }, token)).addEntrants.entrantsCount, 6);
  return { of, token };
}

test("a round robin of six with everything that goes wrong at the tables", async () => {
  const { of, token } = await planned();
  let eventful;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { tables } = (await get(PAIR, { of, round }, token)).openRound;
    assert.equal(tables.length, 3);
    const missing = await refusal(CLOSE, { of, round }, token);
    assert.equal(missing.code, "BAD_INPUT");
    assert.match(missing.message, /1, 2/, "the tables without a result are named");
    for (const { number, game } of tables) {
      if (round === 1 && number === 1) {
        eventful = game.id;
        await anEventfulGame(game.id, token);
      } else {
        const { resign } = await get(RESIGN, { game: game.id, seat: 2 }, token);
        assert.deepEqual(resign.outcome, { winners: [1], reason: "resignation", decidedBy: "RESIGNATION" });
      }
    }
    assert.equal((await get(CLOSE, { of, round }, token)).endRound.status, "CLOSED");
  }
  const finish = "mutation ($of: ID!) { finishTournament(tournament: $of) { status } }";
  assert.equal((await get(finish, { of }, token)).finishTournament.status, "FINISHED");
  await aLateCorrection(of, eventful, token);
});

/** An illegal move, a resignation that is taken back, and a flag. */
async function anEventfulGame(game, token) {
  const position = (await get("query ($game: ID!) { game(id: $game) { position { legalActions } } }", { game }, token)).game.position;
  const action = position.legalActions[0];
  const illegal = await refusal(ACT, { game, action: `${action.slice(0, 3)}h8` }, token);
  assert.equal(illegal.code, "ILLEGAL_ACTION");
  assert.ok(illegal.message.length > 10, "with the reason");
  const { act } = await get(ACT, { game, action }, token);
  assert.equal(act.ply, 1);

  assert.equal((await get(RESIGN, { game, seat: 2 }, token)).resign.status, "FINISHED");
  const reopen = `mutation ($game: ID!) { reopenGame(game: $game, reason: "The wrong button") { ${GAME} } }`;
  assert.deepEqual((await get(reopen, { game }, token)).reopenGame, { id: game, status: "RUNNING", outcome: null });

  assert.equal((await get(ACT, { game, action: act.position.legalActions[0] }, token)).act.ply, 2);
  const flag = `mutation ($game: ID!) { flagFall(game: $game, seat: 1) { ${GAME} } }`;
  assert.deepEqual((await get(flag, { game }, token)).flagFall.outcome, { winners: [2], reason: "time", decidedBy: "TIME" });
}

/** After the tournament, the flag turns out to have been seen too late: the standings follow the game. */
async function aLateCorrection(of, game, token) {
  const table = "query ($game: ID!) { game(id: $game) { seats { number name } } }";
  const [first, second] = (await get(table, { game })).game.seats.map(({ name }) => name);
  const scores = async () => {
    const { standings } = (await get(STANDINGS, { of }, null)).tournament;
    assert.equal(standings.reduce((sum, { score }) => sum + score, 0), 15, "a point for each of the 15 games");
    return Object.fromEntries(standings.map(({ score, entrant }) => [entrant.name, score]));
  };
  const before = await scores();
  const correct = `mutation ($game: ID!) {
    adjudicate(game: $game, input: { winners: [1], reason: "Seat 2 had no moves to win with" }) {
      corrected outcome { winners decidedBy } originalOutcome { winners decidedBy }
    }
  }`;
  const { adjudicate } = await get(correct, { game }, token);
  assert.deepEqual(adjudicate, {
    corrected: true,
    outcome: { winners: [1], decidedBy: "ARBITER" },
    originalOutcome: { winners: [2], decidedBy: "TIME" },
  });
  const after = await scores();
  assert.deepEqual([after[first] - before[first], after[second] - before[second]], [1, -1]);
  const check = "query ($of: ID!, $game: ID!) { tournament(id: $of) { verification { valid } } game(id: $game) { verification { valid } } }";
  const { tournament, game: checked } = await get(check, { of, game }, null);
  assert.ok(tournament.verification.valid && checked.verification.valid);
}

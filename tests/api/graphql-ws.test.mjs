// GraphQL over WebSocket with the client graphql-ws, against a running plybook with at least one game.
//   PLYBOOK_URL=http://127.0.0.1:8080 node --test tests/api
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";

import { createClient } from "graphql-ws";
import WebSocket from "ws";

const base = process.env.PLYBOOK_URL;
assert.ok(base, "PLYBOOK_URL is the address of a running plybook, such as http://127.0.0.1:8080");
const url = new URL("/graphql", base);
const address = Object.assign(new URL(url), { protocol: url.protocol === "https:" ? "wss:" : "ws:" }).href;

function client(options = {}) {
  return createClient({ url: address, webSocketImpl: WebSocket, retryAttempts: 0, ...options });
}

/** The id of some game, queried over the socket like everything here. */
async function someGame(connection) {
  for await (const { data } of connection.iterate({ query: "{ games(first: 1) { nodes { id ply } } }" })) {
    assert.ok(data.games.nodes.length > 0, "the service has a game; start it with --demo");
    return data.games.nodes[0];
  }
}

/** Opens a bare socket, sends the messages, and waits for the code that it is closed with. */
async function closeCode(messages, { protocol = "graphql-transport-ws", headers = {} } = {}) {
  const socket = new WebSocket(address, protocol, { headers });
  socket.on("open", () => messages.forEach((message) => socket.send(typeof message === "string" ? message : JSON.stringify(message))));
  const [code] = await once(socket, "close");
  return code;
}

const init = { type: "connection_init" };

test("a query over the socket gives its result and completes", async () => {
  const connection = client();
  const results = [];
  for await (const result of connection.iterate({ query: "query A { __typename }" })) results.push(result);
  assert.deepEqual(results, [{ data: { __typename: "Query" } }]);
  await connection.dispose();
});

test("gameUpdated starts with the present state, and ends when the client completes it", async () => {
  const connection = client();
  const { id, ply } = await someGame(connection);
  const query = "subscription ($game: ID!) { gameUpdated(game: $game) { id ply } }";
  for await (const { data, errors } of connection.iterate({ query, variables: { game: id } })) {
    assert.equal(errors, undefined);
    assert.deepEqual(data.gameUpdated, { id, ply });
    break;
  }
  await connection.dispose();
});

test("two subscriptions and a query share a socket", async () => {
  let opened = 0;
  const connection = client({ on: { opened: () => (opened += 1) }, lazyCloseTimeout: 1000 });
  const { id } = await someGame(connection);
  const first = async (query) => {
    for await (const { data } of connection.iterate({ query, variables: { game: id } })) return data;
  };
  const [updated, event, name] = await Promise.all([
    first("subscription ($game: ID!) { gameUpdated(game: $game) { ply } }"),
    first("subscription ($game: ID!) { gameEvents(game: $game, after: -1) { seq type } }"),
    first("{ __typename }"),
  ]);
  assert.ok(updated.gameUpdated.ply >= 0);
  assert.deepEqual(event.gameEvents, { seq: 0, type: "created" });
  assert.equal(name.__typename, "Query");
  assert.equal(opened, 1);
  await connection.dispose();
});

test("an operation that is not in the schema is an error with a code", async () => {
  const connection = client();
  await assert.rejects(
    async () => {
      for await (const _ of connection.iterate({ query: "subscription { nothingOfTheSort }" }));
    },
    (errors) => errors[0].extensions.code === "BAD_INPUT",
  );
  await connection.dispose();
});

test("a forged token is refused: by close code, or, in a header, by status", async () => {
  assert.equal(await closeCode([{ ...init, payload: { token: "forged" } }]), 4403);
  assert.equal(await closeCode([{ ...init, payload: { Authorization: "Bearer forged" } }]), 4403);
  const socket = new WebSocket(address, "graphql-transport-ws", { headers: { authorization: "Bearer forged" } });
  const [, response] = await once(socket, "unexpected-response");
  assert.equal(response.statusCode, 401);
  response.destroy();
});

test("a page of another origin may not open a socket", async () => {
  const socket = new WebSocket(address, "graphql-transport-ws", { origin: "https://evil.example" });
  const [, response] = await once(socket, "unexpected-response");
  assert.equal(response.statusCode, 403);
  response.destroy();
});

test("violations of the protocol close the socket with the protocol's code", async () => {
  const subscribe = { id: "1", type: "subscribe", payload: { query: "subscription { gameUpdated(game: \"\") { ply } }" } };
  assert.equal(await closeCode(["{"]), 4400);
  assert.equal(await closeCode([{ type: "nothing" }]), 4400);
  assert.equal(await closeCode([subscribe]), 4401);
  assert.equal(await closeCode([init, init]), 4429);
  assert.equal(await closeCode([], { protocol: [] }), 4406);
});

test("an id that is in use closes the socket with 4409", async () => {
  const connection = client();
  const { id } = await someGame(connection);
  await connection.dispose();
  const payload = { query: "subscription ($game: ID!) { gameUpdated(game: $game) { ply } }", variables: { game: id } };
  const subscribe = { id: "1", type: "subscribe", payload };
  assert.equal(await closeCode([init, subscribe, subscribe]), 4409);
});

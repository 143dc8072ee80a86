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

/** Opens a bare socket, sends the messages, and returns the answers once `isAll` holds for them. */
async function conversation(messages, isAll) {
  const socket = new WebSocket(address, "graphql-transport-ws");
  const heard = [];
  const last = new Promise((resolve, reject) => {
    socket.on("close", (code) => reject(new Error(`closed with ${code} after ${JSON.stringify(heard)}`)));
    socket.on("message", (text) => {
      heard.push(JSON.parse(text));
      if (isAll(heard)) resolve();
    });
  });
  socket.on("open", () => messages.forEach((message) => socket.send(JSON.stringify(message))));
  await last;
  socket.removeAllListeners("close");
  socket.close(1000);
  const [code] = await once(socket, "close");
  assert.equal(code, 1000, "the closing frame is answered with its own code");
  return heard;
}

const subscribe = (id, query, more) => ({ id, type: "subscribe", payload: { query, ...more } });

test("a ping is answered at any time, before the acknowledgement too", async () => {
  const heard = await conversation([{ type: "ping" }, { type: "pong" }, init], ({ length }) => length === 2);
  assert.deepEqual(heard.map(({ type }) => type), ["pong", "connection_ack"]);
});

test("an operation ends with complete or with an error, and its id is free again", async () => {
  const heard = await conversation(
    [init, subscribe("1", "{ __typename }"), subscribe("2", "{ nothing }"), subscribe("3", "{")],
    (answers) => ["1", "2", "3"].every((own) => answers.some(({ id, type }) => id === own && type !== "next")),
  );
  const errors = heard.filter(({ type }) => type === "error");
  assert.deepEqual(errors.map(({ id }) => id).sort(), ["2", "3"]);
  assert.deepEqual(heard.filter(({ id }) => id === "1").map(({ type }) => type), ["next", "complete"]);
  for (const { payload } of errors) assert.ok(Array.isArray(payload) && payload[0].message && payload[0].extensions.code);
  const connection = client({ generateID: () => "always" });
  for (const _ of [1, 2]) {
    for await (const { data } of connection.iterate({ query: "{ __typename }" })) assert.ok(data);
  }
  await connection.dispose();
});

test("a subscription that cannot be opened is an error, not a result without data", async () => {
  const connection = client();
  const refused = async (query) => {
    for await (const _ of connection.iterate({ query }));
  };
  const nowhere = "subscription { gameEvents(game: \"00000000-0000-7000-8000-000000000000\") { seq } }";
  await assert.rejects(refused(nowhere), (errors) => errors[0].extensions.code === "NOT_FOUND");
  await connection.dispose();
});

test("operation name, variables and extensions are read as over HTTP", async () => {
  const connection = client();
  const query = "query A { __typename } query B($first: Int) { games(first: $first) { nodes { __typename } } }";
  const asked = { query, operationName: "B", variables: { first: 1 }, extensions: { cost: true } };
  for await (const { data, extensions } of connection.iterate(asked)) {
    assert.deepEqual(data, { games: { nodes: [{ __typename: "Game" }] } });
    assert.ok(extensions.cost.price > 0);
  }
  await connection.dispose();
});

test("messages that are not as the protocol says close the socket with 4400", async () => {
  for (const message of [
    "[]", "null", "1", { type: "subscribe", id: "1" }, { type: "subscribe", id: 1, payload: { query: "{ a }" } },
    { type: "subscribe", id: "", payload: { query: "{ a }" } }, subscribe("1", 7), { type: "complete" }, {},
  ]) {
    assert.equal(await closeCode([init, message]), 4400, JSON.stringify(message));
  }
});

test("the service chooses its subprotocol among several", async () => {
  const socket = new WebSocket(address, ["graphql-ws", "graphql-transport-ws"]);
  await once(socket, "open");
  assert.equal(socket.protocol, "graphql-transport-ws");
  socket.close(1000);
  await once(socket, "close");
});

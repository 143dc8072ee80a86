// urql, with its exchanges for persisted queries and for subscriptions.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Client, cacheExchange, fetchExchange, gql, subscriptionExchange } from "@urql/core";
import { persistedExchange } from "@urql/exchange-persisted";
import { createClient } from "graphql-ws";
import WebSocket from "ws";

import { socketUrl, url } from "./service.mjs";

const GAMES = gql`query ($first: Int) { games(first: $first) { nodes { id ply } } }`;

/** A client, and the bodies or addresses that it has sent. */
function recorded(...exchanges) {
  const sent = [];
  const send = (address, options) => {
    sent.push(options.body ? JSON.parse(options.body) : Object.fromEntries(new URL(address).searchParams));
    return fetch(address, options);
  };
  const all = [cacheExchange, ...exchanges, fetchExchange];
  return { client: new Client({ url, fetch: send, exchanges: all, preferGetMethod: "within-url-limit" }), sent };
}

test("queries are sent by GET and cached, and a refusal has its code", async () => {
  const { client, sent } = recorded();
  for (const _ of [1, 2]) assert.equal((await client.query(GAMES, { first: 2 })).data.games.nodes.length, 2);
  assert.equal(sent.length, 1);
  const { error } = await client.query(gql`{ game(id: "nothing") { id } }`, {});
  assert.equal(error.graphQLErrors[0].extensions.code, "BAD_INPUT");
  const { error: refused } = await client.mutation(gql`mutation { createPlayer(input: { name: "Eve" }) { id } }`, {});
  assert.equal(refused.graphQLErrors[0].extensions.code, "UNAUTHENTICATED");
});

test("the exchange for persisted queries falls back to the query itself", async () => {
  const { client, sent } = recorded(persistedExchange({ preferGetForPersistedQueries: true }));
  for (const first of [1, 2]) assert.equal((await client.query(GAMES, { first })).data.games.nodes.length, first);
  assert.deepEqual(sent.map(({ query }) => Boolean(query)), [false, true, true]);
});

test("subscriptions arrive through graphql-ws", async () => {
  const socket = createClient({ url: socketUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  const forward = ({ query, variables }) => ({
    subscribe: (sink) => ({ unsubscribe: socket.subscribe({ query: query ?? "", variables }, sink) }),
  });
  const { client } = recorded(subscriptionExchange({ forwardSubscription: forward }));
  const { data } = await client.query(GAMES, { first: 1 });
  const game = data.games.nodes[0].id;
  const first = await new Promise((resolve) => {
    const { unsubscribe } = client
      .subscription(gql`subscription ($game: ID!) { gameEvents(game: $game, after: -1) { seq type } }`, { game })
      .subscribe(({ data: told, error }) => {
        unsubscribe();
        resolve(error ?? told.gameEvents);
      });
  });
  assert.deepEqual({ ...first, __typename: undefined }, { seq: 0, type: "created", __typename: undefined });
  await socket.dispose();
});

// Apollo Client, with its links for persisted queries and for batches.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from "@apollo/client";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";

import { url } from "./service.mjs";

const GAMES = gql`query Games($after: String) {
  games(first: 2, after: $after) { nodes { id ply outcome { winners } } pageInfo { endCursor } }
}`;
const client = (link) => new ApolloClient({ link, cache: new InMemoryCache() });

/** A link over HTTP, and the bodies that it has sent. */
function recorded(Link = HttpLink) {
  const sent = [];
  const send = (address, options) => {
    sent.push(JSON.parse(options.body));
    return fetch(address, options);
  };
  return { link: new Link({ uri: url, fetch: send, batchMax: 10, batchInterval: 5 }), sent };
}

test("queries and pages end up in the cache, an object once", async () => {
  const apollo = client(recorded().link);
  const { data } = await apollo.query({ query: GAMES });
  const next = await apollo.query({ query: GAMES, variables: { after: data.games.pageInfo.endCursor } });
  const ids = [...data.games.nodes, ...next.data.games.nodes].map(({ id }) => id);
  assert.equal(new Set(ids).size, 4);
  const kept = apollo.cache.extract();
  for (const id of ids) assert.ok(kept[`Game:${id}`], id);
});

test("the link for persisted queries falls back to the query itself, and does not ask again", async () => {
  const { link, sent } = recorded();
  const sha256 = (text) => createHash("sha256").update(text).digest("hex");
  const apollo = client(ApolloLink.from([new PersistedQueryLink({ sha256 }), link]));
  for (const fetchPolicy of ["no-cache", "no-cache"]) {
    const { data } = await apollo.query({ query: GAMES, fetchPolicy });
    assert.equal(data.games.nodes.length, 2);
  }
  assert.deepEqual(sent.map(({ query }) => Boolean(query)), [false, true, true]);
});

test("a batch is refused with what to do instead", async () => {
  const { link, sent } = recorded(BatchHttpLink);
  const apollo = client(link);
  const asked = ["{ me { role } }", "{ rules { kind } }"].map((query) => apollo.query({ query: gql(query) }));
  const answers = await Promise.allSettled(asked);
  assert.deepEqual(sent.map((body) => body.length), [2]);
  for (const { status, reason } of answers) {
    assert.equal(status, "rejected");
    const [refused] = reason.result[0].errors;
    assert.equal(refused.extensions.code, "BAD_INPUT");
    assert.match(refused.message, /one operation at a time/);
  }
});

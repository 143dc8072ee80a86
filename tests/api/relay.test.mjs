// Relay: its compiler accepts the schema and what an application asks of it, and its runtime pages through the answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import relay from "relay-runtime";

import { get, sdl } from "./service.mjs";

const { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery } = relay;
const compiler = createRequire(import.meta.url)("relay-compiler");
let folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "plybook-relay-"));
  await cp(new URL("relay", import.meta.url), join(folder, "src"), { recursive: true });
  await writeFile(join(folder, "schema.graphql"), await sdl());
  const config = { src: "src", schema: "schema.graphql", language: "javascript", eagerEsModules: true, artifactDirectory: "out" };
  await writeFile(join(folder, "relay.config.json"), JSON.stringify(config));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await mkdir(join(folder, "out"));
  await promisify(execFile)(compiler, ["relay.config.json"], { cwd: folder });
});

after(() => rm(folder, { recursive: true, force: true }));

async function artifact(name) {
  return (await import(pathToFileURL(join(folder, "out", `${name}.graphql.js`)))).default;
}

function environment() {
  const send = async ({ text }, variables) => ({ data: await get(text, variables) });
  return new Environment({ network: Network.create(send), store: new Store(new RecordSource()) });
}

test("the compiler has written an operation for each way to load more or again", async () => {
  const text = async (name) => (await artifact(name)).params.text;
  assert.match(await text("queriesMovesPaginationQuery"), /node\(id: \$id\)/);
  assert.match(await text("queriesGameRefetchQuery"), /node\(id: \$id\)/);
  assert.match(await text("queriesGamesPaginationQuery"), /games\(/);
  assert.match(await text("queriesActMutation"), /expectedPly: \$ply/);
  assert.match(await readFile(join(folder, "out", "queriesFollowSubscription.graphql.js"), "utf8"), /gameUpdated/);
});

test("the runtime pages through a connection without seeing a game twice", async () => {
  const relayed = environment();
  const query = await artifact("queriesGamesQuery");
  const ids = new Set();
  for (let after = null, page = 0; page < 3; page += 1) {
    const variables = { first: 3, after, filter: { status: "FINISHED" } };
    await fetchQuery(relayed, query, variables).toPromise();
    const { games } = await get(query.params.text, variables);
    games.edges.forEach(({ node }) => ids.add(node.id));
    after = games.pageInfo.endCursor;
  }
  assert.equal(ids.size, 9);
  for (const id of ids) assert.equal(relayed.getStore().getSource().get(id)?.__typename, "Game");
});

test("an object is found again by its id, with the next page of its moves", async () => {
  const { games } = await get("{ games(first: 1, filter: { status: FINISHED, minPly: 5 }) { nodes { id ply } } }");
  const [{ id, ply }] = games.nodes;
  const relayed = environment();
  await fetchQuery(relayed, await artifact("queriesReplayQuery"), { game: id }).toPromise();
  const operation = createOperationDescriptor(await artifact("queriesReplayQuery"), { game: id });
  assert.equal(relayed.lookup(operation.fragment).data.node.__typename, "Game");
  assert.equal(relayed.getStore().getSource().get(id).ply, ply);
  const more = await artifact("queriesMovesPaginationQuery");
  const page = await get(more.params.text, { id, first: 4 });
  const next = await get(more.params.text, { id, first: 4, after: page.node.moves.pageInfo.endCursor });
  assert.equal(next.node.moves.edges[0].node.ply, 5);
});

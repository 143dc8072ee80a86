// The OpenAPI document: valid, and what the routes answer is what it says. tests/boundaries compares its paths with the
// routes.
import assert from "node:assert/strict";
import { before, test } from "node:test";

import { Validator } from "@seriousme/openapi-schema-validator";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

import { admin, base, get } from "./service.mjs";

let document;
let ajv;

before(async () => {
  document = await (await fetch(new URL("/openapi.json", base))).json();
  ajv = new Ajv({ strict: false });
  addFormats(ajv);
  ajv.addSchema(document, "openapi");
});

/** Ids to ask with. */
async function known() {
  const { tournaments, games } = await get(
    "{ tournaments(first: 1) { nodes { id } } games(filter: { status: FINISHED }, first: 1) { nodes { id } } }",
  );
  return { tournament: tournaments.nodes[0].id, game: games.nodes[0].id };
}

/** Checks an answer against the document. Returns its text. */
async function described(path, address, status = 200) {
  const response = await fetch(new URL(address, base));
  const text = await response.text();
  assert.equal(response.status, status, `${address}: ${text.slice(0, 200)}`);
  let says = document.paths[path].get.responses[status];
  assert.ok(says, `${path} describes status ${status}`);
  if (says.$ref) says = document.components.responses[says.$ref.split("/").at(-1)];
  const media = response.headers.get("content-type").split(";")[0];
  assert.ok(says.content[media], `${path} describes ${media}`);
  const bodies = media === "application/x-ndjson" ? text.trim().split("\n") : media === "application/json" ? [text] : [];
  const pointer = says.content[media].schema;
  const judge = ajv.compile(rooted(pointer));
  for (const body of bodies) assert.ok(judge(JSON.parse(body)), `${address}: ${ajv.errorsText(judge.errors)}\n${body.slice(0, 300)}`);
  return text;
}

/** The schema with references into the document. */
function rooted(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
}

test("the document is valid", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
});

test("the answers are those that it describes", async () => {
  const { game, tournament } = await known();
  const nothing = "00000000-0000-7000-8000-000000000000";
  await described("/export/games.ndjson", "/export/games.ndjson?status=finished&kind=tri");
  await described("/export/games.ndjson", "/export/games.ndjson?events=true&kind=triangulate");
  await described("/export/games.ndjson", "/export/games.ndjson?status=never", 400);
  await described("/games/{id}/log.ndjson", `/games/${game}/log.ndjson`);
  const { createGame: created } = await get('mutation { createGame(input: { kind: "tri", seats: [{}, {}] }) { id } }', {}, admin);
  assert.match(await described("/games/{id}/log.ndjson", `/games/${created.id}/log.ndjson`), /"who":"/);
  await described("/games/{id}/log.ndjson", `/games/${nothing}/log.ndjson`, 404);
  await described("/games/{id}.png", `/games/${game}.png?ply=0&more=1`);
  await described("/games/{id}.png", `/games/${game}.png?ply=x`, 400);
  await described("/games/{id}.png", `/games/${nothing}.png`, 404);
  await described("/changes.ndjson", "/changes.ndjson?kind=tri");
  await described("/changes.ndjson", "/changes.ndjson?after=nothing", 400);
  const { schema } = document.paths["/tournaments/{id}/files/{name}"].get.parameters.find(({ name }) => name === "name");
  for (const name of schema.enum) await described("/tournaments/{id}/files/{name}", `/tournaments/${tournament}/files/${name}`);
  await described("/tournaments/{id}/files/{name}", `/tournaments/${tournament}/files/nothing.csv`, 404);
  await described("/tile/{tile}", "/tile/0/000");
  await described("/tile/{tile}", "/tile/0/x999/999", 404);
  await described("/oembed", `/oembed?url=/games/${game}&maxwidth=300`);
  await described("/oembed", `/oembed?url=/games/${nothing}`, 404);
  await described("/oembed", "/oembed?url=/games/nothing&format=xml", 501);
  for (const path of ["/checkpoint", "/checkpoint/keys", "/checkpoint/rotations"]) await described(path, path);
  for (const path of ["/healthz", "/readyz", "/openapi.json"]) await described(path, path);
});

test("the parameters are those that the routes know", async () => {
  const { tournament } = await known();
  for (const [path, { get: asked }] of Object.entries(document.paths)) {
    const parameters = (asked.parameters ?? []).filter((parameter) => parameter.in === "query").map(({ name }) => name);
    // Who asks how to embed a game, or for its picture, may say more than is known here.
    if (parameters.length === 0 || ["/oembed", "/games/{id}.png"].includes(path)) continue;
    const address = path.replace("{id}", tournament).replace("{name}", "standings.csv");
    const response = await fetch(new URL(`${address}?nothing=1`, base));
    const { error } = await response.json();
    assert.equal(response.status, 400);
    const expected = error.slice(error.indexOf("expected")).match(/`\w+`/g).map((name) => name.slice(1, -1));
    // An answer that never ends has no use for these.
    const fitting = path === "/changes.sse" ? expected.filter((name) => !["wait", "follow"].includes(name)) : expected;
    assert.deepEqual(parameters.sort(), fitting.sort(), path);
  }
});

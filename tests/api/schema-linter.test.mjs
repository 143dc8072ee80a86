// The schema by the rules of graphql-schema-linter, except those that want everything sorted by the alphabet: ours is
// sorted by meaning.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { sdl } from "./service.mjs";

const linter = join(dirname(createRequire(import.meta.url).resolve("graphql-schema-linter/package.json")), "lib/cli.js");

test("graphql-schema-linter finds nothing but the order", async () => {
  const folder = await mkdtemp(join(tmpdir(), "plybook-linter-"));
  const file = join(folder, "schema.graphql");
  await writeFile(file, await sdl());
  const report = await new Promise((resolve) => {
    execFile(process.execPath, [linter, "--format", "json", file], { maxBuffer: 1 << 26 }, (_, out) => resolve(out));
  });
  await rm(folder, { recursive: true });
  const { errors } = JSON.parse(report);
  const rules = errors.map(({ rule }) => rule);
  assert.ok(rules.includes("type-fields-sorted-alphabetically"), "the linter has run");
  assert.deepEqual(errors.filter(({ rule }) => !rule.endsWith("-sorted-alphabetically")), []);
});

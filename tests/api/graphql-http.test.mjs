// GraphQL over HTTP as its specification says, by the audit of the npm package graphql-http.
//   PLYBOOK_URL=http://127.0.0.1:8080 node --test tests/api
import assert from "node:assert/strict";
import { test } from "node:test";

import { auditServer } from "graphql-http";

const base = process.env.PLYBOOK_URL;
assert.ok(base, "PLYBOOK_URL is the address of a running plybook, such as http://127.0.0.1:8080");
const url = new URL("/graphql", base).href;

test("all 61 audits of graphql-http are ok", async () => {
  const results = await auditServer({ url });
  const others = results.filter((result) => result.status !== "ok").map(({ id, name, status, reason }) => ({ id, name, status, reason }));
  assert.deepEqual(others, []);
  assert.equal(results.length, 61);
});

test("a mutation is not executed by GET, named or not, and the answer says how", async () => {
  for (const query of ["mutation { __typename }", "mutation A { __typename }", "query B { __typename } mutation A { __typename }"]) {
    const response = await fetch(`${url}?${new URLSearchParams({ query, ...(query.startsWith("query") && { operationName: "A" }) })}`);
    assert.equal(response.status, 405, query);
    assert.equal(response.headers.get("allow"), "POST");
  }
});

test("a page of another origin needs a preflight to post, and gets no permission", async () => {
  const body = JSON.stringify({ query: "{ __typename }" });
  const plain = await fetch(url, { method: "POST", headers: { "content-type": "text/plain", origin: "https://evil.example" }, body });
  assert.equal(plain.status, 415);
  const asking = await fetch(url, { method: "OPTIONS", headers: { origin: "https://evil.example", "access-control-request-method": "POST" } });
  assert.equal(asking.status, 400);
  assert.equal(asking.headers.get("access-control-allow-origin"), null);
});

test("an unknown token is refused in GraphQL's words", async () => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer forged" },
    body: JSON.stringify({ query: "{ __typename }" }),
  });
  assert.equal(response.status, 401);
  assert.equal((await response.json()).errors[0].extensions.code, "UNAUTHENTICATED");
});

test("the standard introspection query is within the limits, with and without descriptions", async () => {
  const { getIntrospectionQuery, buildClientSchema } = await import("graphql");
  for (const options of [{}, { descriptions: false }, { inputValueDeprecation: true, oneOf: false }]) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: getIntrospectionQuery(options) }),
    });
    const { data, errors } = await response.json();
    assert.deepEqual(errors, undefined);
    buildClientSchema(data);
  }
});

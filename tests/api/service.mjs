// The running service that the tests are about, and requests as a client without a library sends them.
import assert from "node:assert/strict";

export const base = process.env.PLYBOOK_URL;
assert.ok(base, "PLYBOOK_URL is the address of a running plybook, such as http://127.0.0.1:8080");

/** The token of an administrator. */
export const admin = process.env.PLYBOOK_TOKEN;

export const url = new URL("/graphql", base).href;
export const socketUrl = url.replace(/^http/, "ws");

/** The answer to an operation, errors and all. */
export async function ask(query, variables = {}, token = admin) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}

/** The data of an operation that must not fail. */
export async function get(query, variables, token) {
  const { data, errors } = await ask(query, variables, token);
  assert.deepEqual(errors, undefined);
  return data;
}

/** The code of an operation that must be refused, and its message. */
export async function refusal(query, variables, token) {
  const { errors } = await ask(query, variables, token);
  assert.ok(errors, "refused");
  return { code: errors[0].extensions.code, message: errors[0].message, path: errors[0].path };
}

/** The service's schema as text. */
export async function sdl() {
  const { buildClientSchema, getIntrospectionQuery, printSchema } = await import("graphql");
  return printSchema(buildClientSchema(await get(getIntrospectionQuery({ specifiedByUrl: true, oneOf: true }))));
}

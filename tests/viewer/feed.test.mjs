// Server-Sent Events in a browser, as docs/clients.md shows them.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';

import { ask, close, launch, open, token, until } from './service.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const [, EXAMPLE] = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
  .match(/```js\n(const feed = new EventSource[^]*?)```/);

const create = async (kind) => {
  const input = { kind, seats: [{}, {}], tags: { test: true } };
  const { createGame } = await ask('mutation($input: CreateGame!) { createGame(input: $input) { id } }', { input }, token());
  return createGame.id;
};

test('the documented EventSource is told of new events of its kind', async () => {
  const page = await open(browser, '/');
  const told = [];
  page.on('console', (message) => told.push(message.text()));
  const hears = (id) => told.filter((text) => text.includes(id)).length;
  await page.evaluate(`${EXAMPLE}; globalThis.feed = feed; new Promise((done) => { feed.onopen = done; })`);
  const other = await create('triangulate');
  const asked = await create('tri');
  await until(() => hears(asked));
  assert.deepEqual([hears(asked), hears(other)], [1, 0], told.join('\n'));
  await page.evaluate('feed.close()');
  await close(page);
});

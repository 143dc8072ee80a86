// What the viewer's folders must not hold. `node --test boundaries.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

const TOP = new URL('../../web-viewer/', import.meta.url);
/** A folder imports from itself and from those before it. */
const FOLDERS = ['model', 'base', 'figures', 'replay', 'pages'];

const files = FOLDERS.flatMap((folder) => readdirSync(new URL(folder, TOP), { recursive: true }).map((name) => `${folder}/${name}`));
const read = (path) => readFileSync(new URL(path, TOP), 'utf8');
const code = (path) => read(path).replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
const modules = files.filter((path) => path.endsWith('.js'));
const pages = files.filter((path) => path.startsWith('pages/') && path.endsWith('.html'));
const imports = (path) => [...read(path).matchAll(/^(?:import|\} from|export .* from).*'(\.[^']+)';$/gm)].map(([, to]) => posix.join(posix.dirname(path), to));

test('folders import from those before them only, and no modules import each other in a circle', () => {
  const rank = (path) => FOLDERS.indexOf(path.split('/')[0]);
  for (const path of modules) for (const to of imports(path)) assert.ok(rank(to) >= 0 && rank(to) <= rank(path), `${path} imports ${to}`);
  const reached = (path, from, seen = new Set()) => imports(path).some((to) => {
    if (to === from) return true;
    return !seen.has(to) && seen.add(to) && reached(to, from, seen);
  });
  assert.deepEqual(modules.filter((path) => reached(path, path)), []);
});

test('the model knows no page and no service', () => {
  for (const path of modules.filter((each) => each.startsWith('model/'))) {
    assert.doesNotMatch(code(path), /\b(document|window|location|localStorage|navigator)\b[.[]|\b(fetch|WebSocket|setTimeout)\(/, path);
  }
});

test('data never becomes markup', () => {
  for (const path of modules) assert.doesNotMatch(code(path), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/, path);
});

test('the head of a page is written once, and pages carry no inline script or style', () => {
  assert.ok(pages.length >= 6);
  for (const path of pages) {
    const html = read(path);
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/, path);
    assert.match(html, /<title>[^<]+<\/title>/, path);
    // GraphiQL brings a look of its own, so it has a head of its own.
    if (path === 'pages/graphiql.html') continue;
    assert.match(html, /^<!-- head -->\n/, path);
    assert.match(html, /^<!-- header -->\n/m, path);
    assert.doesNotMatch(html, /<!doctype|<html|<head|<header|charset|viewport|class="(top|brand|crumb)"|rel="icon"|viewer\.css|<noscript/i, path);
  }
});

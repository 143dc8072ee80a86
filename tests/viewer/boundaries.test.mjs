// What the viewer's folders must not contain. `node --test boundaries.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

const TOP = new URL('../../web-viewer/', import.meta.url);
/** A folder imports from itself and from those before it. */
const FOLDERS = ['words', 'model', 'rules', 'base', 'figures', 'entry', 'record', 'tournaments', 'replay', 'pages', 'standalone'];

const files = FOLDERS.flatMap((folder) => readdirSync(new URL(folder, TOP), { recursive: true }).map((name) => `${folder}/${name}`));
const read = (path) => readFileSync(new URL(path, TOP), 'utf8');
const code = (path) => read(path).replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, '');
const modules = files.filter((path) => path.endsWith('.js'));
const pages = files.filter((path) => path.startsWith('pages/') && path.endsWith('.html'));
const imports = (path) => [...read(path).matchAll(/^(?:import|\} from|export .* from).*'(\.[^']+)';$/gm)].map(([, to]) => posix.join(posix.dirname(path), to));

test('folders import only from those before them, and modules have no import cycles', () => {
  const rank = (path) => FOLDERS.indexOf(path.split('/')[0]);
  for (const path of modules) for (const to of imports(path)) assert.ok(rank(to) >= 0 && rank(to) <= rank(path), `${path} imports ${to}`);
  const reached = (path, from, seen = new Set()) => imports(path).some((to) => {
    if (to === from) return true;
    return !seen.has(to) && seen.add(to) && reached(to, from, seen);
  });
  assert.deepEqual(modules.filter((path) => reached(path, path)), []);
});

test('the model knows neither the page nor the service', () => {
  for (const path of modules.filter((each) => each.startsWith('model/'))) {
    assert.doesNotMatch(code(path), /\b(document|window|location|localStorage|navigator)\b[.[]|\b(fetch|WebSocket|setTimeout)\(/, path);
  }
});

const WRITES = /\b(?:state|now)(?:\(\))?(?:\.\w+|\[[^\]]+\])+\s*(?:=(?![=>])|[-+*/|&?]{1,2}=(?!=)|\+\+|--)|\bObject\.assign\(\s*[\w.]*(?:state|now)\b|\bdelete [\w.]*(?:state|now)\b|\b(?:state|now)(?:\(\))?(?:\.\w+)+\.(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear)\(/;

test('only update writes the state', () => {
  for (const line of ['this.state().ply = 3;', 'state.ply += 1', 'replay.now().act.picked.push(1)', 'now.moves.sort()', 'Object.assign(state, change)', 'state.ply++', 'state.a ??= 1', 'state.folds.set(1, 2)', "now['ply'] = 2"]) {
    assert.match(line, WRITES);
  }
  for (const line of ['state.ply === 3', 'const { ply } = state;', '(state.ply >= 3)', 'now.moves.map((move) => move)', 'update(state, change)', 'this.store.state()']) assert.doesNotMatch(line, WRITES);
  for (const path of modules.filter((each) => /^(record|replay|tournaments|pages)\//.test(each))) assert.doesNotMatch(code(path), WRITES, path);
  // Other writes fail at run time: a store's state is frozen (replay.test.mjs).
  assert.deepEqual(modules.filter((path) => /\bstore\(/.test(code(path)) && !path.startsWith('base/')), [
    'record/recording.js', 'tournaments/console/console.js', 'replay/replay.js', 'pages/beside.js', 'pages/new-game.js', 'pages/new-tournament.js', 'pages/player.js', 'pages/players.js', 'pages/table.js',
  ]);
});

test('views and updates make no requests', () => {
  const views = modules.filter((path) => path.startsWith('replay/view/') || /^replay\/(derive|update)\.js$/.test(path));
  for (const path of views) {
    if (path === 'replay/view/panels.js') continue; // Its files are requested when somebody downloads them.
    assert.doesNotMatch(code(path), /\b(request|fetch|fetchLog)\(/, path);
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
    // GraphiQL has its own styles, and therefore its own head.
    if (path === 'pages/graphiql.html') continue;
    assert.match(html, /^<!-- head -->\n/, path);
    assert.match(html, /^<!-- header -->\n/m, path);
    assert.doesNotMatch(html, /<!doctype|<html|<head|<header|charset|viewport|class="(top|brand|crumb)"|rel="icon"|viewer\.css|<noscript/i, path);
  }
});

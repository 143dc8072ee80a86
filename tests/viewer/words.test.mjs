// Every text that people read is in a table, and every language has the same tables. `node --test words.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';

import { literalsOf } from './literals.mjs';

const TOP = new URL('../../web-viewer/', import.meta.url);
const LANGUAGES = ['de', 'he'];
/** What the languages share. */
const MECHANISM = ['locale.js', 'language.js'];
/** What games say: in English, nothing has to be translated. */
const CATALOGUE = 'terms.js';
/** The query editor is in English, as are the words of the query language. */
const EDITOR = ['pages/graphiql.js', 'pages/graphiql.html'];

const read = (path) => readFileSync(new URL(path, TOP), 'utf8');
const files = readdirSync(TOP, { recursive: true }).map((path) => path.replaceAll('\\', '/')).filter((path) => !/^(vendor|rules\/build)\//.test(path));
/** The rules are a package of its own, and say what the service would say, in English. */
const code = files.filter((path) => path.endsWith('.js') && !/^(words|rules)\//.test(path));
const tables = readdirSync(new URL('words/', TOP)).filter((name) => name.endsWith('.js') && ![...MECHANISM, CATALOGUE].includes(name));

/** A table: its name and its entries, those of objects in it by `name.entry`. */
async function tableOf(path) {
  const module = await import(new URL(path, TOP));
  const names = Object.keys(module);
  assert.equal(names.length, 1, `${path} exports one table`);
  return { name: names[0], entries: new Map(entriesOf(module[names[0]])) };
}

function entriesOf(table, prefix = '') {
  return Object.entries(table).flatMap(([key, entry]) => (typeof entry === 'object' ? entriesOf(entry, `${prefix}${key}.`) : [[prefix + key, entry]]));
}

const kindOf = (entry) => (typeof entry === 'function' ? `a function of ${entry.length}` : typeof entry);

/** Arguments that can be found in any answer: by their digits, whatever is done to them. */
const DIGITS = [7001, 8002, 9003, 6004, 5005, 4006, 3007, 2008];

/** Text that is also a number, a list, a date and whatever else a table may take. */
function argument(index) {
  const text = Object.assign(new String(DIGITS[index]), { map: (change) => [change(text, 0, [text])], join: () => String(text) });
  return text;
}

/** Which arguments an answer has. */
function shown(entry, what) {
  let answer;
  try {
    answer = entry(...Array.from({ length: entry.length }, (_, index) => argument(index)));
  } catch (why) {
    throw new Error(`${what} takes what no text, number, list or date can stand for: ${why.message}`);
  }
  const text = [answer].flat(Infinity).map(String).join(' ');
  assert.notEqual(text.trim(), '', what);
  const digits = text.replaceAll(/(?<=\d)[.,\s\u2009\u202f\u00a0’]+(?=\d)/g, '');
  return DIGITS.filter((number) => digits.includes(String(number)));
}

test('every language has the same tables, with the same entries', async () => {
  for (const language of LANGUAGES) {
    const own = readdirSync(new URL(`words/${language}/`, TOP)).filter((name) => name.endsWith('.js') && ![...MECHANISM, CATALOGUE].includes(name));
    assert.deepEqual(own.toSorted(), tables.toSorted(), language);
    for (const name of tables) {
      const [english, other] = await Promise.all([`words/${name}`, `words/${language}/${name}`].map(tableOf));
      const path = `words/${language}/${name}`;
      assert.equal(other.name, english.name, path);
      const kinds = ({ entries }) => [...entries].map(([key, entry]) => `${key}: ${kindOf(entry)}`);
      assert.deepEqual(kinds(other), kinds(english), path);
      for (const [key, entry] of other.entries) {
        if (typeof entry === 'function') assert.deepEqual(shown(entry, `${path} ${key}`), shown(english.entries.get(key), `words/${name} ${key}`), `what ${path} ${key} shows of its arguments`);
        else assert.notEqual(entry.trim(), '', `${path} ${key}`);
      }
    }
  }
});

test('what games say is translated to every language, with the same parameters', async () => {
  const [one, ...others] = await Promise.all(LANGUAGES.map(async (language) => (await import(new URL(`words/${language}/${CATALOGUE}`, TOP))).terms));
  const parameters = (text) => [...text.matchAll(/\{\d\}/g)].map(String).toSorted();
  for (const terms of [one, ...others]) {
    assert.deepEqual(Object.keys(terms), Object.keys(one));
    for (const [key, text] of Object.entries(terms)) assert.deepEqual(parameters(text), parameters(key), key);
  }
  assert.deepEqual((await import(new URL(`words/${CATALOGUE}`, TOP))).terms, {});
});

test('in every language, files have different names, and one game is one', async () => {
  for (const language of ['', ...LANGUAGES.map((each) => `${each}/`)]) {
    const { replay } = await import(new URL(`words/${language}replay.js`, TOP));
    const names = ['record', 'page', 'proof', 'text', 'picture', 'image', 'animation', 'link', 'code', 'frame', 'log'].map((key) => replay[key]);
    assert.equal(new Set(names).size, names.length, `${language}: ${names}`);
    const { statistics } = await import(new URL(`words/${language}statistics.js`, TOP));
    const [one, many] = [1, 5].map((count) => statistics.bin('0', count).replace(/^0: (\d )?/, ''));
    assert.notEqual(one, many, language);
  }
});

test('in Hebrew, pawns, power and garnets have one name each', async () => {
  const { terms } = await import(new URL('words/he/terms.js', TOP));
  // The last letter has another form at the end.
  assert.ok(terms.pawns.startsWith(terms.pawn.slice(0, -1)), terms.pawn);
  for (const [english, word] of Object.entries(terms).filter(([text]) => /^(un)?powered\b|powered$|power the seats/.test(text))) assert.ok(word.includes(terms.power), `${english}: ${word}`);
  assert.ok(terms['Garnets that each seat starts with: one number for all, or one for each seat.'].includes(terms.garnets));
});

test('every entry of a table is used', async () => {
  const sources = new Map(files.filter((path) => path.endsWith('.js')).map((path) => [path, read(path)]));
  for (const table of tables) {
    const { entries } = await tableOf(`words/${table}`);
    const users = [...sources].flatMap(([path, source]) => {
      const from = [...source.matchAll(/^import \{ \w+(?: as (\w+))? \} from '(\.[^']+)';$/gm)].find(([, , to]) => posix.join(posix.dirname(path), to) === `words/${table}`);
      return from ? [{ name: from[1] ?? /\{ (\w+)/.exec(from[0])[1], source }] : [];
    });
    const isUsed = (key) => users.some(({ name, source }) => new RegExp(`\\b${name}\\.${key}\\b|\\{[^{}]*\\b${key}\\b[^{}]*\\} = ${name}\\b`).test(source));
    const unused = new Set([...entries.keys()].map((key) => key.split('.')[0]).filter((key) => !isUsed(key)));
    assert.deepEqual([...unused], [], `words/${table}`);
  }
});

test('what modules say is in the tables', async () => {
  const known = new Map(await Promise.all(tables.map(async (table) => [`words/${table}`, new Set([...(await tableOf(`words/${table}`)).entries.keys()].map((key) => key.split('.')[0]))])));
  for (const path of code) {
    const source = read(path);
    for (const [line, name, as, to] of source.matchAll(/^import \{ (\w+)(?: as (\w+))? \} from '(\.[^']+)';$/gm)) {
      const entries = known.get(posix.join(posix.dirname(path), to));
      const said = entries ? [...source.replace(line, '').replaceAll(/^import .*$/gm, '').matchAll(new RegExp(`(?<![\\w.$])${as ?? name}\\.(\\w+)`, 'g'))].map(([, key]) => key) : [];
      // An array of the same name, and the name of a file.
      assert.deepEqual(said.filter((key) => !entries.has(key) && key !== 'map' && key !== 'js'), [], path);
    }
  }
});

test('pages have the same words in every language, and use all of them', () => {
  const english = JSON.parse(read('words/pages.json'));
  const keys = Object.keys(english);
  for (const language of LANGUAGES) {
    const own = JSON.parse(read(`words/${language}/pages.json`));
    assert.deepEqual(Object.keys(own), keys, language);
    assert.equal(own.lang, language);
    for (const [key, text] of Object.entries(own)) {
      assert.ok(typeof text === 'string' && text.trim() && !/[<>{}]/.test(text.replace(/\{(why|what)\}/, '')), `${language}: ${key}`);
      for (const place of ['{why}', '{what}']) assert.equal(text.includes(place), english[key].includes(place), `${language}: ${key}`);
    }
  }
  const used = new Set(files.filter((path) => /\.(html|webmanifest)$/.test(path)).flatMap((path) => [...read(path).matchAll(/\{\{(.*?)\}\}/g)].map(([, key]) => key)));
  // What is shown of a link, and in frames of other sites, is put together by the program.
  for (const [file, named] of [['preview', /\.of\("([^"]+)"/g], ['tournament_page', /"(sheet\.\w+)"/g]]) {
    for (const [, key] of readFileSync(new URL(`../../api/src/export/${file}.rs`, import.meta.url), 'utf8').matchAll(named)) used.add(key);
  }
  // The program fills in its version.
  assert.deepEqual([...used].filter((key) => !keys.includes(key)), ['version'], 'keys without words');
  assert.deepEqual(keys.filter((key) => !used.has(key)), [], 'words without a use');
});

test('pages have no words of their own', () => {
  const isNamed = (text) => ['CSV', 'JSON', 'Plybook', 'English', 'Deutsch', 'עברית'].includes(text);
  for (const path of files.filter((each) => each.endsWith('.html') && !EDITOR.includes(each))) {
    const html = read(path).replaceAll(/<!--.*?-->|<code>.*?<\/code>|\{\{.*?\}\}/gs, '');
    const texts = [...html.matchAll(/>([^<]+)/g), ...html.matchAll(/\s(?:title|aria-label|placeholder|alt|label|content)="([^"]*)"/g)].map(([, text]) => text.trim());
    const left = texts.filter((text) => /\p{L}{2,}/u.test(text) && !isNamed(text) && !/^(width=|light dark|default-src)/.test(text));
    assert.deepEqual(left, [], path);
  }
  for (const path of files.filter((each) => each.endsWith('.css'))) assert.doesNotMatch(read(path), /content: *"[^"]*\p{L}{2,}/u, path);
});

/** Where texts are shown: functions, and the argument from which on theirs are; properties of elements. */
const SHOWING = { h: 2, setText: 1, openDialog: 0 };
const SHOWN = new Set(['title', 'aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'placeholder', 'alt']);
/** Functions and properties whose literals nobody reads. `Error` is for faults of the program. */
const SILENT = /(^|\.)(querySelector|querySelectorAll|closest|matches|byId|addEventListener|Error|TypeError|RangeError|SyntaxError)$/;
const UNSEEN = new Set(['class', 'className', 'd', 'viewBox', 'style', 'transform', 'points', 'font', 'rel', 'accept', 'autocomplete', 'content-type', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'stroke-dasharray', 'id']);
const KEYS = /^(Enter|Escape|Esc|Space|Tab|Shift|Home|End|Delete|Backspace|PageUp|PageDown|Control|Alt|Meta|Arrow(Left|Right|Up|Down)|Bearer|Event|Blob|Error|Date|Map|Set|String|Number|Object|Array)$/;
const QUERIES = /^(model\/[\w-]*(queries|mutations)\.js)$/;
const QUERY = /^\s*(query|mutation|subscription|fragment)\b|^\s*\{/;
/** Pictures, frames, style, and names of types one after the other. */
const MARKUP = /^<(svg|iframe) |^@keyframes |^\((prefers-|pointer: )|^(translate|linear-gradient)\(|^[a-z ]+_[a-z_ ]+$/;
const WORDS = /\p{L}{2,}[,;:.!?)]* +[(“]?(\p{L}{2,}|…)|…[,;:.!?)]* +\p{L}{2,}/u;
const COMPARED = /(===|!==|\bcase|\btypeof|\bin)$/;

/**
 * A header, classes, the name of a cache, a command; what goes into a record, for readers of every language; and the
 * notation of a secret action, as the service writes it.
 */
const EXCEPT = new Set([
  'base/api.js Bearer …', 'base/drawing.js scene …', 'base/service-worker.js plybook VERSION', 'figures/charts.js middle strong', 'figures/heat.js number name',
  'figures/heat-card.js wide board-card', 'model/pasted.js Kind', 'model/pasted.js Seat…', 'model/pasted.js Setup', 'model/signing.js ended by mistake', 'model/signing.js entered by mistake', 'pages/organise.js label …', 'pages/ratings.js number last', "pages/search.js plybook search … '…'",
  'pages/tournament.js label …', 'standalone/game.js in secret',
]);

/** Literals of a module that look like something to read. */
export function texts(path, source) {
  return literalsOf(source).filter(({ text }) => !EXCEPT.has(`${path} ${text}`)).filter(({ text, call, argument: index, property, of, ofArgument, before, after }) => {
    if (COMPARED.test(before) || after.startsWith('in ') || (property === 'name' && of === 'card') || SILENT.test(call) || UNSEEN.has(property) || QUERY.test(text) || MARKUP.test(text)) return false;
    if (!/\p{L}{2,}/u.test(text)) return false;
    if (index >= (SHOWING[call] ?? Infinity)) return !KEYS.test(text);
    if (SHOWN.has(property) && of === 'h' && ofArgument === 1) return true;
    return (WORDS.test(text) && !QUERIES.test(path)) || (/^\p{Lu}\p{Ll}+…?[.!?]?$/u.test(text) && !KEYS.test(text));
  });
}

test('what looks like something to read is found', () => {
  for (const line of [
    "h('p', {}, 'Loading')", "h('p', {}, isOver ? 'over' : words.on)", 'h(`p`, { title: `Ply ${ply}` })', "h('button', { 'aria-label': 'close' })", "setText(node, 'gone')",
    "openDialog('key')", "const said = 'no such game';", 'return `${count} games`;', 'return `ply ${count}`;', "throw new ApiError('the service is gone', 'OFFLINE');", "['Round', 'Table']",
  ]) assert.equal(texts('base/x.js', line).length, line.startsWith('[') ? 2 : 1, line);
  for (const line of [
    "h('p', { class: 'bad wide' })", "h('p', { class: `bad ${is ? 'so bad' : ''}` }, text)", "document.querySelector('main .bad p')", "throw new Error('no such seat')", "if (key === 'Enter') a(b / c, '/ab/');",
    "const QUERY = `query Games($id: ID!) { game(id: $id) { id kind } }`;", "// What is said\n/* here too */", "import { a } from './a b.js'".replace(' b', ''), "if (/no such \\/ game [/'`]/.test(a)) b();", "s('path', { d: 'M10 10 l5 5' })",
    "h('select', { name: 'kind' }, options)", "location.hash = `#${ply}`;", "const TYPES = 'entry_removed withdrawn returned '.split(' ');", "matchMedia('(prefers-reduced-motion: reduce)')", 'return `<svg class="a b" role="img">`;',
  ]) assert.deepEqual(texts('base/x.js', line), [], line);
});

test('no sentence is in the code', () => {
  const left = code.filter((path) => !EDITOR.includes(path)).flatMap((path) => texts(path, read(path)).map(({ line, text }) => `${path}:${line} ${text}`));
  assert.deepEqual(left, []);
  const there = new Set(code.flatMap((path) => literalsOf(read(path)).map(({ text }) => `${path} ${text}`)));
  assert.deepEqual([...EXCEPT].filter((each) => !there.has(each)), [], 'exceptions for what is not there');
});

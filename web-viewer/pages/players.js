// The registered players: found, corrected, merged, and imported from a list.

import { common } from '../words/common.js';
import { errorWords, request } from '../base/api.js';
import { byId, h, marked, openDialog, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { newKey } from '../base/random-key.js';
import { store } from '../base/store.js';
import { countryOf } from '../model/countries.js';
import { textOf } from '../model/entry.js';
import { EDIT_PLAYER, IMPORT_PLAYERS, MERGE_PLAYERS, PLAYERS, PREVIEW_PLAYERS, UNMERGE_PLAYER } from '../model/player-queries.js';
import { english } from '../model/english.js';
import { failure, sheet } from '../tournaments/parts.js';
import { players as words } from '../words/players.js';

const PAGE = 50;
const TYPING_MS = 200;
/** The largest list accepted, in bytes. */
const FILE_MAX = 1_000_000;

const { state, update } = store({
  search: new URLSearchParams(location.search).get('search') ?? '',
  /** @type {any[]} */ nodes: [],
  count: 0,
  /** @type {string | null} what follows the last one shown */ after: null,
  role: '',
  /** @type {Set<string>} the players chosen to be merged */ chosen: new Set(),
  /** @type {{text: string, undo: (() => Promise<any>) | null}} */ said: { text: '', undo: null },
  busy: false,
  loading: true,
  /** @type {any} */ error: null,
  /** @type {any} */ refused: null,
  csv: '',
  /** @type {any} what the list would do */ preview: null,
}, redraw);

let asked = 0;
let typing = 0;

async function load(isMore = false) {
  const ask = ++asked;
  const { after, nodes, search } = state();
  update({ loading: true, error: null });
  try {
    const { me, players } = await request(PLAYERS, { search, first: PAGE, after: isMore ? after : null });
    if (ask !== asked) return;
    const found = isMore ? [...nodes, ...players.nodes] : players.nodes;
    // Who is no longer listed cannot be merged, nor be unchosen.
    const chosen = new Set([...state().chosen].filter((id) => found.some((player) => player.id === id)));
    update({ nodes: found, chosen, count: players.totalCount, after: players.pageInfo.hasNextPage ? players.pageInfo.endCursor : null, role: me.role, loading: false });
  } catch (error) {
    if (ask === asked) update({ error, loading: false });
  }
}

/** Whether the reader may change players. */
function mayChange() {
  return ['arbiter', 'admin'].includes(state().role);
}

/**
 * Changes something, once however often it is pressed, and says so.
 * @param {() => Promise<any>} change @param {string} text @param {(() => Promise<any>) | null} undo
 */
async function carryOut(change, text, undo = null) {
  if (state().busy) return false;
  update({ busy: true, refused: null });
  try {
    await change();
    update({ busy: false, said: { text, undo } });
    await load();
    return true;
  } catch (refused) {
    update({ busy: false, refused });
    return false;
  }
}

// --- changing

function edit(player) {
  const field = (name, label, value, options = {}) => h('div', { class: 'field' }, h('label', { for: `edit-${name}` }, label), h('input', { id: `edit-${name}`, name, autocomplete: 'off', value: value ?? '', ...options }));
  const said = h('p', { class: 'hint', role: 'status' });
  const form = h('form', { class: 'fields', onsubmit: (event) => { event.preventDefault(); save(); } },
    field('name', common.name, player.name, { required: true, maxlength: '100' }), field('club', common.club, player.club, { maxlength: '100' }),
    field('country', common.country, player.country, { maxlength: '3', pattern: '[A-Za-z]{2,3}' }), field('born', words.born, player.yearOfBirth, { inputmode: 'numeric', pattern: '[0-9]{4}', maxlength: '4' }),
    said, h('div', { class: 'field' }, h('button', { type: 'submit', class: 'primary' }, common.save)));
  const before = { name: player.name, club: player.club, country: player.country, yearOfBirth: player.yearOfBirth };
  const send = (input, seq = null) => request(EDIT_PLAYER, { player: player.id, input, seq, key: newKey() });
  async function save() {
    const value = (name) => form.elements.namedItem(name).value.trim();
    const country = countryOf(value('country'));
    if (value('country') && !country) {
      setText(said, common.noCountry(value('country')));
      return;
    }
    const input = { name: value('name'), club: value('club') || null, country: country || null, yearOfBirth: Number(value('born')) || null };
    dialog.close();
    await carryOut(() => send(input, player.seq), common.wasChanged(input.name), () => send(before));
  }
  const merged = player.merged.map((other) => h('li', {}, h('bdi', {}, other.name), ' ', h('button', { type: 'button', class: 'small', onclick: () => { dialog.close(); split(other); } }, words.unmerge)));
  const dialog = openDialog(common.editPlayer(player.name), form, ...merged.length > 0 ? [h('h3', {}, words.merged), h('ul', {}, ...merged)] : []);
  form.querySelector('input').focus();
}

function split(player) {
  return carryOut(() => request(UNMERGE_PLAYER, { player: player.id, key: newKey() }), words.unmerged(player.name));
}

/** Asks who stays of two players who are the same person. */
function merge() {
  const { chosen, nodes } = state();
  const both = nodes.filter(({ id }) => chosen.has(id));
  const join = (into, from) => {
    dialog.close();
    update({ chosen: new Set() });
    return carryOut(() => request(MERGE_PLAYERS, { from: from.id, into: into.id, key: newKey() }), words.areMerged(from.name, into.name), () => request(UNMERGE_PLAYER, { player: from.id, key: newKey() }));
  };
  const dialog = openDialog(words.whoStays, h('p', { class: 'hint' }, words.mergeHint),
    ...both.map((into, index) => h('button', { type: 'button', onclick: () => join(into, both[1 - index]) }, h('bdi', {}, into.name), h('span', { class: 'soft' }, about(into)))));
}

function about({ club, country, yearOfBirth }) {
  return [club, country, yearOfBirth].filter(Boolean).map((text) => ` · ${text}`).join('');
}

function choose(player, isChosen) {
  const chosen = new Set(state().chosen);
  if (isChosen) chosen.add(player.id);
  else chosen.delete(player.id);
  update({ chosen });
}

// --- importing

async function read(input) {
  const [file] = input.files;
  input.value = '';
  if (!file) return;
  if (file.size > FILE_MAX) update({ refused: new Error(common.listTooLarge(file.name)) });
  else await preview(textOf(new Uint8Array(await file.arrayBuffer())));
}

async function preview(csv) {
  update({ csv, preview: null, refused: null });
  if (!csv.trim()) return;
  try {
    const { previewPlayers } = await request(PREVIEW_PLAYERS, { csv });
    if (state().csv === csv) update({ preview: previewPlayers });
  } catch (refused) {
    update({ refused });
  }
}

async function bring() {
  const { csv, preview: found } = state();
  if (await carryOut(() => request(IMPORT_PLAYERS, { csv }), words.imported(found.creates, found.edits))) update({ csv: '', preview: null });
}

// --- drawing

function redraw() {
  const { after, busy, count, error, loading, nodes, refused, said } = state();
  byId('players').setAttribute('aria-busy', String(loading));
  if (!loading && !error) setText(byId('total'), common.playerCount(count));
  patch(byId('players'), [error ? failure(error, () => load()) : nodes.length === 0 ? h('p', { class: 'empty' }, loading ? words.loading : words.nobody) : list()]);
  byId('more').hidden = !after || Boolean(error);
  byId('said').hidden = !said.text;
  patch(byId('said'), said.text ? [h('span', {}, said.text), said.undo && h('button', { type: 'button', class: 'link', 'aria-disabled': String(busy), onclick: () => carryOut(said.undo, common.undone) }, common.undo)].filter(Boolean) : []);
  patch(byId('refused'), refused ? [h('p', { class: 'notice bad', role: 'alert' }, ...marked(errorWords(refused)))] : []);
  byId('import').hidden = !mayChange();
  patch(byId('import'), mayChange() ? [importer()] : []);
}

function list() {
  const { chosen, nodes } = state();
  const may = mayChange();
  const row = (player) => h('tr', { id: `player-${player.id}` },
    may && h('td', {}, h('input', { type: 'checkbox', 'aria-label': words.choose(player.name), checked: chosen.has(player.id), disabled: chosen.size === 2 && !chosen.has(player.id), onchange: (event) => choose(player, event.target.checked) })),
    h('th', { scope: 'row' }, h('a', { href: `/players/${encodeURIComponent(player.id)}` }, h('bdi', {}, player.name)),
      player.namesakes.length > 0 && h('span', { class: 'soft' }, ' · ', words.namesakes(player.namesakes.length)), player.merged.length > 0 && h('span', { class: 'soft' }, ' · ', words.standsFor(player.merged.map(({ name }) => name).join(', ')))),
    h('td', {}, player.club ?? ''), h('td', {}, player.country ?? ''), may && h('td', { class: 'number' }, player.yearOfBirth ? String(player.yearOfBirth) : ''),
    may && h('td', { class: 'end' }, h('button', { type: 'button', class: 'small', 'aria-label': common.editPlayer(player.name), onclick: () => edit(player) }, common.edit)));
  return h('div', {},
    sheet({ caption: common.players, columns: [may && words.chosen, common.name, common.club, common.country, may && { text: words.born, class: 'number' }, may && { text: common.change, class: 'end' }].filter((column) => column !== false) }, nodes.map(row)),
    may && h('p', {}, h('button', { type: 'button', id: 'merge', 'aria-disabled': String(chosen.size !== 2), onclick: () => chosen.size === 2 && merge() }, words.merge), ' ', h('span', { class: 'hint' }, words.chooseTwo)));
}

function importer() {
  const { busy, csv, preview: found } = state();
  const isReady = found && found.errors === 0 && found.creates + found.edits > 0 && !busy;
  const rows = (found?.lines ?? []).map((line) => h('tr', { class: line.action === 'ERROR' ? 'bad-row' : '' },
    h('td', { class: 'number' }, String(line.number)), h('th', { scope: 'row' }, line.name || '–'),
    h('td', { class: line.action === 'ERROR' ? 'bad' : 'soft' }, line.action === 'ERROR' ? h('span', { lang: 'en', dir: 'ltr' }, ...marked(english(line.problem))) : words.actions[line.action], line.changes.length > 0 && `: ${line.changes.join(', ')}`)));
  return h('details', { class: 'card group', id: 'importer' }, h('summary', {}, words.import), h('p', { class: 'hint' }, words.importHint),
    h('div', { class: 'row' }, h('label', { for: 'import-file' }, common.csvFile), h('input', { type: 'file', id: 'import-file', accept: '.csv,.txt,.tsv,text/csv,text/plain', onchange: (event) => read(event.target) })),
    h('label', { for: 'import-text', class: 'hidden' }, common.playerList), h('textarea', { id: 'import-text', rows: '5', spellcheck: 'false', dir: 'auto', placeholder: words.importSuchAs, value: csv, oninput: (event) => { clearTimeout(typing); typing = setTimeout(() => preview(event.target.value), TYPING_MS); } }),
    found && sheet({ caption: words.preview, columns: [{ text: words.line, class: 'number' }, common.name, words.does] }, rows),
    found && h('button', { type: 'button', class: 'primary', id: 'bring', 'aria-disabled': String(!isReady), onclick: () => isReady && bring() }, found.errors > 0 ? words.errors(found.errors) : words.bring(found.creates, found.edits)));
}

const field = byId('filters').elements.namedItem('search');
field.value = state().search;
byId('filters').addEventListener('submit', (event) => event.preventDefault());
field.addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => {
    const search = field.value.trim();
    history.replaceState(null, '', search ? `?search=${encodeURIComponent(search)}` : location.pathname);
    update({ search, chosen: new Set() });
    load();
  }, TYPING_MS);
});
byId('more').addEventListener('click', () => load(true));
load();

// The search for positions of recorded games.

import { common } from '../words/common.js';
import { lists as words } from '../words/lists.js';
import { day, ltr } from '../words/locale.js';
import { addressed, within } from '../base/addressed.js';
import { errorWords, request } from '../base/api.js';
import { byId, chip, h, marked, s, setText } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { patch } from '../base/patch.js';
import { PlayerField } from '../base/player-field.js';
import { TournamentChip } from '../base/tournament-chip.js';
import { Condition } from '../figures/condition.js';
import { outcomeWords, reasonWords } from '../model/format.js';
import { BOARD, FACTS, SEARCH, SEARCH_ON } from '../model/figure-queries.js';
import { KINDS } from '../model/list-queries.js';
import { isNarrowed, parseSearch, searchFilter, searchOf } from '../model/filter-url.js';
import { placeAddress } from '../model/url.js';

const PAGE = 12;
/** More would be a long page; the command line has no end. */
const HITS_MAX = 240;
/** Games of many seats name the first few. */
const NAMED_MAX = 4;

const page = addressed({ parse: parseSearch, search: searchOf, load }, {
  /** @type {{kind: string, title: string}[]} */ kinds: [],
  /** @type {{name: string, description: string, argument: string, words: string[]}[]} of the kind */ facts: [],
  seats: 0,
  /** @type {string[]} how games have ended */ reasons: [],
  factsOf: '',
  /** @type {any} the first answer, with all hits so far */ found: null,
}, redraw);
const { state, update } = page;

const field = /** @type {HTMLTextAreaElement} */ (byId('where'));
const form = /** @type {HTMLFormElement} */ (byId('search'));
const filters = form.elements;
const condition = new Condition(byId('condition'), field);
const player = new PlayerField(filters.namedItem('player'), byId('player-hint'), (id) => narrow({ player: id, ...(id ? {} : { opponent: '' }) }));
const opponent = new PlayerField(filters.namedItem('opponent'), byId('opponent-hint'), (id) => narrow(state().url.player ? { opponent: id } : { player: id }));
const tournament = new TournamentChip(byId('tournament'), () => narrow({ tournament: '' }));
/** Whether the reader has just pressed *Search*. */ let isAsked = false;

/** @param {any} url @param {boolean} [isMore] whether only the next hits are wanted */
async function load(url, isMore = false) {
  try {
    return await (isMore ? more(url) : find(url));
  } catch (error) {
    if (state().url === url) point(error);
    throw error;
  }
}

async function find(url) {
  field.value = url.where;
  player.show(url.player);
  opponent.show(url.opponent);
  tournament.show(url.tournament);
  update({ found: null });
  const kinds = state().kinds.length > 0 ? state().kinds : (await request(KINDS)).rules;
  const kind = url.kind || kinds[0].kind;
  if (state().factsOf !== kind) {
    const [{ ruleSet }, board] = await Promise.all([request(FACTS, { kind }), request(BOARD, { kind }).catch(() => null)]);
    if (state().url !== url) return {};
    update({ kinds, factsOf: kind, facts: ruleSet?.facts ?? [], seats: ruleSet?.maxSeats ?? 0, reasons: board?.statistics.reasons.map(({ key }) => key) ?? [] });
    condition.offer(state().facts, board?.ruleSet?.example?.scene ?? null);
  } else condition.draw();
  const found = url.where.trim() && (await request(SEARCH, { kind, where: url.where, filter: searchFilter(url), first: PAGE })).search;
  if (state().url !== url) return {};
  // The reader looks at the form: what was found comes into view once it is drawn.
  if (isAsked && found) requestAnimationFrame(() => byId('found').scrollIntoView({ block: 'start' }));
  isAsked = false;
  return { found: found || null };
}

/** Appends the next hits. */
async function more(url) {
  const { found, kinds } = state();
  const { search } = await request(SEARCH_ON, { kind: url.kind || kinds[0].kind, where: url.where, filter: searchFilter(url), first: PAGE, after: found.pageInfo.endCursor });
  return { found: { ...found, hits: [...found.hits, ...search.hits], pageInfo: search.pageInfo } };
}

/** Puts the cursor where something is wrong, unless the reader is choosing games. */
function point(error) {
  if (byId('filters').contains(document.activeElement)) return;
  const column = Number(/column (\d+)/.exec(error?.message ?? '')?.[1]);
  if (!column) return;
  field.focus();
  field.setSelectionRange(column - 1, column - 1);
}

/** Searches other games for what is in the field. */
function narrow(change) {
  page.go({ where: field.value.trim(), ...change });
}

/** The same search of another kind has other facts, and ends in other ways. */
function ofKind(kind) {
  return { ...state().url, kind, where: '', reason: '', won: '' };
}

function address(url) {
  return `/search${searchOf(url)}`;
}

function redraw() {
  const { error, facts, found, kinds, loading, url } = state();
  const kind = url.kind || kinds[0]?.kind;
  patch(byId('kinds'), kinds.map((each) => within(address(ofKind(each.kind)), () => page.go(ofKind(each.kind)), { 'aria-current': each.kind === kind && 'page' }, each.title)));
  byId('wrong').replaceChildren(...marked(error ? errorWords({ ...error, message: String(error.message).replace(/^`where`: /, '') }) : ''));
  patch(byId('facts').querySelector('dl'), facts.flatMap((fact) => [
    h('dt', {}, h('button', { type: 'button', title: words.put, onclick: () => choose(fact) }, written(fact))),
    h('dd', {}, h('bdi', { lang: 'en' }, fact.description), fact.words.length > 0 && h('span', {}, ` ${words.oneOf(fact.words.join(', '))}`)),
  ]));
  drawFilters(state());
  byId('found').setAttribute('aria-busy', String(loading));
  setText(byId('total'), found && !loading ? words.positions(found.total) : '');
  patch(byId('found'), content());
}

function drawFilters({ reasons, seats, url }) {
  const isOne = isNarrowed(url) || Boolean(url.won);
  const option = (value, text, chosen) => h('option', { value, selected: value === chosen }, text);
  patch(filters.namedItem('reason'), [option('', common.anything, url.reason), ...[...new Set([...reasons, ...(url.reason ? [url.reason] : [])])].sort().map((reason) => option(reason, reasonWords(reason), url.reason))]);
  patch(filters.namedItem('won'), [option('', common.anybody, url.won), ...(url.player ? [option('player', words.thePlayer, url.won)] : []), ...Array.from({ length: seats }, (_, index) => option(String(index + 1), common.seatNumber(index + 1), url.won))]);
  for (const name of ['since', 'until', 'status', 'tag']) {
    const one = filters.namedItem(name);
    if (document.activeElement !== one || name !== 'tag') one.value = url[name];
  }
  byId('clear').hidden = !isOne;
  setText(byId('filters').querySelector('summary'), isOne ? words.someGames : words.allGames);
}

/** A fact as it is written, with an example of what it is asked for with. */
function written({ name, argument }) {
  return { NOTHING: name, SEAT: `${name}(1)`, PLACE: `${name}(place)` }[argument] ?? name;
}

/** A fact of a place gets its place from the board, another one a row; what rows cannot say is written. */
function choose(fact) {
  if (condition.read()) condition.choose(fact.name);
  else {
    field.setRangeText(written(fact), field.selectionStart, field.selectionEnd, 'end');
    field.focus();
  }
  byId('condition').scrollIntoView({ block: 'nearest' });
}

function content() {
  const { found, loading, url } = state();
  if (!found) return loading && url.where ? [h('p', { class: 'empty' }, words.searching)] : [];
  const mayGoOn = found.pageInfo.hasNextPage && found.hits.length < HITS_MAX;
  return [
    h('p', { class: 'found-facts' }, summary(found)),
    found.hits.length > 0 ? h('ol', { class: 'hits' }, ...found.hits.map(hit)) : h('p', { class: 'empty' }, mayGoOn ? words.nothingSoFar : isNarrowed(url) || url.won ? words.noneOfThese : words.searchNone),
    mayGoOn && h('button', { type: 'button', class: 'more', 'aria-disabled': String(loading), onclick: () => loading || page.load(true) }, loading ? words.searching : found.hits.length > 0 ? words.searchMore : words.on),
    found.pageInfo.hasNextPage && !mayGoOn && h('p', { class: 'hint' }, words.commandLine, ' ', h('code', {}, `plybook search ${url.kind} '…'`)),
  ].filter(Boolean);
}

function summary({ actions, games, pending, searched, total }) {
  const say = searched.end ? words.searchedSoFar : words.searched;
  const next = actions.map(({ key, count }) => ltr(`${key} (${count})`)).join(', ');
  return [
    say(words.positions(total), words.count(games), words.positions(searched.positions), words.count(searched.games)),
    next && words.next(next),
    pending > 0 && words.pending(pending),
  ].filter(Boolean).join(' ');
}

function hit({ action, game, ply, position }) {
  const rest = game.seats.length - NAMED_MAX;
  return h('li', {}, h('a', { href: placeAddress({ id: game.id, ply }) },
    position && s('svg', { class: sceneClass(position.scene), 'aria-hidden': 'true', viewBox: position.scene.view.join(' ') }, ...drawing(position.scene)),
    h('span', { class: 'players' }, ...game.seats.slice(0, NAMED_MAX).map(({ name, number }) => h('span', {}, chip(number), name || common.seatNumber(number))), rest > 0 && h('span', {}, words.more(rest))),
    h('span', { class: 'soft' }, action ? words.atThen(ply, action.length > 30 ? `${action.slice(0, 30)}…` : action) : common.ply(ply)),
    h('span', { class: 'soft' }, ...marked(`${outcomeWords(game)} · ${day(game.createdAt)}`))));
}

/** What was found is below the form: the list of facts makes room for it. */
function search() {
  byId('facts').open = false;
  isAsked = true;
  page.go({ where: field.value.trim() });
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  search();
});
form.addEventListener('change', ({ target }) => {
  if (['since', 'until', 'status', 'reason', 'won', 'tag'].includes(target.name) && target.checkValidity()) narrow({ [target.name]: target.value.trim() });
});
byId('clear').addEventListener('click', () => {
  byId('filters').querySelector('summary').focus();
  narrow({ player: '', opponent: '', status: '', since: '', until: '', reason: '', tag: '', tournament: '', won: '' });
});
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  search();
});
byId('filters').open = isNarrowed(state().url) || Boolean(state().url.won);
page.load();

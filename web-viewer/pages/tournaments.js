// The list of tournaments.

import { common } from '../words/common.js';
import { addressed, turnPage } from '../base/addressed.js';
import { request } from '../base/api.js';
import { byId, h, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { KINDS } from '../model/list-queries.js';
import { FORMATS, STATUSES, datesWords, formatWords, statusWords } from '../model/tournament.js';
import { ME, TOURNAMENTS } from '../model/tournament-queries.js';
import { searchOf } from '../model/filter-url.js';
import { parseTournaments, tournamentAddress, tournamentsFilter } from '../model/tournament-url.js';
import { tournament as words } from '../words/tournament.js';
import { empty, failure, label } from '../tournaments/parts.js';

const PAGE = 20;
const TYPING_MS = 250;

const page = addressed({ parse: parseTournaments, search: searchOf, load }, {
  /** @type {any} */ found: null,
  /** @type {{kind: string, title: string}[]} */ kinds: [],
  mayCreate: false,
}, redraw);
const { state, update } = page;
let typing = 0;

async function load(url) {
  const { tournaments } = await request(TOURNAMENTS, { filter: tournamentsFilter(url), first: PAGE, after: url.after || null });
  return { found: tournaments };
}

/** Shows another list from its start. */
function go(change) {
  page.go({ after: '', ...change });
}

function isNarrowed({ name, kind, status, format, archived }) {
  return Boolean(name || kind || status || format || archived);
}

function redraw() {
  const { error, found, kinds, loading, mayCreate, url } = state();
  const { elements } = byId('filters');
  const options = (any, pairs) => [h('option', { value: '' }, any), ...pairs.map(([value, text]) => h('option', { value }, text))];
  patch(elements.namedItem('kind'), options(common.allKinds, kinds.map(({ kind, title }) => [kind, title])));
  patch(elements.namedItem('format'), options(words.any, FORMATS));
  patch(elements.namedItem('status'), options(words.any, STATUSES));
  elements.namedItem('archived').checked = Boolean(url.archived);
  for (const name of ['kind', 'format', 'status', 'name']) {
    if (name !== 'name' || document.activeElement !== elements.namedItem(name)) elements.namedItem(name).value = url[name];
  }
  byId('clear').hidden = !isNarrowed(url);
  byId('new').hidden = !mayCreate;
  byId('tournaments').setAttribute('aria-busy', String(loading));
  if (found && !loading && !error) setText(byId('total'), (isNarrowed(url) ? words.listFound : words.total)(found.totalCount));
  patch(byId('tournaments'), content());
  const more = Boolean(found?.pageInfo.hasNextPage) && !error;
  byId('pages').hidden = !more && !url.after;
  byId('first').hidden = !url.after;
  byId('next').hidden = !more;
  const turn = (id, after) => turnPage(id, `/tournaments${searchOf({ ...url, after })}`, () => go({ after }), byId('tournaments'));
  turn('first', '');
  if (more) turn('next', found.pageInfo.endCursor);
}

function content() {
  const { error, found, mayCreate, url } = state();
  if (error) return [failure(error, page.load)];
  if (!found) return [h('p', { class: 'empty' }, words.listLoading)];
  if (found.nodes.length > 0) return [h('ul', { class: 'cards-of' }, ...found.nodes.map(entry))];
  if (isNarrowed(url)) return [empty(words.noMatch, h('button', { type: 'button', onclick: clear }, words.showAll))];
  return [empty(words.none, mayCreate && h('a', { class: 'button', href: '/tournaments/new' }, words.create))];
}

function entry(tournament) {
  const { id, name, kind, ruleSet, status, place, entrantsCount } = tournament;
  return h('li', { class: 'card event' },
    h('a', { href: tournamentAddress(id) }, h('h2', { dir: 'auto' }, name)),
    label(statusWords(tournament), status.toLowerCase()),
    h('p', { class: 'facts' }, ...[ruleSet?.title ?? kind, formatWords(tournament), common.playerCount(entrantsCount)].map((text) => h('span', {}, text))),
    h('p', { class: 'soft' }, [datesWords(tournament), place].filter(Boolean).join(' · ')));
}

function clear() {
  go({ name: '', kind: '', status: '', format: '', archived: '' });
}

function wire() {
  const form = byId('filters');
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => { event.preventDefault(); clear(); form.elements.namedItem('name').value = ''; });
  form.addEventListener('change', ({ target }) => target.name !== 'name' && go({ [target.name]: target.type === 'checkbox' && !target.checked ? '' : target.value }));
  form.elements.namedItem('name').addEventListener('input', ({ target }) => {
    clearTimeout(typing);
    typing = setTimeout(() => go({ name: target.value.trim() }), TYPING_MS);
  });
}

wire();
page.load();
request(KINDS).then(({ rules }) => update({ kinds: rules }), () => {});
request(ME).then(({ me }) => update({ mayCreate: ['arbiter', 'admin'].includes(me.role) }), () => {});

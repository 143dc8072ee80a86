// The form for a new game; once it is created, the links to record it.

import { common } from '../words/common.js';
import { errorWords, request } from '../base/api.js';
import { byId, h, marked } from '../base/dom.js';
import { patch, row } from '../base/patch.js';
import { addressField, phonesAddress } from '../base/phones.js';
import { newKey } from '../base/random-key.js';
import { store } from '../base/store.js';
import { kindCards } from '../base/welcome.js';
import { RULES_PAGE } from '../model/list-queries.js';
import { term, termOnly } from '../model/terms.js';
import { CREATE_GAME, GAME_LINKS, IMPORT, ME, NEW_GAME_KINDS, PICTURE, POSITION, mayCreateGames } from '../model/record-queries.js';
import { pastedFrom, textRecord } from '../model/pasted.js';
import { rulingsOf, seatCounts, setupOf, shownOf, tagsOf, waysOf } from '../model/setup-form.js';
import { recordPath } from '../model/url.js';
import { linkCards } from '../record/links.js';
import { NOBODY, SeatFields } from '../record/seat-fields.js';
import { SetUpBoard } from '../record/set-up-board.js';
import { setupFields } from '../record/setup-fields.js';
import { newGame as words } from '../words/new-game.js';
import { record as linkText } from '../words/record.js';

const PICTURE_MS = 300;
const NO_SEARCH = Object.freeze({ index: -1, found: [] });

const NOTHING_PASTED = Object.freeze({ text: '', found: null, problem: null });

const { state, update } = store({
  /** @type {any} */ me: null,
  /** @type {any[]} */ kinds: [],
  kind: '',
  /** the rulings of the kind, by number @type {Map<string, string>} */ rulings: new Map(),
  /** which of the ways to write a setup */ way: 0,
  /** @type {Record<string, string>} */ values: {},
  /** @type {import('../record/seat-fields.js').Sitter[]} */ sitters: [],
  /** @type {{index: number, found: any[]}} */ search: NO_SEARCH,
  tags: '',
  isRated: true,
  isOpen: false,
  /** whether further details are shown */ isMore: false,
  isSigned: false,
  /** where its rolls come from @type {'ANY' | 'FAIR' | 'TYPED'} */ rolls: 'ANY',
  /** @type {Record<string, string>} */ problems: {},
  /** @type {any} the position that the setup leads to */ picture: null,
  /** what keeps a repeated request from creating two games; a new one after every change */ key: '',
  isBusy: false,
  /** @type {any} */ error: null,
  /** @type {any} */ game: null,
  /** @type {any[]} */ links: [],
  said: '',
  /** what was pasted, and what it is @type {{text: string, found: import('../model/pasted.js').Pasted | null, problem: any}} */ pasted: NOTHING_PASTED,
}, redraw);

const seats = new SeatFields(
  (index, sitter) => change({ sitters: state().sitters.map((each, at) => (at === index ? sitter : each)) }),
  (index, found) => update({ search: { index, found } }),
);
const setUp = new SetUpBoard((position) => paste(JSON.stringify(position)));
let waiting = 0;

/** What is asked for has changed. */
function change(changes) {
  update({ ...changes, key: '', error: null, problems: {} });
}

function choose(kind) {
  const rules = state().kinds.find((each) => each.kind === kind);
  change({ kind, way: 0, values: {}, rulings: new Map(), isOpen: false, rolls: 'ANY', picture: null, sitters: withSeats(rules ? seatCounts(rules)[0] : 0) });
  look();
  if (kind) request(RULES_PAGE, { kind }).then(({ ruleSet }) => state().kind === kind && update({ rulings: rulingsOf(ruleSet.document) }), () => {});
}

/** As many seats, with those who sit there already. */
function withSeats(count) {
  return Array.from({ length: count }, (_, index) => state().sitters[index] ?? NOBODY);
}

function rulesOf({ kind, kinds, way }) {
  const rules = kinds.find((each) => each.kind === kind);
  return rules && { ...rules, ways: waysOf(rules.setupSchema), schema: waysOf(rules.setupSchema)[way].schema };
}

/** The picture follows the setup once it has come to rest. */
function look() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const now = state();
    const rules = rulesOf(now);
    if (!rules) return;
    const { setup, problems } = setupOf(rules.schema, now.values, now.sitters.length);
    const { found, text } = now.pasted;
    const isSame = () => state().kind === now.kind && state().values === now.values && state().way === now.way && state().pasted.text === text;
    const from = { kind: now.kind, setup: found?.setup ?? setup, position: found?.position ?? null, actions: found?.actions ?? [] };
    const answer = Object.keys(problems).length ? null : await request(PICTURE, from).catch((problem) => ({ problem }));
    // What is refused is not shown; the position before it stays.
    if (isSame()) update({ picture: answer?.fold ?? (found ? now.picture : null), pasted: { ...state().pasted, problem: found ? answer?.problem ?? null : state().pasted.problem } });
  }, PICTURE_MS);
}

/** What is pasted or read from a file says the game, and who played. */
function paste(text) {
  try {
    const found = pastedFrom(text);
    const kind = found?.kind || state().kind;
    const isKnown = state().kinds.some((each) => each.kind === kind);
    change({ pasted: { text, found, problem: found && found.kind && !isKnown ? new Error(words.noSuchKind(found.kind)) : null } });
    if (found && isKnown && kind !== state().kind) choose(kind);
    const names = found?.names.length ? found.names : isPlayed(found) && state().sitters.map(({ name }) => name);
    if (names) change({ sitters: names.map((name) => ({ ...NOBODY, name })) });
    look();
  } catch (why) {
    change({ pasted: { text, found: null, problem: why } });
  }
}

/** Whether moves were pasted. They are imported with names and the setup only, and a record says these itself. */
function isPlayed(found) {
  return Boolean(found?.format || found?.actions.length);
}

/** Begins with a position of a game that the address names. */
async function begin() {
  const asked = new URLSearchParams(location.search);
  const id = asked.get('from');
  if (!id) return;
  const { game } = await request(POSITION, { id, ply: Number(asked.get('ply') ?? 0) });
  choose(game.kind);
  // The position is one of these rules.
  change(shownOf(state().kinds.find(({ kind }) => kind === game.kind).setupSchema, game.setup));
  change({ sitters: game.seats.map(({ name, player }) => ({ ...NOBODY, name, player: player?.id ?? '' })) });
  paste(JSON.stringify(game.position.position));
}

async function create() {
  const now = state();
  const rules = rulesOf(now);
  if (now.isBusy || !rules) return;
  const { setup, problems } = setupOf(rules.schema, now.values, now.sitters.length);
  if (Object.keys(problems).length > 0) {
    update({ problems });
    setTimeout(() => /** @type {HTMLElement | null} */ (document.querySelector('[aria-invalid=true]'))?.focus());
    return;
  }
  const key = now.key || newKey();
  update({ isBusy: true, error: null, key });
  const tags = tagsOf(now.tags);
  const input = {
    kind: now.kind, setup, rated: now.isRated, open: now.isOpen, signatures: now.isSigned ? 'REQUIRED' : 'OPTIONAL', rolls: now.rolls, tags: Object.keys(tags).length > 0 ? tags : null,
    seats: now.sitters.map(({ name, player }) => ({ player: player || null, name: player ? null : name.trim() || null })),
  };
  try {
    const { found, text } = now.pasted;
    const names = now.sitters.map(({ name }, index) => name.trim() || common.seatNumber(index + 1));
    const record = found?.format ? { record: text, format: found.format } : found?.actions.length ? { record: textRecord(now.kind, setup, names, found.actions), format: 'TEXT' } : null;
    const made = record ? (await request(IMPORT, { ...record, key })).importRecord : (await request(CREATE_GAME, { input: { ...input, position: found?.position ?? null }, key })).createGame;
    update({ isBusy: false, game: made });
    setTimeout(() => byId('created').querySelector('a')?.focus());
  } catch (error) {
    update({ isBusy: false, error });
  }
}

async function makeLinks() {
  const { game, isBusy } = state();
  if (isBusy) return;
  update({ isBusy: true, error: null, said: '' });
  try {
    const { issueGameTokens } = await request(GAME_LINKS, { game: game.id, base: phonesAddress() });
    update({ isBusy: false, links: issueGameTokens });
  } catch (error) {
    update({ isBusy: false, error });
  }
}

// --- drawing

function redraw() {
  const now = state();
  patch(byId('notice'), [
    now.me && !mayCreateGames(now.me) && h('p', { class: 'notice' }, ...words.mayNot(h('button', { type: 'button', class: 'link', onclick: () => byId('sign-in').click() }, common.signIn))),
    now.error && h('p', { class: 'notice bad', role: 'alert' }, ...marked(now.error.code === 'OFFLINE' ? words.unreached : errorWords(now.error))),
  ]);
  byId('form').hidden = Boolean(now.game);
  byId('created').hidden = !now.game;
  if (now.game) patch(byId('created'), created(now));
  else {
    if (now.picture) setUp.draw(now.picture, isPlayed(now.pasted.found));
    const hadFocus = byId('form').contains(document.activeElement);
    patch(byId('form'), form(now));
    // The list of kinds is gone once one is chosen.
    if (hadFocus && document.activeElement === document.body) document.getElementById('kind')?.focus({ preventScroll: true });
    // A field that somebody has typed into no longer follows its attribute.
    for (const input of byId('form').querySelectorAll('input[value]')) if (input.value !== input.getAttribute('value')) input.value = input.getAttribute('value');
  }
}

function form(now) {
  const rules = rulesOf(now);
  if (!rules && !now.kind && now.kinds.length > 0) return [row('kinds', [now.kinds], () => h('div', { class: 'main' }, h('div', { class: 'field' }, ...kindField(now)), kindCards(now.kinds, choose))), pastedCard(now)];
  const set = (name, value) => { change({ values: { ...now.values, ...state().values, [name]: value } }); look(); };
  const { found } = now.pasted;
  const isAsked = rules && !found?.format;
  const { variants, others } = isAsked ? setupFields(rules.schema, now.values, now.problems, now.rulings, set) : { variants: [], others: [] };
  return [
    h('div', { class: 'main', id: 'main' },
      h('section', { class: 'card group', id: 'group-kind', 'aria-label': common.game },
        h('div', { class: 'field', id: 'kind-field' }, ...kindField(now)),
        rules && h('p', { id: 'kind-told' }, h('bdi', { lang: termOnly(rules.summary) ? null : 'en' }, term(rules.summary)), ' ', h('a', { href: `/rules/${encodeURIComponent(rules.kind)}` }, common.rules)),
        isAsked && seatCounts(rules).length > 1 && h('div', { class: 'field', id: 'count-field' }, h('label', { for: 'count' }, words.seats),
          h('select', { id: 'count', onchange: ({ target }) => { change({ sitters: withSeats(Number(target.value)) }); look(); } }, ...seatCounts(rules).map((count) => h('option', { value: String(count), selected: count === now.sitters.length }, String(count)))))),
      pastedCard(now),
      isAsked && h('section', { class: 'card group', id: 'group-seats', 'aria-label': words.players }, h('h2', {}, words.players), seats.draw(now.sitters, isPlayed(found) ? NO_SEARCH : now.search)),
      variants.length > 0 && h('section', { class: 'card group', id: 'group-variants', 'aria-label': words.variants }, h('h2', {}, words.variants), ...variants),
      isAsked && h('details', { class: 'card group', id: 'group-more', open: now.isMore || Object.keys(now.problems).length > 0 }, h('summary', { onclick: more }, h('h2', {}, common.more)), ...way(now, rules), ...others, ...isPlayed(found) ? [] : further(now, rules)),
      h('div', { class: 'form-end', id: 'end' }, h('button', { type: 'submit', class: 'primary', id: 'create', 'aria-disabled': String(now.isBusy || !rules) }, now.isBusy ? common.creating : words.create))),
    now.picture && setUp.element,
  ].filter(Boolean);
}

/** A field for a record, its actions or a position, and what was understood of it. */
function pastedCard({ kind, kinds, pasted: { text, found, problem }, picture }) {
  const read = async ({ target: { files: [file] } }) => paste(file ? await file.text() : '');
  const title = kinds.find((each) => each.kind === kind)?.title ?? '';
  const told = !found ? '' : !kind ? words.chooseFirst : found.position && found.actions.length === 0 ? words.isPosition(title) : words.isRecord(title, found.actions.length, found.names);
  return h('details', { class: 'card group', id: 'group-pasted', open: Boolean(text) || null }, h('summary', {}, h('h2', {}, words.pasted)),
    h('label', { for: 'pasted' }, words.pastedHint),
    h('textarea', { id: 'pasted', rows: '4', spellcheck: 'false', dir: 'ltr', 'aria-describedby': 'understood', onchange: ({ target }) => paste(target.value) }, text),
    h('input', { type: 'file', id: 'pasted-file', 'aria-label': words.pastedFile, accept: '.json,.ndjson,.txt', onchange: read }),
    h('p', { id: 'understood', role: 'status', class: problem ? 'bad' : 'hint' }, ...problem ? marked(problem instanceof SyntaxError ? words.notUnderstood : errorWords(problem)) : [picture || !kind ? told : '']));
}

function more(event) {
  event.preventDefault();
  update({ isMore: !state().isMore });
}

/** @returns {[Node, Node]} */
function kindField(now) {
  return [h('label', { for: 'kind' }, common.game),
    h('select', { id: 'kind', required: true, onchange: ({ target }) => choose(target.value) }, h('option', { value: '' }, common.chooseKind), ...now.kinds.map(({ kind, title }) => h('option', { value: kind, selected: kind === now.kind }, title)))];
}

function way(now, rules) {
  if (rules.ways.length < 2) return [];
  return [h('div', { class: 'field', id: 'way-field' }, h('label', { for: 'way' }, words.startFrom),
    h('select', { id: 'way', onchange: ({ target }) => { change({ way: Number(target.value), values: {} }); look(); } }, ...rules.ways.map(({ title }, index) => h('option', { value: String(index), selected: index === now.way }, title))))];
}

function further(now, rules) {
  return [
    rules.secrets && h('fieldset', { class: 'field', id: 'secrecy' }, h('legend', {}, words.secrets),
      choice('live', !now.isOpen, () => change({ isOpen: false }), words.live, words.liveHint),
      choice('open', now.isOpen, () => change({ isOpen: true }), words.open, words.openHint)),
    rules.chance && h('div', { class: 'field', id: 'rolls-field' }, h('label', { for: 'rolls' }, words.rolls),
      h('select', { id: 'rolls', 'aria-describedby': 'rolls-hint', onchange: ({ target }) => change({ rolls: target.value }) }, ...Object.entries(words.rollSources).map(([source, text]) => h('option', { value: source, selected: source === now.rolls }, text))),
      h('p', { class: 'hint', id: 'rolls-hint' }, words.rollsHint)),
    h('div', { class: 'field', id: 'tags-field' }, h('label', { for: 'tags' }, words.tags),
      h('input', { id: 'tags', value: now.tags, autocomplete: 'off', dir: 'ltr', placeholder: words.tagsExample, 'aria-describedby': 'tags-hint', oninput: ({ target }) => change({ tags: target.value }) }),
      h('p', { class: 'hint', id: 'tags-hint' }, words.tagsHint)),
    h('label', { class: 'tick', id: 'rated-field' }, h('input', { type: 'checkbox', id: 'rated', checked: now.isRated, onchange: ({ target }) => change({ isRated: target.checked }) }), common.countsForRatings),
    h('label', { class: 'tick', id: 'signed-field' }, h('input', { type: 'checkbox', id: 'signed', checked: now.isSigned, onchange: ({ target }) => change({ isSigned: target.checked }) }),
      h('span', {}, words.signed, h('small', {}, words.signedHint))),
  ];
}

function choice(id, isChosen, onchange, text, hint) {
  return h('label', { class: 'tick', id: `choice-${id}` }, h('input', { type: 'radio', name: 'secrecy', checked: isChosen, onchange }), h('span', {}, text, h('small', {}, hint)));
}

function created({ game, isBusy, links, pasted: { found }, said }) {
  return [
    h('p', { role: 'status' }, isPlayed(found) ? words.createdFrom(found.actions.length) : words.created),
    h('div', { class: 'acts' },
      h('a', { class: 'button primary', href: recordPath(game.id) }, words.record),
      h('a', { class: 'button', href: `/games/${encodeURIComponent(game.id)}` }, words.watch),
      h('a', { class: 'button', href: '/games/new' }, words.another)),
    h('h2', {}, words.links),
    h('p', { class: 'hint' }, words.linksHint),
    links.length === 0 && addressField(),
    links.length === 0
      ? h('button', { type: 'button', id: 'links', 'aria-disabled': String(isBusy), onclick: makeLinks }, isBusy ? words.makingLinks : linkText.make)
      : h('div', { class: 'link-cards' }, ...linkCards(game, links, (text) => update({ said: text }))),
    h('p', { class: 'hint', role: 'status', id: 'said' }, said),
  ];
}

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  create();
});
redraw();
request(ME).then(({ me }) => update({ me }), () => {});
request(NEW_GAME_KINDS).then(({ rules }) => {
  update({ kinds: rules });
  return begin();
}).catch((error) => update({ error }));

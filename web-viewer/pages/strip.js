// A game as a strip of diagrams at chosen plies, for print.

import { common } from '../words/common.js';
import { strip as words } from '../words/replay-strip.js';
import { notice } from '../words/replay-notice.js';
import { replay } from '../words/replay-page.js';
import { errorWords } from '../base/api.js';
import { byId, h, marked, s, setText } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { patch, row } from '../base/patch.js';
import { store } from '../base/store.js';
import { day, outcomeWords, seatName } from '../model/format.js';
import { happened, named } from '../model/happened.js';
import { wordsOf } from '../model/own.js';
import { term } from '../model/terms.js';
import { between, diagrams, DIAGRAMS_MAX, MARKS, runs, usualStep } from '../model/strip.js';
import { parseStrip, placeAddress, stripAddress } from '../model/url.js';
import { loadFeats, loadLog, loadPositions } from '../replay/requests/logs.js';

const { state, update } = store({
  choice: parseStrip(location.pathname, location.search),
  /** @type {any} the game with its moves */ log: null,
  /** @type {any[] | null} captures and rolls, once they are needed */ feats: null,
  /** @type {ReadonlyMap<number, import('../replay/requests/positions.js').Position>} those that have come */ positions: new Map(),
  /** @type {any} */ error: null,
}, redraw);

let turn = 0;

/** Loads the game once, and whatever its diagrams need. */
async function load() {
  const ask = ++turn;
  update({ error: null });
  try {
    const { choice } = state();
    if (!state().log) {
      const log = await loadLog(choice.id, choice.viewer);
      update({ log });
    }
    const { feats, log } = state();
    if (choice.marks.length > 0 && !feats) update({ feats: await loadFeats(log, choice.viewer) });
    for (const [from, to] of runs(wanted())) {
      if (ask !== turn) return;
      const known = state().positions;
      if (known.has(from) && known.has(to)) continue;
      const loaded = await loadPositions(log.id, from, to, choice.viewer);
      update({ positions: new Map([...state().positions, ...loaded.map((position) => /** @type {const} */ ([position.ply, position]))]) });
    }
  } catch (error) {
    if (ask === turn) update({ error });
  }
}

/** What is to be shown, once it is known. */
function found() {
  const { choice, feats, log } = state();
  return log && (feats || choice.marks.length === 0) ? diagrams(choice, log, feats ?? []) : null;
}

const wanted = () => found()?.plies ?? [];

function redraw() {
  const { choice, error, log, positions } = state();
  byId('notice').hidden = !error;
  if (error) byId('notice').replaceChildren(...marked(errorWords(error)), h('button', { type: 'button', onclick: load }, common.again));
  byId('choice').hidden = !log;
  if (error?.code === 'NOT_FOUND') setText(byId('title'), notice.noGame);
  if (!log) return;
  const names = log.seats.map(({ number }) => seatName(log.seats, number)).join(' – ');
  setText(byId('title'), names);
  document.title = words.pageTitle(names);
  byId('facts').replaceChildren(...marked([log.ruleSet?.title, log.tournament?.name, log.round && replay.round(log.round), day(log.createdAt), outcomeWords(log), words.plies(log.ply)].filter(Boolean).join(' · ')));
  drawChoice(choice, log);
  const shown = found();
  byId('strip').setAttribute('aria-busy', String(!shown || shown.plies.some((ply) => !positions.has(ply))));
  if (!shown) return;
  setText(byId('said'), [shown.problem, shown.more > 0 && words.firstOf(DIAGRAMS_MAX, shown.plies.length + shown.more)].filter(Boolean).join(' '));
  byId('diagrams').style.setProperty('--columns', String(choice.columns));
  patch(byId('diagrams'), shown.plies.map((ply, index) => row(`at-${ply}`, [positions.get(ply), shown.plies[index - 1]], () => diagram(ply, shown.plies[index - 1] ?? 0))));
}

function drawChoice({ columns, every, marks, plies }, log) {
  const { elements } = byId('choice');
  const set = (name, value) => { if (document.activeElement !== elements.namedItem(name)) elements.namedItem(name).value = value; };
  set('every', plies || marks.length ? '' : String(every || usualStep(log.ply)));
  set('plies', plies);
  set('columns', String(columns));
  for (const [mark] of MARKS) elements.namedItem(mark).checked = !plies && marks.includes(mark);
}

/** A position with what led to it since the diagram before. */
function diagram(ply, after) {
  const { choice, log, positions } = state();
  const position = positions.get(ply);
  if (!position) return h('figure', { class: 'diagram' }, h('figcaption', {}, words.loading(ply)));
  const { scene } = position;
  const move = log.moves[ply - 1];
  const told = move ? happened(positions.get(ply - 1)?.scene, scene, move, log.seats) : replay.start;
  const notation = between(log.moves, after, ply, log.seats);
  return h('figure', { class: 'diagram' },
    s('svg', { class: sceneClass(scene), role: 'img', 'aria-label': common.boardAfter(ply), viewBox: scene.view.join(' ') }, ...drawing(scene)),
    h('figcaption', {},
      h('span', { class: 'told' }, h('a', { href: placeAddress({ id: log.id, viewer: choice.viewer, ply }) }, common.ply(ply)), `: ${told}`),
      move?.comment && h('span', { class: 'comment' }, [...move.glyphs ?? [], wordsOf(move.comment)].join(' ')),
      notation.length > 0 && h('span', { class: 'between' }, notation.join(' ')),
      scene.status && h('span', { class: 'status', dir: 'auto' }, named(term(scene.status), log.seats))));
}

/** What the reader changes goes before what was chosen otherwise. */
function choose({ target }) {
  const { choice } = state();
  const { elements } = byId('choice');
  if (!target.checkValidity()) return;
  const change = {
    every: () => ({ every: Number(target.value) || 0, marks: [], plies: '' }),
    plies: () => ({ plies: target.value, marks: [] }),
    columns: () => ({ columns: Number(target.value) }),
  }[target.name]?.() ?? { marks: MARKS.map(([mark]) => mark).filter((mark) => elements.namedItem(mark).checked), plies: '' };
  const next = { ...choice, ...change };
  history.replaceState(null, '', stripAddress(next));
  update({ choice: next });
  load();
}

byId('marks').append(...MARKS.map(([mark, text]) => h('label', {}, h('input', { type: 'checkbox', name: mark }), text)));
byId('choice').addEventListener('change', choose);
byId('choice').addEventListener('submit', (event) => event.preventDefault());
byId('print').addEventListener('click', () => globalThis.print());
load();

// The replay's buttons, slider and keyboard shortcuts.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { byId, h, isDialogOpen, setAttribute, setHidden, setText } from '../../base/dom.js';
import { patch, row } from '../../base/patch.js';
import { seatName } from '../../model/format.js';
import { actOf, keyOf } from '../../model/keys.js';
import { named } from '../../model/happened.js';
import { term } from '../../model/terms.js';

/**
 * What the reader can do.
 * @typedef {{step: (by: number) => void, turn: (by: number) => void, mine: (by: number) => void, since: () => void, beside: () => void, mark: (by: number) => void, go: (ply: number) => void,
 *   end: () => void, toggle: () => void, flip: () => void, prefer: (change: Partial<import('../../base/settings.js').Settings>) => void,
 *   view: (viewer: string) => void, enter: () => void, leave: () => void, sibling: (by: number) => void, act: () => void, note: () => void,
 *   clear: () => void, engine: () => void, words: () => void, tab: (name: string) => void, now: () => import('../derive.js').Now}} Acts
 */

/** @param {Acts} acts */
export function wireControls(acts) {
  const on = (id, act) => byId(id).addEventListener('click', act);
  on('first', () => acts.go(0));
  on('prev', () => acts.step(-1));
  on('play', acts.toggle);
  on('next', () => acts.step(1));
  on('last', acts.end);
  on('flip', acts.flip);
  on('help', () => openHelp(acts));
  on('fresh', acts.end);
  on('since-hide', acts.since);
  on('since-show', acts.since);
  on('since-beside', acts.beside);
  byId('slider').addEventListener('input', ({ target }) => acts.go(Number(target.value)));
  byId('slips').addEventListener('click', ({ clientX }) => acts.go(nearestMark(clientX)));
  byId('speed').addEventListener('change', ({ target }) => acts.prefer({ speed: target.value }));
  byId('viewer').addEventListener('change', ({ target }) => acts.view(target.value));
  document.addEventListener('keydown', (event) => key(event, acts));
  document.addEventListener('pointerdown', ({ target }) => { pressed = /** @type {Element} */ (target).closest('button, a, summary'); });
  document.addEventListener('focusout', ({ target }) => { if (target === pressed) pressed = null; });
}

/** @type {Element | null} what was pressed last and still has the focus: the space bar is not for it */ let pressed = null;

/** @param {import('../derive.js').Now} now */
export function drawControls(now) {
  const { last, ply, playing, flipped, settings, fresh, news, line, id } = now;
  const slider = byId('slider');
  if (slider.max !== String(last)) slider.max = String(last);
  if (slider.value !== String(ply)) slider.value = String(ply);
  slider.style.setProperty('--done', `${last ? (100 * ply) / last : 0}%`);
  setAttribute(slider, 'aria-valuetext', now.told ? words.atPlyTold(ply, last, now.told) : words.atPly(ply, last));
  setText(byId('ply'), `${ply} / ${last}`);
  for (const [name, off] of [['first', ply === 0], ['prev', ply === 0], ['next', ply >= last], ['last', ply >= last]]) {
    setAttribute(byId(name), 'aria-disabled', String(off));
  }
  setAttribute(byId('play'), 'data-playing', String(playing));
  setAttribute(byId('play'), 'aria-label', playing ? common.pause : words.play);
  setAttribute(byId('flip'), 'aria-pressed', String(flipped));
  if (byId('speed').value !== settings.speed) byId('speed').value = settings.speed;
  setHidden(byId('fresh'), fresh === 0 || line !== id);
  setText(byId('fresh'), words.fresh(fresh));
  setHidden(byId('news'), news.length === 0);
  setText(byId('news'), news.join(' '));
  drawCaption(now);
  drawSince(now);
  drawMarks(now);
  drawViewers(now);
}

/** The last action, and what is awaited. */
function drawCaption({ game, position, ply, told }) {
  if (!game || !position) return;
  setText(byId('told'), ply === 0 ? words.start : told);
  const { status: english = '' } = position.scene;
  const said = term(english);
  // A sentence in the language of the page may begin with a name that is written in the other direction.
  setAttribute(byId('status'), 'dir', said === english ? 'auto' : '');
  setText(byId('status'), named(said, game.seats));
}

/** @type {any} */ let compared;

/** What has changed since another ply. */
function drawSince({ compared: found, since }) {
  setHidden(byId('since'), since.ply < 0);
  setHidden(byId('since-show'), since.ply >= 0);
  if (found === compared) return;
  compared = found;
  setText(byId('since-ply'), found?.length ? words.since(since.ply) : words.unchanged(since.ply));
  patch(byId('since-list'), (found ?? []).map(({ words: changed }) => h('li', {}, changed)));
}

/** So many marks fit beside each other; plies that are closer share one. */
const MARKS_MAX = 150;

/** What a mark says if several plies share it: the first of these. */
const KINDS = ['end', 'mistake', 'turn', 'ruling', 'takeback', 'offer', 'comment', 'capture', 'dice'];

/** @type {{marks: any[], last: number}} */ let drawn = { marks: [], last: -1 };

/** Marks along the slider at plies with something of note, each with what it is. */
function drawMarks({ slips, last }) {
  if (slips === drawn.marks && last === drawn.last) return;
  drawn = { marks: slips, last };
  /** @type {Map<number, any[]>} */ const shared = new Map();
  for (const mark of slips) {
    const at = Math.round((mark.ply / Math.max(last, 1)) * MARKS_MAX);
    shared.set(at, [...shared.get(at) ?? [], mark]);
  }
  patch(byId('slips'), [...shared].sort(([one], [other]) => one - other).map(([at, all]) => {
    const [first] = [...all].sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) || one.ply - other.ply);
    const title = all.length > 1 ? words.marks(first.ply, first.text, all.length) : words.mark(first.ply, first.text);
    return row(`slip-${at}`, [first.ply, first.kind, title], () => h('span', { class: `slip ${first.kind}`, 'data-ply': first.ply, title }));
  }));
  for (const mark of byId('slips').children) mark.style.setProperty('--at', String(last ? Number(mark.dataset.ply) / last : 0));
}

/** The ply of the mark that is drawn closest to a point; marks overlap. */
function nearestMark(x) {
  const middle = (mark) => { const { left, width } = mark.getBoundingClientRect(); return left + width / 2; };
  const marks = [...byId('slips').children].sort((one, other) => Math.abs(middle(one) - x) - Math.abs(middle(other) - x));
  return Number(marks[0].dataset.ply);
}

function drawViewers({ game, isSignedIn, rules, viewer }) {
  setHidden(byId('viewer-choice'), !(game && rules?.secrets));
  if (!game || !rules?.secrets) return;
  const select = byId('viewer');
  if (select.options.length === 0) {
    const seats = game.seats.map(({ number }) => [String(number), `${number}: ${seatName(game.seats, number)}`]);
    const choices = [...isSignedIn ? [['', words.viewers.me]] : [], ['public', words.viewers.public], ...seats, ['all', words.viewers.all]];
    select.append(...choices.map(([value, text]) => h('option', { value }, text)));
  }
  select.value = viewer || (isSignedIn ? '' : game.status === 'RUNNING' ? 'public' : 'all');
}

function key(event, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (isDialogOpen()) return;
  const { target } = event;
  // In an empty action field, the arrow keys have nothing else to do.
  const steps = target.dataset.steps && !target.value && /^Arrow(Left|Right)$/.test(event.key);
  if (isField(target) && !steps) return;
  const act = does(event, acts);
  // The space bar presses what the keyboard has chosen; elsewhere, and after a click, it plays.
  if (!act || (event.key === ' ' && (target.closest('button, a, summary') ?? pressed) !== pressed)) return;
  event.preventDefault();
  // A held key waits for each position to load, so that all of them are seen.
  if (!event.repeat || acts.now().position) act();
}

/** Whether keys are for an element. */
function isField({ nodeName, type }) {
  return nodeName === 'SELECT' || nodeName === 'TEXTAREA' || (nodeName === 'INPUT' && type !== 'range');
}

function does(event, acts) {
  const pressed = keyOf(event);
  if (/^[0-9]$/.test(pressed)) return acts.now().settings.letters ? eyes(pressed, acts) : null;
  return {
    prev: () => acts.step(-1), next: () => acts.step(1), turnBack: () => acts.turn(-1), turnOn: () => acts.turn(1),
    first: () => acts.go(0), last: acts.end, mineBack: () => acts.mine(-1), mineOn: () => acts.mine(1),
    markBack: () => acts.mark(-1), markOn: () => acts.mark(1), since: acts.since, beside: acts.beside, play: acts.toggle, flip: acts.flip, help: () => openHelp(acts), act: acts.act, note: acts.note, goTo: () => openGoTo(acts), words: acts.words,
    explorer: () => acts.tab(acts.now().tab === 'explorer' ? 'moves' : 'explorer'), analysis: () => acts.tab(acts.now().tab === 'analysis' ? 'moves' : 'analysis'), clear: acts.clear, engine: acts.engine,
    enter: acts.enter, leave: acts.leave, siblingBack: () => acts.sibling(-1), siblingOn: () => acts.sibling(1),
  }[actOf(pressed, acts.now().settings)];
}

/** The view of a seat by its number, of the public by 0; the same number again returns to the reader's own view. */
function eyes(digit, acts) {
  const { game, rules, viewer } = acts.now();
  const wanted = digit === '0' ? 'public' : digit;
  if (!rules?.secrets || Number(digit) > game.seats.length) return null;
  return () => acts.view(viewer === wanted ? '' : wanted);
}

/** The dialogs come when they are wanted. */
async function openHelp(acts) {
  const help = await import('./help.js');
  help.openHelp(acts);
}

async function openGoTo(acts) {
  const help = await import('./help.js');
  help.openGoTo(acts);
}

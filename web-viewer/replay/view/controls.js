// The replay's buttons, slider and keyboard shortcuts.

import { byId, h, openDialog, setText } from '../../base/dom.js';
import { seatName } from '../../model/format.js';

const KEYS = [
  ['← →', 'Previous, next ply'], ['Home End', 'First, last position'], ['Space', 'Play, pause'],
  ['Shift+→', 'Into the variation that leaves here'], ['Shift+←', 'Out of it, to the line it leaves'],
  ['Shift+↑ Shift+↓', 'Previous, next variation of this ply'], ['a', 'Play an action from here'], ['Esc', 'Forget what was clicked'],
  ['↑ ↓', 'In the list of moves: up, down; Enter goes there'], ['f', 'Flip the board'], ['?', 'This help'],
];

/**
 * What the reader can do.
 * @typedef {{step: (by: number) => void, go: (ply: number) => void, end: () => void, toggle: () => void,
 *   flip: () => void, speed: (ms: number) => void, view: (viewer: string) => void, enter: () => void, leave: () => void,
 *   sibling: (by: number) => void, act: () => void, clear: () => void}} Acts
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
  on('help', openHelp);
  byId('slider').addEventListener('input', ({ target }) => acts.go(Number(target.value)));
  byId('speed').addEventListener('change', ({ target }) => acts.speed(Number(target.value)));
  byId('viewer').addEventListener('change', ({ target }) => acts.view(target.value));
  document.addEventListener('keydown', (event) => key(event, acts));
}

/** @param {import('../derive.js').Now} now */
export function drawControls({ game, last, walk, ply, playing, flipped, viewer, rules }) {
  const slider = byId('slider');
  slider.max = String(last);
  slider.value = String(ply);
  slider.style.setProperty('--done', `${last ? (100 * ply) / last : 0}%`);
  const move = walk[ply - 1];
  slider.setAttribute('aria-valuetext', `Ply ${ply} of ${last}${move ? `: ${move.text}` : ''}`);
  setText(byId('ply'), `${ply} / ${last}`);
  for (const [id, off] of [['first', ply === 0], ['prev', ply === 0], ['next', ply >= last], ['last', ply >= last]]) {
    byId(id).setAttribute('aria-disabled', String(off));
  }
  byId('play').dataset.playing = String(playing);
  byId('play').setAttribute('aria-label', playing ? 'Pause' : 'Play');
  byId('flip').setAttribute('aria-pressed', String(flipped));
  drawViewers(game, rules, viewer);
}

function drawViewers(game, rules, viewer) {
  byId('viewer-choice').hidden = !(game && rules?.secrets);
  if (!game || !rules?.secrets) return;
  const select = byId('viewer');
  if (select.options.length === 0) {
    const seats = game.seats.map(({ number }) => [String(number), `Seat ${number}: ${seatName(game.seats, number)}`]);
    const choices = [['', 'me'], ['public', 'the public'], ...seats, ['all', 'somebody who knows all']];
    select.append(...choices.map(([value, text]) => h('option', { value }, text)));
  }
  select.value = viewer;
}

function key(event, acts) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (document.querySelector('dialog[open]')) return;
  const { target } = event;
  // In the empty field for an action the arrows have nothing else to do.
  const steps = target.dataset.steps && !target.value && /^Arrow(Left|Right)$/.test(event.key);
  if (target.matches('input:not([type=range]), select, textarea') && !steps) return;
  const act = {
    ArrowLeft: () => acts.step(-1), ArrowRight: () => acts.step(1), Home: () => acts.go(0), End: acts.end,
    ' ': acts.toggle, f: acts.flip, '?': openHelp, a: acts.act, Escape: acts.clear,
    'Shift+ArrowRight': acts.enter, 'Shift+ArrowLeft': acts.leave,
    'Shift+ArrowUp': () => acts.sibling(-1), 'Shift+ArrowDown': () => acts.sibling(1),
  }[event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key];
  // The space bar presses what has the focus; only elsewhere does it play.
  if (!act || (event.key === ' ' && target.closest('button, a, summary'))) return;
  event.preventDefault();
  act();
}

function openHelp() {
  const rows = KEYS.flatMap(([keys, what]) => [h('dt', {}, ...keys.split(' ').map((name) => h('kbd', {}, name))), h('dd', {}, what)]);
  openDialog('Keyboard', h('dl', { class: 'pairs keys' }, ...rows),
    h('p', { class: 'hint' }, 'The address names the ply: share it to show this very position.'));
}

// The dialog that makes an animated picture of a range of plies.

import { panels as words } from '../../words/replay-panels.js';
import { download, h, marked, openDialog, setText } from '../../base/dom.js';
import { ApiError, errorWords } from '../../base/api.js';
import { BYTES_MAX, PLIES_MAX, animatedSvg } from '../../model/animation.js';
import { fileName } from '../../model/format.js';
import { happened } from '../../model/happened.js';
import { isUnsaved } from '../../model/tree.js';
import { loadPositions } from '../requests/logs.js';

const RANGE = 60;
const CHUNK = 48;
/** How long a position can be shown, in milliseconds. */
const PACES = [500, 1000, 2000, 4000];
const USUAL = 1000;

/**
 * @param {import('../derive.js').Now} now
 * @param {() => Promise<string>} style the style sheet of scenes
 */
export function openAnimation(now, style) {
  const first = Math.min(now.ply, Math.max(0, now.last - RANGE));
  const number = (name, label, value) => h('label', {}, label, h('input', { name, type: 'number', min: '0', max: String(now.last), step: '1', value: String(value), inputmode: 'numeric', required: true }));
  const said = h('p', { class: 'hint', role: 'status' });
  const make = h('button', { type: 'submit', class: 'primary' }, words.make);
  const form = /** @type {HTMLFormElement} */ (h('form', { class: 'range', onsubmit: async (event) => {
    event.preventDefault();
    const [from, to, frameMs] = ['from', 'to', 'pace'].map((name) => Number(new FormData(form).get(name)));
    make.setAttribute('aria-disabled', 'true');
    setText(said, words.making);
    try {
      setText(said, await save(now, from, to, frameMs, await style()));
    } catch (why) {
      said.replaceChildren(...marked(errorWords(why)));
    }
    make.setAttribute('aria-disabled', 'false');
  } },
  number('from', words.fromPly, first), number('to', words.toPly(now.last), Math.min(now.last, first + RANGE)),
  h('label', {}, words.eachFor, h('select', { name: 'pace' }, ...PACES.map((ms) => h('option', { value: String(ms), selected: ms === USUAL }, words.pace(ms / 1000))))),
  make));
  openDialog(words.animated, h('p', {}, words.animatedIs), form, said);
}

/** Makes and saves the file; says how large it is. */
async function save({ flipped, game, line, viewer, walk }, from, to, frameMs, style) {
  if (isUnsaved(line)) throw new ApiError(words.unsaved, 'BAD_INPUT');
  if (from > to) throw new ApiError(words.isAfter(from, to), 'BAD_INPUT');
  if (to - from >= PLIES_MAX) throw new ApiError(words.tooMany(PLIES_MAX), 'BAD_INPUT');
  const before = Math.max(0, from - 1);
  const positions = [];
  for (let at = before; at <= to; at += CHUNK) positions.push(...await loadPositions(line, at, Math.min(to, at + CHUNK - 1), viewer));
  const frames = positions.slice(from - before).map(({ ply, scene }) => {
    const told = ply > 0 ? happened(positions[ply - 1 - before]?.scene, scene, walk[ply - 1], game.seats) : words.start;
    return { scene, caption: `${ply}. ${told}` };
  });
  const file = animatedSvg(frames, { style, title: document.title.replace(/ · Plybook$/, ''), frameMs, flipped });
  const bytes = new TextEncoder().encode(file).length;
  if (bytes > BYTES_MAX) throw new ApiError(words.tooLarge(Math.round(bytes / 1000)), 'BAD_INPUT');
  download(`${fileName(game)}-${from}-${to}.svg`, 'image/svg+xml', file);
  return words.saved(frames.length, Math.round(bytes / 1000));
}

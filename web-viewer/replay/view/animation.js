// The dialog that makes an animated picture of a range of plies.

import { replay as words } from '../../words/replay.js';
import { download, h, marked, openDialog, setText } from '../../base/dom.js';
import { ApiError, errorWords, sceneStyle } from '../../base/api.js';
import { fileName } from '../../model/format.js';
import { happened } from '../../model/happened.js';
import { isUnsaved } from '../../model/tree.js';
import { loadPositions } from '../requests/logs.js';
import { animatedPicture } from './picture.js';

const RANGE = 60;
const PLIES_MAX = 200;
const CHUNK = 48;
/** How long a position can be shown, in milliseconds. */
const PACES = [500, 1000, 2000, 4000];
const USUAL = 1000;

/** @param {import('../derive.js').Now} now */
export function openAnimation(now) {
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
      setText(said, await save(now, from, to, frameMs));
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
async function save({ flipped, game, line, viewer, walk }, from, to, frameMs) {
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
  const file = await animatedPicture(frames, { style: await sceneStyle(), frameMs, flipped });
  download(`${fileName(game)}-${from}-${to}.webp`, 'image/webp', file);
  return words.saved(frames.length, Math.round(file.size / 1000));
}

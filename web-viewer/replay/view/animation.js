// The dialog that makes an animated picture of a range of plies.

import { download, h, openDialog, setText } from '../../base/dom.js';
import { ApiError, errorWords } from '../../base/api.js';
import { BYTES_MAX, PLIES_MAX, animatedSvg } from '../../model/animation.js';
import { counted } from '../../model/format.js';
import { happened } from '../../model/happened.js';
import { isUnsaved } from '../../model/tree.js';
import { loadPositions } from '../requests/logs.js';

const RANGE = 60;
const CHUNK = 48;
const PACES = [['500', '½ second'], ['1000', '1 second'], ['2000', '2 seconds'], ['4000', '4 seconds']];

/**
 * @param {import('../derive.js').Now} now
 * @param {() => Promise<string>} style the style sheet of scenes
 */
export function openAnimation(now, style) {
  const first = Math.min(now.ply, Math.max(0, now.last - RANGE));
  const number = (name, label, value) => h('label', {}, label, h('input', { name, type: 'number', min: '0', max: String(now.last), step: '1', value: String(value), inputmode: 'numeric', required: true }));
  const said = h('p', { class: 'hint', role: 'status' });
  const make = h('button', { type: 'submit', class: 'primary' }, 'Make it');
  const form = /** @type {HTMLFormElement} */ (h('form', { class: 'range', onsubmit: async (event) => {
    event.preventDefault();
    const [from, to, frameMs] = ['from', 'to', 'pace'].map((name) => Number(new FormData(form).get(name)));
    make.setAttribute('aria-disabled', 'true');
    setText(said, 'Making it …');
    try {
      setText(said, await save(now, from, to, frameMs, await style()));
    } catch (why) {
      setText(said, errorWords(why));
    }
    make.setAttribute('aria-disabled', 'false');
  } },
  number('from', 'From ply', first), number('to', `to ply (of ${now.last})`, Math.min(now.last, first + RANGE)),
  h('label', {}, 'Each for', h('select', { name: 'pace' }, ...PACES.map(([value, text]) => h('option', { value, selected: value === '1000' }, text)))),
  make));
  openDialog('Animated picture', h('p', {}, 'An SVG file that plays by itself, wherever pictures are shown, and needs nothing else. It repeats; for readers who prefer less motion, it shows the last position.'), form, said);
}

/** Makes and saves the file; says how large it is. */
async function save({ flipped, game, id, line, viewer, walk }, from, to, frameMs, style) {
  if (isUnsaved(line)) throw new ApiError('a line that is kept in this page only cannot be made into a picture: sign in and play it again', 'BAD_INPUT');
  if (from > to) throw new ApiError(`ply ${from} is after ply ${to}`, 'BAD_INPUT');
  if (to - from >= PLIES_MAX) throw new ApiError(`choose at most ${PLIES_MAX} plies`, 'BAD_INPUT');
  const before = Math.max(0, from - 1);
  const positions = [];
  for (let at = before; at <= to; at += CHUNK) positions.push(...await loadPositions(line, at, Math.min(to, at + CHUNK - 1), viewer));
  const frames = positions.slice(from - before).map(({ ply, scene }) => {
    const told = ply > 0 ? happened(positions[ply - 1 - before]?.scene, scene, walk[ply - 1], game.seats) : 'The start.';
    return { scene, caption: `${ply}. ${told}` };
  });
  const file = animatedSvg(frames, { style, title: document.title.replace(/ · Plybook$/, ''), frameMs, flipped });
  const bytes = new TextEncoder().encode(file).length;
  if (bytes > BYTES_MAX) throw new ApiError(`the file would have ${Math.round(bytes / 1000)} kB: choose fewer plies`, 'BAD_INPUT');
  download(`${id}-${from}-${to}.svg`, 'image/svg+xml', file);
  return `Saved: ${counted(frames.length, 'position')}, ${Math.round(bytes / 1000).toLocaleString()} kB.`;
}

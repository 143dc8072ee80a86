// Putting an action together on the board: trays of pieces, or a path.

import { h, s } from '../../base/dom.js';
import { drawing, sceneClass } from '../../base/drawing.js';
import { left, missing, placedText, takenOff } from '../placing.js';
import { actionsAlong } from '../routes.js';

/**
 * The trays of a set-up, what is left in them, and what is missing.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function trays(now, recording) {
  const { laying, past, position, typed } = now;
  const { active, held, isForeign, placed, trays: all } = laying;
  const tray = all[active];
  const lacks = missing(all, placed);
  const lay = (next) => recording.send('lay', placedText(all, next));
  return h('section', { class: 'trays', id: 'trays', 'aria-label': 'What is put on the board' },
    isForeign && h('p', { class: 'bad', id: 'foreign' }, 'What is typed cannot be shown on the board. Clear it, or type on.'),
    h('div', { class: 'tray-names', role: 'group', 'aria-label': 'Trays' },
      ...all.map(({ title, total }, index) => h('button', { type: 'button', 'aria-pressed': String(index === active), 'data-tray': String(index), onclick: () => recording.send('set', { tray: index, held: { tray: -1, letter: '', place: '' } }) }, `${title} `, h('span', { class: 'count' }, `${placed[index].size}/${total}`)))),
    h('div', { class: 'tray', role: 'group', 'aria-label': tray.title }, ...tray.pieces.map((piece) => {
      const rest = left(piece, placed[active]);
      const isHeld = held.tray === active && held.letter === piece.letter;
      return h('button', {
        type: 'button', 'data-piece': piece.letter, 'aria-pressed': String(isHeld), 'aria-disabled': String(rest <= 0),
        onclick: () => rest > 0 && recording.send('set', { tray: active, held: { tray: active, letter: isHeld ? '' : piece.letter, place: '' }, said: '' }),
      }, s('svg', { class: sceneClass(position.scene), viewBox: '0 0 1000 1000', 'aria-hidden': 'true' }, ...drawing({ view: [0, 0, 1000, 1000], items: piece.items })), h('span', { class: 'name' }, piece.name), h('span', { class: 'count' }, `${rest} `, h('span', { class: 'hidden' }, 'left')));
    })),
    h('div', { class: 'row' },
      lacks.length === 0 && h('button', { type: 'button', class: 'primary', id: 'enter-laid', onclick: () => recording.act(placedText(all, placed)) }, 'Enter this set-up'),
      h('button', { type: 'button', id: 'unlay', 'aria-disabled': String(past.length === 0), onclick: () => recording.send('unlay') }, 'Undo'),
      held.place && h('button', { type: 'button', id: 'take-off', onclick: () => lay(takenOff(placed, active, held.place)) }, `Take ${held.place} off`),
      placed[active].size > 0 && !held.place && h('button', { type: 'button', id: 'clear-tray', onclick: () => lay(takenOff(placed, active)) }, `Clear ${tray.title.toLowerCase()}`),
      isForeign && h('button', { type: 'button', id: 'clear-all', onclick: () => recording.send('lay', '') }, 'Clear')),
    h('p', { class: 'hint', role: 'status', id: 'lacks' }, typed.trim() === '' ? 'Tap a piece, then a place on the board. Tap a piece on the board to move it or to swap it with another.' : lacks.length > 0 ? `Missing: ${lacks.join('; ')}.` : 'Nothing is missing. The rules are checked when it is entered.'));
}

/**
 * The path that is drawn, and the actions that lead along it.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function path(now, recording) {
  const { drawing: { next, path: places, routes }, past } = now;
  const actions = places.length > 0 ? actionsAlong(routes, places) : [];
  const words = places.length > 1 ? `From ${places.join(' to ')}.` : places.length > 0 ? `From ${places[0]}: tap the next place on the board, or stay.` : 'What is typed is no path from here.';
  return h('section', { class: 'drawn', id: 'drawn', 'aria-label': 'The path on the board' },
    h('p', { class: 'hint', role: 'status', id: 'drawn-path' }, words, next.length === 0 && places.length > 1 && ' It cannot go on.'),
    h('div', { class: 'row' },
      ...actions.map((action, index) => h('button', { type: 'button', class: index === 0 ? 'primary' : '', 'data-action': action, onclick: () => recording.act(action) }, `Enter ${action}`)),
      h('button', { type: 'button', id: 'unlay', 'aria-disabled': String(past.length === 0), onclick: () => recording.send('unlay') }, 'Undo')));
}

// Putting an action together on the board: trays of pieces, or a path.

import { h, s } from '../../base/dom.js';
import { drawing, sceneClass } from '../../base/drawing.js';
import { together as words } from '../../words/record-together.js';
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
  return h('section', { class: 'trays', id: 'trays', 'aria-label': words.trays },
    isForeign && h('p', { class: 'bad', id: 'foreign' }, words.foreign),
    h('div', { class: 'tray-names', role: 'group', 'aria-label': words.trayNames },
      ...all.map(({ title, total }, index) => h('button', { type: 'button', 'aria-pressed': String(index === active), 'data-tray': String(index), onclick: () => recording.send('set', { tray: index, held: { tray: -1, letter: '', place: '' } }) }, `${title} `, h('span', { class: 'count' }, `${placed[index].size}/${total}`)))),
    h('div', { class: 'tray', role: 'group', 'aria-label': tray.title }, ...tray.pieces.map((piece) => {
      const rest = left(piece, placed[active]);
      const isHeld = held.tray === active && held.letter === piece.letter;
      return h('button', {
        type: 'button', 'data-piece': piece.letter, 'aria-pressed': String(isHeld), 'aria-disabled': String(rest <= 0),
        onclick: () => rest > 0 && recording.send('set', { tray: active, held: { tray: active, letter: isHeld ? '' : piece.letter, place: '' }, said: '' }),
      }, s('svg', { class: sceneClass(position.scene), viewBox: '0 0 1000 1000', 'aria-hidden': 'true' }, ...drawing({ view: [0, 0, 1000, 1000], items: piece.items })), h('span', { class: 'name' }, piece.name), h('span', { class: 'count' }, `${rest} `, h('span', { class: 'hidden' }, words.left)));
    })),
    h('div', { class: 'row' },
      lacks.length === 0 && h('button', { type: 'button', class: 'primary', id: 'enter-laid', onclick: () => recording.act(placedText(all, placed)) }, words.enterLaid),
      h('button', { type: 'button', id: 'unlay', 'aria-disabled': String(past.length === 0), onclick: () => recording.send('unlay') }, words.undo),
      held.place && h('button', { type: 'button', id: 'take-off', onclick: () => lay(takenOff(placed, active, held.place)) }, words.takeOff(held.place)),
      placed[active].size > 0 && !held.place && h('button', { type: 'button', id: 'clear-tray', onclick: () => lay(takenOff(placed, active)) }, words.clearTray(tray.title)),
      isForeign && h('button', { type: 'button', id: 'clear-all', onclick: () => recording.send('lay', '') }, words.clear)),
    h('p', { class: 'hint', role: 'status', id: 'lacks' }, typed.trim() === '' ? words.howTo : lacks.length > 0 ? words.missing(lacks) : words.nothingMissing));
}

/**
 * The path that is drawn, and the actions that lead along it.
 * @param {import('../derive.js').Now} now
 * @param {import('../recording.js').Recording} recording
 */
export function path(now, recording) {
  const { drawing: { next, path: places, routes }, past } = now;
  const actions = places.length > 0 ? actionsAlong(routes, places) : [];
  const drawn = places.length > 1 ? (next.length > 0 ? words.path : words.pathEnds)(places) : places.length > 0 ? words.pathStarts(places[0]) : words.noPath;
  return h('section', { class: 'drawn', id: 'drawn', 'aria-label': words.drawn },
    h('p', { class: 'hint', role: 'status', id: 'drawn-path' }, drawn),
    h('div', { class: 'row' },
      ...actions.map((action, index) => h('button', { type: 'button', class: index === 0 ? 'primary' : '', 'data-action': action, onclick: () => recording.act(action) }, words.enter(action))),
      h('button', { type: 'button', id: 'unlay', 'aria-disabled': String(past.length === 0), onclick: () => recording.send('unlay') }, words.undo)));
}

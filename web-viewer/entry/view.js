// The panels in which an action is put together: trays of pieces, a path, dice by their faces.

import { common } from '../words/common.js';
import { playing as words } from '../words/playing.js';
import { chip, h, s } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { enteredRoll } from '../model/dice.js';
import { actorName } from '../model/format.js';
import { term } from '../model/terms.js';
import { spoken } from '../model/spoken.js';
import { NOTHING_HELD, left, missing, placedText, takenOff } from './placing.js';
import { actionsAlong } from './routes.js';

/**
 * What the panels do. `lay` makes a text what is put together, `unlay` undoes the last tap, `hold` takes a piece of a tray.
 * @typedef {{lay: (text: string) => void, unlay: () => void, hold: (tray: number, held: import('./placing.js').Held) => void,
 *   face: (die: string, value: number) => void, choose: (die: string) => void, enter: (action: string) => void}} Entering
 */

/**
 * The trays of a set-up, what is left in them, and what is missing.
 * @param {{laying: any, past: string[], scene: import('../model/scene.js').Scene, typed: string}} now `past`: what was typed before each tap
 * @param {Entering} entering
 */
export function trays({ laying, past, scene, typed }, entering) {
  const { active, held, isForeign, placed, trays: all } = laying;
  const tray = all[active];
  const lacks = missing(all, placed);
  const lay = (next) => entering.lay(placedText(all, next));
  return h('section', { class: 'trays', id: 'trays', 'aria-label': words.trays },
    isForeign && h('p', { class: 'bad', id: 'foreign' }, words.foreign),
    h('div', { class: 'tray-names', role: 'group', 'aria-label': words.trayNames },
      ...all.map(({ title, total }, index) => h('button', { type: 'button', 'aria-pressed': String(index === active), 'data-tray': String(index), onclick: () => entering.hold(index, NOTHING_HELD) }, `${term(title)} `, h('span', { class: 'count' }, `${placed[index].size}/${total}`)))),
    h('div', { class: 'tray', role: 'group', 'aria-label': term(tray.title) }, ...tray.pieces.map((piece) => {
      const rest = left(piece, placed[active]);
      const isHeld = held.tray === active && held.letter === piece.letter;
      return h('button', {
        type: 'button', 'data-piece': piece.letter, 'aria-pressed': String(isHeld), 'aria-disabled': String(rest <= 0),
        onclick: () => rest > 0 && entering.hold(active, { tray: active, letter: isHeld ? '' : piece.letter, place: '' }),
      }, s('svg', { class: sceneClass(scene), viewBox: '0 0 1000 1000', 'aria-hidden': 'true' }, ...drawing({ view: [0, 0, 1000, 1000], items: piece.items })), h('span', { class: 'name' }, term(piece.name)), h('span', { class: 'count' }, `${rest} `, h('span', { class: 'hidden' }, words.togetherLeft)));
    })),
    h('div', { class: 'row' },
      lacks.length === 0 && h('button', { type: 'button', class: 'primary', id: 'enter-laid', onclick: () => entering.enter(placedText(all, placed)) }, words.enterLaid),
      undo(past, entering),
      held.place && h('button', { type: 'button', id: 'take-off', onclick: () => lay(takenOff(placed, active, held.place)) }, words.takeOff(held.place)),
      placed[active].size > 0 && !held.place && h('button', { type: 'button', id: 'clear-tray', onclick: () => lay(takenOff(placed, active)) }, words.clearTray(term(tray.title))),
      isForeign && h('button', { type: 'button', id: 'clear-all', onclick: () => entering.lay('') }, words.clear)),
    h('p', { class: 'hint', role: 'status', id: 'lacks' }, typed.trim() === '' ? words.howTo : lacks.length > 0 ? words.missing(lacks) : words.nothingMissing));
}

function undo(past, entering) {
  return h('button', { type: 'button', id: 'unlay', 'aria-disabled': String(past.length === 0), onclick: () => entering.unlay() }, common.undo);
}

/**
 * The path that is drawn, and the actions that lead along it.
 * @param {{drawing: any, past: string[]}} now
 * @param {Entering} entering
 */
export function path({ drawing: { next, path: places, routes }, past }, entering) {
  const actions = places.length > 0 ? actionsAlong(routes, places) : [];
  const drawn = places.length > 1 ? (next.length > 0 ? words.path : words.pathEnds)(places) : places.length > 0 ? words.pathStarts(places[0]) : next.length > 0 ? words.chooseStart : words.noPath;
  return h('section', { class: 'drawn', id: 'drawn', 'aria-label': words.drawn },
    h('p', { class: 'hint', role: 'status', id: 'drawn-path' }, drawn),
    h('div', { class: 'row' },
      ...actions.map((action, index) => h('button', { type: 'button', class: index === 0 ? 'primary' : '', 'data-action': action, onclick: () => entering.enter(action) }, words.enter(spoken(action)))),
      undo(past, entering)));
}

/**
 * The dice, and the faces of one of them, to be tapped as they lie on the table. The next one follows by itself.
 * @param {{hands: {seat: number, dice: number[]}[], faces: Record<string, number>, die: string, seats: import('../model/format.js').Seat[]}} now
 *   die: the one that was chosen, if any
 * @param {Entering} entering
 */
export function dice({ die, faces, hands, seats }, entering) {
  const roll = enteredRoll(hands, faces);
  const all = hands.flatMap(({ seat, dice: kinds }) => kinds.map((sides, index) => ({ key: `${seat}:${index}`, seat, sides, name: actorName(seat ? `seat:${seat}` : 'chance', seats) })));
  const shown = all.find(({ key }) => key === die) ?? all.find(({ key }) => !faces[key]) ?? all[all.length - 1];
  return h('section', { class: 'dice', id: 'dice', 'aria-label': words.tapDice },
    h('div', { class: 'row' },
      ...all.map(({ key, name, seat, sides }) => h('button', { type: 'button', 'aria-pressed': String(key === shown.key), 'data-thrown': key, onclick: () => entering.choose(key) }, chip(seat), h('span', { class: 'hidden' }, words.die(name, sides)), String(faces[key] ?? '–'))),
      h('button', { type: 'button', id: 'enter-dice', class: roll ? 'primary' : '', 'aria-disabled': String(!roll), onclick: () => roll && entering.enter(roll) }, words.enterDice)),
    h('p', { class: 'hint', id: 'die' }, words.die(shown.name, shown.sides)),
    h('div', { class: 'faces', role: 'group', 'aria-labelledby': 'die' }, ...Array.from({ length: shown.sides }, (_, at) => h('button', { type: 'button', 'aria-pressed': String(faces[shown.key] === at + 1), 'data-die': shown.key, 'data-face': String(at + 1), onclick: () => entering.face(shown.key, at + 1) }, String(at + 1)))));
}

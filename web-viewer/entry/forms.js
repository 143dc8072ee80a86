// An action that is put together on the board, from trays or along a path (`form` of a position). What is on the board is
// always the text of the action, complete or not.

import { playing as words } from '../words/playing.js';
import { middles } from '../model/play.js';
import { NOTHING_HELD, nextTray, openTo, placedBy, placedText, tapPlace } from './placing.js';
import { nextPlaces, pathOf, tapStep } from './routes.js';

/**
 * What is put together so far. `laying.isForeign`: what is typed says something that trays cannot show.
 * @typedef {ReturnType<typeof formed>} Formed
 */

/**
 * @param {{trays?: import('./placing.js').Tray[], routes?: import('./routes.js').Route[]} | null | undefined} form
 * @param {{typed: string, tray: number, held: import('./placing.js').Held}} entry `tray`: the one that was chosen, if any
 */
export function formed(form, entry) {
  return { laying: form?.trays ? layingOf(form.trays, entry) : null, drawing: form?.routes ? drawingOf(form.routes, entry) : null };
}

function layingOf(trays, { held, tray, typed }) {
  const placed = placedBy(trays, typed);
  const shown = placed ?? trays.map(() => new Map());
  return { trays, placed: shown, active: trays[tray] ? tray : nextTray(trays, shown), held, open: openTo(trays, shown, held), isForeign: !placed };
}

function drawingOf(routes, { held, typed }) {
  const path = pathOf(routes, typed, held.place);
  return { start: held.place, routes, path: path ?? [], next: path ? nextPlaces(routes, path) : [] };
}

/**
 * Circles where the next tap may go, and around what is held or drawn so far; null where nothing is put together.
 * @param {import('../model/scene.js').Scene} scene
 * @param {Formed} formed
 * @returns {{at: [number, number], r: number, kind: 'picked'|'offered'}[] | null}
 */
export function formMarks(scene, { laying, drawing }) {
  if (!laying && !drawing) return null;
  const at = middles(scene);
  const mark = (kind, share) => (place) => (at.has(place) ? [{ at: at.get(place).at, r: Math.round(at.get(place).room * share), kind }] : []);
  const [picked, offered] = laying ? [[laying.held.place].filter(Boolean), laying.open] : [drawing.path.slice(-1), drawing.next];
  return [...picked.flatMap(mark('picked', 0.8)), ...offered.flatMap(mark('offered', 0.32))];
}

/**
 * What a tap on the board makes of the text, and of what is held.
 * @param {Formed} formed
 * @param {string} typed
 * @param {string[]} places those tapped, topmost first
 * @returns {{text: string, held: import('./placing.js').Held, none?: string}} none: why nothing happened
 */
export function tapped({ laying, drawing }, typed, places) {
  if (laying) {
    const { active, held, placed, trays } = laying;
    const next = tapPlace(trays, placed, active, held, places);
    return { text: placedText(trays, next.placed), held: next.held, none: next.none };
  }
  const { text, start, none } = tapStep(drawing.routes, typed, places, drawing.start);
  return { text, held: { ...NOTHING_HELD, place: start }, none: none && (drawing.path.length > 0 ? words.noStep(none) : words.noStart(none)) };
}

// Choosing an action: by clicking its places on the board, by typing, or from a list.

import { playing as words } from '../words/playing.js';
import { english } from './english.js';
import { term } from './terms.js';

/** The most actions that are offered at once. */
export const OFFERED_MAX = 60;

/**
 * Whether an action's text names a place: as a word of its own, after a letter for a piece or beside other
 * places in a group, but never as part of a longer number.
 * @param {string} action
 * @param {string} place
 */
export function mentions(action, place) {
  return isNumber(place) ? numbers(action).includes(place) : at(action, place, 0) >= 0;
}

function at(action, place, from) {
  for (let index = action.indexOf(place, from); index >= 0; index = action.indexOf(place, index + 1)) {
    const [before, after] = [action[index - 1] ?? '', action[index + place.length] ?? ''];
    const isWithin = /[a-z0-9.]/.test(before) || /[0-9]/.test(after);
    if (!isWithin) return index;
  }
  return -1;
}

function isNumber(place) {
  return /^\d+$/.test(place);
}

/** The numbers of an action that are separate words. */
function numbers(action) {
  return action.match(/(?<![A-Za-z0-9.])\d+(?![A-Za-z0-9])/g) ?? [];
}

/** Whether numeric places are the first numbers of an action, in order: a later number may be an amount. */
function beginsWith(action, places) {
  const wanted = places.filter(isNumber);
  if (wanted.length === 0) return true;
  const found = numbers(action);
  return wanted.every((place, index) => found[index] === place);
}

/** Whether an action names the places in this order. */
function inOrder(action, places) {
  let from = 0;
  return places.every((place) => {
    const index = at(action, place, from);
    from = index + place.length;
    return index >= 0;
  });
}

/**
 * The actions that name all of these places; if some name them in this order, only those.
 * @param {string[]} actions
 * @param {string[]} places
 */
export function naming(actions, places) {
  const all = actions.filter((action) => beginsWith(action, places) && places.every((place) => mentions(action, place)));
  const ordered = all.filter((action) => inOrder(action, places));
  return ordered.length ? ordered : all;
}

/**
 * The places selected after a click on the board.
 * @param {string[]} actions that are legal
 * @param {string[]} picked
 * @param {string[]} clicked the place under the pointer, then what contains it; the first one that an action names counts
 * @returns {{picked: string[], play?: string, none?: string}} play: the only action left after a second click;
 *   none: the place that no action names
 */
export function click(actions, picked, clicked) {
  const again = clicked.find((place) => picked.includes(place));
  if (again) {
    const left = naming(actions, picked);
    return left.length === 1 ? { picked: [], play: left[0] } : { picked: picked.filter((place) => place !== again) };
  }
  const further = clicked.find((place) => picked.length > 0 && naming(actions, [...picked, place]).length > 0);
  if (further) {
    const left = naming(actions, [...picked, further]);
    return left.length === 1 ? { picked: [], play: left[0] } : { picked: [...picked, further] };
  }
  const first = clicked.find((place) => naming(actions, [place]).length > 0);
  return first ? { picked: [first] } : { picked: [], none: clicked[0] };
}

/**
 * The actions that match what was clicked and typed, best first: those that begin with the text, then those that contain it.
 * @param {string[]} actions
 * @param {string[]} picked
 * @param {string} typed
 */
export function fitting(actions, picked, typed) {
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fit = naming(actions, picked).filter((action) => parts.every((word) => action.toLowerCase().includes(word)));
  const rank = (action) => (action === typed.trim() ? 0 : action.toLowerCase().startsWith(parts[0] ?? '') ? 1 : 2);
  return fit.map((action, index) => ({ action, index })).sort((a, b) => rank(a.action) - rank(b.action) || a.index - b.index)
    .map(({ action }) => action);
}

/**
 * The action as written in lists of actions: the actor, then the action.
 * @param {string} by `seat:N` or `chance`
 * @param {string} action
 */
export function written(by, action) {
  return `${by.replace(/^seat:/, '')}:${action}`;
}

/** The actions on a path up to a ply, as written in lists of actions. */
export function actionsTo(path, ply) {
  return path.slice(1, ply + 1).map((node) => written(node.by ?? '', node.action ?? ''));
}

/**
 * The centres of a scene's places, with the space available around each.
 * @param {import('./scene.js').Scene} scene
 * @returns {Map<string, {at: [number, number], room: number}>}
 */
export function middles(scene) {
  const found = new Map();
  for (const item of scene.items) {
    if (!item.place || found.has(item.place) || item.shape === 'TEXT') continue;
    const points = item.points ?? [item.at];
    const at = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
    const reach = Math.min(...points.map((point) => Math.hypot(point[0] - at[0], point[1] - at[1])));
    found.set(item.place, { at: /** @type {[number, number]} */ (at), room: item.r ?? reach });
  }
  return found;
}

/**
 * Circles around places where something is different.
 * @param {import('./scene.js').Scene} scene
 * @param {string[]} places
 * @returns {{at: [number, number], r: number, kind: 'changed'}[]}
 */
export function rings(scene, places) {
  const found = middles(scene);
  return places.filter((place) => found.has(place)).map((place) => {
    const { at, room } = /** @type {{at: [number, number], room: number}} */ (found.get(place));
    return { at, r: Math.round(room * 0.9), kind: 'changed' };
  });
}

/**
 * Circles over the picked places and over those that a further click can name.
 * @param {import('./scene.js').Scene} scene
 * @param {string[]} actions that are legal
 * @param {string[]} picked nothing is marked before the first click
 * @returns {{at: [number, number], r: number, kind: 'picked'|'offered'}[]}
 */
export function marks(scene, actions, picked) {
  if (picked.length === 0) return [];
  const left = naming(actions, picked);
  const found = [];
  for (const [place, { at, room }] of middles(scene)) {
    if (picked.includes(place)) found.push({ at, r: Math.round(room * 0.8), kind: 'picked' });
    else if (naming(left, [...picked, place]).length > 0) {
      found.push({ at, r: Math.round(room * 0.32), kind: 'offered' });
    }
  }
  return /** @type {any} */ (found);
}

/**
 * What is awaited where actions cannot be listed, by actor.
 * @param {{seat: number | null, kind: string, description: string, dice: {seat: number, dice: string[]}[]}[]} prompts
 * @returns {Record<string, {kind: string, description: string, dice: Record<string, string[]>}>}
 */
export function promptsByActor(prompts) {
  return Object.fromEntries(prompts.map(({ seat, dice, ...prompt }) => (
    [seat ? `seat:${seat}` : 'chance', { ...prompt, dice: Object.fromEntries(dice.map((hand) => [hand.seat, hand.dice])) }])));
}

/**
 * What is awaited if actions cannot be listed, for people.
 * @param {{description: string, dice: Record<string, string[]>} | null | undefined} prompt of one actor
 */
export function promptWords(prompt) {
  const dice = Object.entries(prompt?.dice ?? {}).map(([seat, kinds]) => words.diceOf(seat, kinds));
  return dice.length > 0 ? words.dice(dice) : term(prompt?.description ?? '');
}

/**
 * Why an action was refused, for people; see `marked` in base/dom.js.
 * @param {any} why
 * @returns {string}
 */
export function refusalWords(why) {
  const said = String(why?.details?.why ?? why?.message ?? why).replace(/[.!]?$/, '.');
  const told = english(said);
  switch (why?.code) {
    case 'ILLEGAL_ACTION': return why.details?.action ? words.illegal(why.details.action, told) : words.thisIllegal(told);
    case 'HIDDEN': return words.hidden;
    case 'LOG_CONFLICT': return words.conflict;
    case 'FORBIDDEN': return words.forbidden(told);
    case 'UNAUTHENTICATED': return words.unauthenticated;
    case 'OFFLINE': return words.offline;
    case 'RATE_LIMITED': return words.rateLimited;
    default: return (why?.details?.code ? english : String)(`${said.charAt(0).toUpperCase()}${said.slice(1)}`);
  }
}

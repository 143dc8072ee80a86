// What the engine thinks of a game: of the actions that were played, and on the board.

import { replay as words } from '../words/replay.js';
import { seatOf } from './format.js';
import { middles } from './play.js';
import { shortened } from './spoken.js';

/**
 * A position as the engine sees it: chances by seat, 0 to 1; what the action played from here lost, and its glyph; what the roll
 * made from here changed for each seat.
 * @typedef {{ply: number, chances: number[], draw: number, best: string | null, line: string[], lossOfPlayed: number | null,
 *   luck: number[] | null, glyph: string | null}} Evaluation
 * @typedef {{engine: string, playouts: number, head: string, stale: boolean, done: number, total: number,
 *   state: 'QUEUED'|'RUNNING'|'DONE'|'CANCELLED', plies?: Evaluation[], accuracy?: (number | null)[], turningPoints?: number[]}} Analysis
 * Any position as the engine sees it. `seat`: whose actions these are, best first, each with the chances after it; null where nobody
 * chooses.
 * @typedef {{chances: number[], draw: number, seat: number | null, best: string | null, line: string[], playouts: number, engine: string,
 *   proof: {winner: number | null, plies: number} | null, actions: {action: string, chances: number[], draw: number}[]}} Evaluated
 */

/** @param {number} share 0 to 1 */
export function percentWords(share) {
  if (share > 0 && share < 0.005) return words.underOne;
  if (share < 1 && share > 0.995) return words.over99;
  return words.percent(Math.round(share * 100));
}

/**
 * What the engine thinks of the action that was played; empty if nothing is to be said.
 * @param {Evaluation} evaluation the position that it was played from
 * @param {{by: string, action: string}} move
 */
export function playedWords({ glyph, lossOfPlayed, luck, best }, { by, action: text }) {
  const action = shortened(text);
  if (by === 'chance') return luckWords(luck);
  const word = words.glyphs[glyph ?? ''] ?? (text === best ? words.theBest : '');
  if (!lossOfPlayed) return word && words.played(action, word);
  const lost = percentWords(lossOfPlayed);
  return word ? words.playedLost(action, word, lost) : words.lost(action, lost);
}

function luckWords(luck) {
  const most = luck ? luck.indexOf(Math.max(...luck)) : -1;
  return luck && luck[most] >= 0.005 ? words.luck(most + 1, percentWords(luck[most])) : '';
}

/**
 * The plies that led somewhere else: actions with a glyph, and turning points.
 * @param {Analysis | null | undefined} analysis
 * @param {{by: string, action: string}[]} moves
 * @returns {{ply: number, by: number, kind: 'mistake'|'turn', isTurn: boolean, glyph: string, text: string}[]} by the ply that was played; `by` is
 *   0 for chance
 */
export function moments(analysis, moves) {
  const turns = new Set(analysis?.turningPoints ?? []);
  return (analysis?.plies ?? []).flatMap((evaluation) => {
    const move = moves[evaluation.ply];
    if (!move || !(evaluation.glyph || turns.has(evaluation.ply))) return [];
    const [isTurn, glyph] = [turns.has(evaluation.ply), evaluation.glyph ?? ''];
    const text = [playedWords(evaluation, move) || `${shortened(move.action)}.`, isTurn && words.turningPoint].filter(Boolean).join(' ');
    return [{ ply: evaluation.ply + 1, by: seatOf(move.by), kind: /** @type {'mistake'|'turn'} */ (glyph.startsWith('?') ? 'mistake' : 'turn'), isTurn, glyph, text }];
  });
}

/**
 * The places that an action names, in the order of its text, as points of a scene: an arrow through them, or one place.
 * @param {import('./scene.js').Scene} scene
 * @param {string | null | undefined} action
 * @returns {{points: [number, number][], r: number} | null} null if the scene knows none of them
 */
export function arrow(scene, action) {
  if (!action) return null;
  const at = middles(scene);
  const named = placesIn(action, [...at.keys()]);
  if (named.length === 0) return null;
  return {
    points: named.map((place) => /** @type {[number, number]} */ (at.get(place).at.map(Math.round))),
    r: Math.round(Math.min(...named.map((place) => at.get(place).room)) * 0.85),
  };
}

/**
 * The places that an action names, in the order of its text.
 * @param {import('./scene.js').Scene} scene
 * @param {string} action
 * @returns {string[]}
 */
export function placesOf(scene, action) {
  return placesIn(action, [...middles(scene).keys()]);
}

/** The places that a text names, in its order: as words, or after another place and one more letter, as in `e5xe4`. */
function placesIn(text, places) {
  const longest = [...places].sort((one, other) => other.length - one.length);
  const found = [];
  let end = -2;
  for (let index = 0; index < text.length; index += 1) {
    const isWord = !/[a-z0-9.]/i.test(text[index - 1] ?? '') || index === end + 1;
    const place = isWord && longest.find((name) => text.startsWith(name, index) && !(/[0-9]$/.test(name) ? /[0-9]/ : /[a-z0-9]/i).test(text[index + name.length] ?? ''));
    if (!place) continue;
    found.push(place);
    end = index + place.length;
    index = end - 1;
  }
  return found;
}

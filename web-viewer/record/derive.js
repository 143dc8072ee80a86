// Everything that follows from the state of the recorder's page.

import { handsOf, queueName } from '../model/entries.js';
import { seatOf } from '../model/format.js';
import { fitting, marks, mentions, middles, promptsByActor } from '../model/play.js';
import { signingProblem } from '../model/signing.js';
import { nextTray, openTo, placedBy } from './placing.js';
import { nextPlaces, pathOf } from './routes.js';

/** @typedef {ReturnType<typeof derive>} Now */

/** @type {string[]} */
const NONE = [];

/**
 * @param {import('./update.js').State} state
 */
export function derive(state) {
  const { about, by, game, hand, legal, me, mine, picked, publicKey, queue, seen, typed } = state;
  const isRunning = game?.status === 'RUNNING';
  const isSecret = Boolean(about?.hasSecrets && isRunning);
  const ownSeat = me?.role === 'player' ? seatIn(me, game) : 0;
  const mayRecord = Boolean(me) && !['spectator', 'player'].includes(me.role);
  const isArbiter = ['organiser', 'arbiter', 'admin'].includes(me?.role);
  const foreseen = foreseenOf(state);
  const position = hand?.stage === 'open' && hand.position ? hand.position : foreseen ?? game?.position;
  const toAct = position?.toAct ?? [];
  // Whoever has submitted already, even if it is not recorded yet, is not asked again.
  const submitted = queue.entries.filter(({ isSecret: its, state: at }) => its && at === 'waiting').map(({ seat }) => seat);
  const actors = toAct.filter((actor) => (mayRecord || actor === 'chance' || seatOf(actor) === ownSeat) && !submitted.includes(seatOf(actor) || -1));
  const actor = hand ? `seat:${hand.seat}` : actors.includes(by) ? by : actors[0] ?? '';
  const isWaiting = queue.entries.length > 0;
  // Unless the rules are here, nobody knows what is legal after what waits, and the board does not show it.
  const isGuess = isWaiting && !hand && !foreseen;
  // Whoever sees this screen must not see what one seat knows.
  const isHidden = isSecret && mayRecord && Boolean(seatOf(actor)) && !hand;
  const of = `${game?.head.seq} ${actor}`;
  const known = foreseen ? foreseen.legal[actor]?.actions : hand ? position?.legalActions : toAct.length < 2 ? position?.legalActions : legal.of === of ? legal.actions : null;
  const actions = (isGuess ? seen : known) ?? NONE;
  const prompts = promptsByActor(position?.prompts ?? []);
  const prompt = foreseen ? foreseen.legal[actor]?.prompt ?? null : (hand || toAct.length < 2 ? prompts : legal.of === of ? { [actor]: legal.prompt } : null)?.[actor] ?? prompts[actor] ?? null;
  const last = game?.moves.nodes.at(-1);
  const form = isGuess || isHidden || foreseen ? null : formOf(state, { actor, of, position, toAct });
  const laying = form?.trays.length ? layingOf(form.trays, state) : null;
  const drawing = form?.routes.length ? drawingOf(form.routes, typed) : null;
  return {
    ...state, /** the ply that the board shows, or as far as it is known */ ply: position?.ply ?? 0, /** whether the board shows what waits, as the rules have it */ isForeseen: Boolean(foreseen), isRunning, isSecret, ownSeat, mayRecord, position, toAct, actors, actor, seat: isGuess && !isSecret ? 0 : seatOf(actor), isWaiting, isHidden, of, actions, prompt, isGuess,
    isListed: known != null,
    needsLegal: isRunning && !hand && !foreseen && !isHidden && toAct.length > 1 && Boolean(seatOf(actor)) && legal.of !== of,
    hands: actor === 'chance' && !isGuess ? handsOf(prompt) : [],
    /** what is put together from trays, or drawn as a path */ laying, drawing,
    fitting: fitting(actions, picked, typed),
    /** actions that name no place, so that they are not found by tapping the board */ loose: position ? loose(actions, position.scene) : [],
    marks: position ? shownMarks(position.scene, marks(position.scene, actions, picked), laying, drawing) : [],
    mayUndo: isRunning && mayRecord && !isWaiting && !about?.hasSecrets && game.ply > 0 && (isArbiter || Boolean(mine[last?.seq] && last.seq === game.head.seq)),
    /** the key of the last action, if it was recorded here */ undoes: mine[last?.seq] ?? '',
    isOver: Boolean(game) && !isRunning,
    /** why nothing can be recorded from this device; see `signingProblem` */ unsigned: about ? signingProblem(about.signatures, me, publicKey) : '',
    isStuck: ['refused', 'overtaken'].includes(queue.entries[0]?.state ?? ''),
  };
}

/** What the rules say of what waits; null if they do not say it of all of it. */
function foreseenOf({ foreseen, game, hand, queue }) {
  return !hand && queue.entries.length > 0 && foreseen.of === queueName(queue, game) ? foreseen.position : null;
}

/** How the actions of the actor are put together on the board. While that is asked again, trays stay as they were. */
function formOf({ hand, legal }, { actor, of, position, toAct }) {
  if (hand) return position?.form ?? null;
  if (toAct.length < 2) return position?.form ?? null;
  return legal.of === of || (legal.of.endsWith(` ${actor}`) && legal.form?.trays.length) ? legal.form : null;
}

function layingOf(trays, { held, tray, typed }) {
  const placed = placedBy(trays, typed);
  const shown = placed ?? trays.map(() => new Map());
  return { trays, placed: shown, active: trays[tray] ? tray : nextTray(trays, shown), held, open: openTo(trays, shown, held), /** what is typed says something else */ isForeign: !placed };
}

function drawingOf(routes, typed) {
  const path = pathOf(routes, typed);
  return { routes, path: path ?? [], next: path ? nextPlaces(routes, path) : [] };
}

/** Where the next tap may go, and what is held or drawn so far. */
function shownMarks(scene, plain, laying, drawing) {
  if (!laying && !drawing) return plain;
  const at = middles(scene);
  const mark = (kind, share) => (place) => (at.has(place) ? [{ at: at.get(place).at, r: Math.round(at.get(place).room * share), kind }] : []);
  if (laying) return [...[laying.held.place].filter(Boolean).flatMap(mark('picked', 0.8)), ...laying.open.flatMap(mark('offered', 0.32))];
  return [...drawing.path.slice(-1).flatMap(mark('picked', 0.8)), ...drawing.next.flatMap(mark('offered', 0.32))];
}

/** @type {WeakMap<string[], {scene: any, found: string[]}>} */
const LOOSE = new WeakMap();

function loose(actions, scene) {
  const known = LOOSE.get(actions);
  if (known?.scene === scene) return known.found;
  const places = [...middles(scene).keys()];
  const found = actions.filter((action) => !places.some((place) => mentions(action, place)));
  LOOSE.set(actions, { scene, found });
  return found;
}

/** The seat of a player's token. */
function seatIn(me, game) {
  return me.seat ?? game?.seats.find(({ player }) => player && player.id === me.player?.id)?.number ?? 0;
}

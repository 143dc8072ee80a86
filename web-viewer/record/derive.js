// Everything that follows from the state of the recorder's page.

import { formMarks, formed } from '../entry/forms.js';
import { handsOf } from '../model/dice.js';
import { queueName } from '../model/entries.js';
import { seatOf } from '../model/format.js';
import { fitting, marks, mentions, middles, promptsByActor } from '../model/play.js';
import { signingProblem } from '../model/signing.js';

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
  const endedByRules = game?.outcome?.decidedBy === 'RULES';
  const position = hand?.stage === 'open' && hand.position ? hand.position : foreseen ?? game?.position;
  const toAct = position?.toAct ?? [];
  // A seat that has submitted already, even if it is not recorded yet, is not asked again.
  const submitted = queue.entries.filter(({ isSecret: its, state: at }) => its && at === 'waiting').map(({ seat }) => seat);
  const actors = toAct.filter((actor) => (mayRecord || actor === 'chance' || seatOf(actor) === ownSeat) && !submitted.includes(seatOf(actor) || -1));
  // What is shown here is seen by everybody at the table.
  const isShared = isSecret && mayRecord;
  const actor = hand ? `seat:${hand.seat}` : actors.includes(by) ? by : actors[0] ?? '';
  const isWaiting = queue.entries.length > 0;
  // Unless the rules are here, nobody knows what is legal after what waits, and the board does not show it.
  const isGuess = isWaiting && !hand && !foreseen;
  const of = `${game?.head.seq} ${actor}`;
  const known = foreseen ? foreseen.legal[actor]?.actions : hand ? position?.legalActions : toAct.length < 2 ? position?.legalActions : legal.of === of ? legal.actions : null;
  // Nothing but what is sealed needs the screen covered.
  const isHidden = isShared && !hand && Boolean(seatOf(actor)) && !known?.some((action) => !isSealed(about, action));
  const all = (isGuess ? seen : known) ?? NONE;
  const actions = isShared && !hand ? unsealed(about, all) : all;
  const prompts = promptsByActor(position?.prompts ?? []);
  const prompt = foreseen ? foreseen.legal[actor]?.prompt ?? null : (hand || toAct.length < 2 ? prompts : legal.of === of ? { [actor]: legal.prompt } : null)?.[actor] ?? prompts[actor] ?? null;
  const last = game?.moves.nodes.at(-1);
  const form = isGuess || isHidden || foreseen ? null : formOf(state, { actor, of, position, toAct });
  const together = formed(form, state);
  return {
    ...state, /** the ply that the board shows, or as far as it is known */ ply: position?.ply ?? 0, /** whether the board shows what waits, as the rules have it */ isForeseen: Boolean(foreseen), isRunning, isSecret, isShared, ownSeat, mayRecord, position, toAct, actors, actor, seat: isGuess && !isHidden && !(isSecret && toAct.length > 1) ? 0 : seatOf(actor), isWaiting, isHidden, of, actions, prompt, isGuess,
    isListed: known != null,
    needsLegal: isRunning && !hand && !foreseen && toAct.length > 1 && Boolean(seatOf(actor)) && legal.of !== of && !(isShared && (prompts[actor] || isSealed(about, ''))),
    /** the seat that the phone goes to next, if what is awaited from it is secret */ next: hand?.stage === 'done' && about ? seatOf(actors.find((each) => prompts[each] || isSealed(about, '')) ?? '') : 0,
    hands: actor === 'chance' && !isGuess ? handsOf(prompt) : [],
    /** what is put together from trays, or drawn as a path */ ...together,
    fitting: fitting(actions, picked, typed),
    /** actions that name no place, so that they are not found by tapping the board */ loose: position ? loose(actions, position.scene) : [],
    marks: position ? formMarks(position.scene, together) ?? marks(position.scene, actions, picked) : [],
    mayUndo: mayRecord && !isWaiting && game?.ply > 0 && (isArbiter ? isRunning || endedByRules : isRunning && !about?.hasSecrets && Boolean(mine[last?.seq] && last.seq === game.head.seq)),
    /** whether an end that people brought is undone here, so that the game goes on */ mayReopen: isArbiter && !isWaiting && game?.status === 'FINISHED' && !endedByRules,
    isArbiter,
    /** the key of the last action, if it was recorded here */ undoes: mine[last?.seq] ?? '',
    isOver: Boolean(game) && !isRunning,
    /** why nothing can be recorded from this device; see `signingProblem` */ unsigned: about ? signingProblem(about.signatures, me, publicKey) : '',
    isStuck: ['refused', 'overtaken'].includes(queue.entries[0]?.state ?? ''),
  };
}

/** Whether an action of a seat is sealed when it is recorded. */
export function isSealed(about, action) {
  return about.hasSecrets && about.sealed.some((prefix) => action.startsWith(prefix));
}

/** @type {WeakMap<string[], string[]>} */
const UNSEALED = new WeakMap();

/** The actions that everybody may see. */
function unsealed(about, actions) {
  if (!UNSEALED.has(actions)) UNSEALED.set(actions, actions.filter((action) => !isSealed(about, action)));
  return UNSEALED.get(actions) ?? NONE;
}

/** What the rules say of what waits; null if they do not say it of all of it. */
function foreseenOf({ foreseen, game, hand, queue }) {
  return !hand && queue.entries.length > 0 && foreseen.of === queueName(queue, game) ? foreseen.position : null;
}

/** How the actions of the actor are put together on the board. While that is asked again, trays stay as they were. */
function formOf({ hand, legal }, { actor, of, position, toAct }) {
  if (hand) return position?.form ?? null;
  if (toAct.length < 2) return position?.form ?? null;
  return legal.of === of || (legal.of.endsWith(` ${actor}`) && legal.form?.trays) ? legal.form : null;
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

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
  const together = formed(form, state);
  return {
    ...state, /** the ply that the board shows, or as far as it is known */ ply: position?.ply ?? 0, /** whether the board shows what waits, as the rules have it */ isForeseen: Boolean(foreseen), isRunning, isSecret, ownSeat, mayRecord, position, toAct, actors, actor, seat: isGuess && !isSecret ? 0 : seatOf(actor), isWaiting, isHidden, of, actions, prompt, isGuess,
    isListed: known != null,
    needsLegal: isRunning && !hand && !foreseen && !isHidden && toAct.length > 1 && Boolean(seatOf(actor)) && legal.of !== of,
    hands: actor === 'chance' && !isGuess ? handsOf(prompt) : [],
    /** what is put together from trays, or drawn as a path */ ...together,
    fitting: fitting(actions, picked, typed),
    /** actions that name no place, so that they are not found by tapping the board */ loose: position ? loose(actions, position.scene) : [],
    marks: position ? formMarks(position.scene, together) ?? marks(position.scene, actions, picked) : [],
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

// The state of the recorder's page, and every way in which it changes.

import { DEFAULTS } from '../base/settings.js';
import { NOTHING_HELD, letGo } from '../entry/placing.js';
import { EMPTY, added, anew, entryOf, joined, kept, recorded, refused, unechoed, withSigned, without } from '../model/entries.js';
import { clockText } from '../model/format.js';

/** How many actions are remembered that were legal before. */
const SEEN_MAX = 4000;

/** @typedef {ReturnType<typeof first>} State */

/**
 * The state before anything is loaded.
 * @param {{id: string, token?: string, queue?: import('../model/entries.js').Queue, mine?: Record<string, string>,
 *   settings?: import('../base/settings.js').Settings}} given
 *   token: from the link; mine: the keys of what was recorded here, by seq
 */
export function first({ id, token = '', queue = EMPTY, mine = {}, settings = DEFAULTS }) {
  return {
    id,
    token,
    queue,
    mine,
    settings,
    /** @type {any} what the token allows */ me: null,
    /** @type {any} what does not change: kind, title, seats, tournament */ about: null,
    /** the public key of this device; empty if it has none */ publicKey: '',
    /** @type {any} the game as it stands */ game: null,
    /** @type {any} why there is nothing to show */ error: null,
    live: 'connecting',
    isOffline: false,
    isSending: false,
    /** @type {string[]} actions that were legal at some ply, to offer while the present ones are not known */ seen: [],
    ...untouched(),
    /** @type {{of: string, actions: string[] | null, prompt: any, form: any}} what is legal, where several may act */ legal: { of: '', actions: null, prompt: null, form: null },
    /** what the rules say of what waits: after which entries, and the position @type {{of: string, position: import('./foresight.js').Foreseen | null}} */ foreseen: { of: '', position: null },
    /** for whom, where several may act */ by: '',
    /** @type {Hand | null} */ hand: null,
    /** @type {Record<number, string>} what seats have put together in secret and not recorded yet; in this page only */ drafts: {},
    /** what is open below the board */ panel: '',
    /** @type {any[]} */ links: [],
    said: '',
  };
}

/**
 * The phone in the hand of one seat. `covered`: nothing is shown yet; `open`: what this seat may see is shown; `done`:
 * it has acted, and nothing is shown any more. refused: why what it entered was not recorded.
 * @typedef {{seat: number, stage: 'covered'|'open'|'done', position: any, problem: string, refused?: any}} Hand
 */

/** What is chosen for one entry. */
function untouched() {
  return {
    /** @type {string[]} places that were tapped */ picked: [],
    typed: '',
    /** @type {string[]} what was typed before each tap, to undo it */ past: [],
    /** the tray that was chosen, if any */ tray: -1,
    /** @type {import('../entry/placing.js').Held} */ held: NOTHING_HELD,
    clock: '',
    /** @type {Record<string, number>} faces of dice */ faces: {},
    /** the die that was chosen, if any */ die: '',
    /** @type {any} */ refused: null,
  };
}

/**
 * The state after a message.
 * @param {State} state
 * @param {keyof typeof MESSAGES} name
 * @param {...any} values
 * @returns {State}
 */
export function update(state, name, ...values) {
  return { ...state, .../** @type {any} */ (MESSAGES[name])(state, ...values) };
}

/** What each message changes. */
const MESSAGES = {
  set: (_, change) => change,
  known: (_, me, about) => ({ me, about, error: null }),
  /** The game as it stands, unless something newer is shown already. */
  stands: (state, game) => shown(state, game),
  judged: (state, of, legal) => ({ legal: { of, ...legal }, seen: remembered(state.seen, legal.actions) }),
  foreseen: (_, of, position) => ({ foreseen: { of, position } }),
  pick: (_, picked) => ({ picked, refused: null }),
  /** Something was put together on the board: the text of it, and what is held now. */
  lay: ({ typed, past }, text, held = NOTHING_HELD) => (text === typed ? { held, said: '' } : { typed: text, held, past: [...past, typed], picked: [], refused: null, said: '' }),
  unlay: ({ held, past }) => (past.length > 0 ? { typed: past[past.length - 1], past: past.slice(0, -1), held: letGo(held), said: '' } : {}),
  face: ({ faces }, die, value) => ({ faces: { ...faces, [die]: value }, die: '', refused: null }),
  prefer: ({ settings }, change) => ({ settings: { ...settings, ...change } }),
  clear: () => untouched(),
  actFor: (_, by) => ({ by, ...untouched() }),
  /** Something is entered here. */
  enter: ({ drafts, game, queue, hand }, what, key) => ({
    queue: added(queue, entryOf(what, key), game.head.seq), panel: '', said: '', ...untouched(),
    hand: hand && { ...hand, stage: 'done', position: null },
    ...what.isSecret && hand && { drafts: { ...drafts, [hand.seat]: what.action } },
  }),
  /** The service has recorded an entry. */
  recorded(state, key, game) {
    const entry = state.queue.entries.find((each) => each.key === key);
    const seq = game.moves.nodes.find((move) => move.seq > state.queue.after)?.seq;
    const isPly = entry && seq && ['act', 'roll'].includes(entry.type);
    return { ...shown(state, game), isOffline: false, queue: recorded(state.queue, key, game), drafts: entry?.isSecret ? { ...state.drafts, [entry.seat]: '' } : state.drafts, mine: isPly && !entry.isSecret ? { ...state.mine, [seq]: key } : state.mine };
  },
  /** The service has refused an entry. One that was only just made goes back to where it was made. */
  refused(state, key, error) {
    const { hand, isOffline, me, queue } = state;
    const [entry] = queue.entries;
    const isFresh = !isOffline && queue.entries.length === 1 && entry.key === key && entry.type === 'act' && error.code !== 'LOG_CONFLICT';
    // On a seat's own page, nobody else looks.
    const isShared = entry?.isSecret && me?.role !== 'player';
    if (!isFresh || (isShared && !hand)) return { queue: refused(queue, key, error), isOffline: false };
    const back = { queue: without(queue, key), refused: error };
    return isShared ? { ...back, hand: { ...hand, stage: 'covered', refused: error } } : { ...back, typed: entry.action, clock: entry.clock === null ? '' : clockText(entry.clock) };
  },
  /** The user has seen what others recorded, and sends what is left again. */
  anew: ({ game, queue }, newKey) => ({ queue: anew(queue, game.head.seq, newKey) }),
  /** Nothing but comments came after the event that the first entry follows. */
  follows: ({ game, queue }) => ({ queue: { ...withSigned(queue, queue.entries[0].key, null), after: game.head.seq } }),
  /** An entry is signed, or has to be signed again. */
  signed: ({ queue }, key, signed) => ({ queue: withSigned(queue, key, signed) }),
  discard: ({ queue }, key) => ({ queue: without(queue, key) }),
  /** Others have recorded what waits here. */
  echoed: ({ game, queue }) => ({ queue: unechoed(queue, game) }),
  /** Entries of another tab of this browser; secret ones are in this tab only. */
  shared: ({ queue }, open) => ({ queue: joined(open, kept(queue).secret) }),
  /** Secrets that waited when the page was left. */
  restored: ({ queue }, secret) => ({ queue: joined(queue, secret) }),
  handTo: (_, seat) => ({ hand: { seat, stage: 'covered', position: null, problem: '' }, ...untouched() }),
  uncover: ({ drafts, hand }, seat, position, problem = '') => (hand?.seat === seat ? { hand: { ...hand, stage: 'open', position, problem, refused: null }, ...untouched(), typed: drafts[seat] ?? '', refused: hand.refused ?? null } : {}),
  cover: (state) => (state.hand?.stage === 'open' ? { hand: { ...state.hand, stage: 'covered', position: null }, drafts: drafted(state), ...untouched() } : {}),
  /** Nobody else finds what this seat has put together. */
  handBack: ({ drafts, hand }) => ({ hand: null, drafts: hand ? { ...drafts, [hand.seat]: '' } : drafts, ...untouched() }),
};

function shown(state, game) {
  if (state.game && game.head.seq < state.game.head.seq) return {};
  const isOther = game.head.seq !== state.game?.head.seq;
  return { game, seen: remembered(state.seen, game.position.legalActions), ...isOther && !state.hand && !isMeanwhile(state, game) ? untouched() : {} };
}

/** Whether only somebody else has acted, at the same time as an action is put together here. */
function isMeanwhile({ by, game: old }, game) {
  const [before, after] = [old?.position.toAct ?? [], game.position.toAct];
  return before.length > 1 && after.length > 0 && after.every((actor) => before.includes(actor)) && (by ? after.includes(by) : true) && old.ply < game.ply;
}

/** What the holder of the phone has put together so far. */
function drafted({ drafts, hand, typed }) {
  return hand?.stage === 'open' ? { ...drafts, [hand.seat]: typed } : drafts;
}

function remembered(seen, actions) {
  if (!actions?.length) return seen;
  return [...new Set([...actions, ...seen])].slice(0, SEEN_MAX);
}

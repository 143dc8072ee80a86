// The state of the replay page, and every way in which it changes.

import { replay as words } from '../words/replay.js';
import { DEFAULTS } from '../base/settings.js';
import { SHOWN_FIRST, enclosing, folded, needed } from '../model/listing.js';
import { seatGlyphs } from '../model/scene.js';
import { lineThrough, pathOf, treeOf } from '../model/tree.js';
import { beside, entrance, exit } from '../model/walk.js';
import { derive } from './derive.js';

/**
 * What the reader is about to play. `of`: the place and actor that it is for. `entry`: what is put together on the board besides the
 * text, if anything is.
 * @typedef {{isOpen: boolean, by: string, picked: string[], typed: string, entry: import('./view/entering.js').Entry | null, active: number,
 *   isBusy: boolean, error: any, of: string, legal: import('./requests/playing.js').Legal | null}} Act
 */

/** @typedef {ReturnType<typeof first>} State */

/**
 * The state before anything is loaded.
 * @param {{id: string, line?: string, viewer?: string, head?: string, isSignedIn?: boolean, settings?: import('../base/settings.js').Settings, kept?: any}} address
 */
export function first({ id, line = '', viewer = '', head = '', isSignedIn = false, settings = DEFAULTS, kept = {} }) {
  return {
    id,
    viewer,
    /** the hash of an event that the address names; see `headOf` */ head,
    isSignedIn,
    /** @type {any} why nothing can be shown */ error: null,
    /** @type {any} */ game: null,
    /** @type {any} */ rules: null,
    /** @type {any[]} the mainline, as far as loaded */ moves: [],
    movesDone: false,
    /** captures and rolls of the mainline, as far as looked through @type {import('../model/happened.js').Feat[]} */ feats: [],
    /** the head of the log when the moves were asked for */ movesSeq: -1,
    /** @type {any} */ movesError: null,
    /** @type {any[]} of the tree, as loaded */ pages: [],
    treeLoading: false,
    /** @type {any} */ treeError: null,
    live: 'connecting',
    // The record, as this browser verifies it.
    /** @type {import('./requests/record.js').LogEvent[]} the events that were read */ events: [],
    /** @type {import('./requests/record.js').Finding | null} */ finding: null,
    /** @type {any} */ checkError: null,
    /** @type {import('./requests/record.js').Judged | null} what the rules say, once they are asked */ judged: null,
    // What the engine thinks of the game.
    /** @type {import('../model/analysis.js').Analysis | null | undefined} undefined until it is known whether there is one */ analysis: undefined,
    /** @type {any} why none could be made */ analysisError: null,
    isAnalysing: false,
    /** whether positions that are not part of an analysis are evaluated */ isEngineOn: false,
    /** what the engine thinks of one of them @type {{position: any, seat: number | null, answer: import('../model/analysis.js').Evaluated | null, error: any} | null} */ evaluated: null,
    /** the question that the reader is to answer @type {import('../model/lesson.js').Lesson | null} */ lesson: null,
    // Where the reader is.
    ply: 0,
    /** the log that the reader follows: the game, or a line */ line: line || id,
    /** a line that the address names and the tree does not */ missing: '',
    /** the position at a place, once it is loaded */ shown: { place: '', /** @type {any} */ position: undefined, /** @type {any} the one a ply earlier, if known */ before: undefined, /** @type {any} */ error: null },
    /** @type {Map<number, string>} letters that represent seats on this board */ glyphs: new Map(),
    /** the seat whose turns are stepped through, if any */ mine: '',
    /** whether the reader has seen the end of the game, or asked for its result */ hasSeenEnd: false,
    /** plies that arrived while the reader was elsewhere */ fresh: 0,
    playing: false,
    /** the ply that the position is compared with, and that position */ since: { ply: -1, place: '', /** @type {any} */ position: undefined },
    settings,
    /** circles, arrows and notes of the reader, by place @type {Readonly<Record<string, import('../model/own.js').Own>>} */ kept,
    /** events of the lines that were followed, for their comments @type {Map<string, import('./requests/record.js').LogEvent[]>} */ lineEvents: new Map(),
    /** @type {string[]} what else happened in the game just now */ news: [],
    /** the message to announce; a new object announces it again */ said: { text: '' },
    // How the page looks.
    flipped: false,
    tab: 'moves',
    /** @type {Map<string, boolean>} variations that were folded or opened, by their first node */ folds: new Map(),
    /** @type {Map<string, number>} how many variations of a place are listed */ more: new Map(),
    withHidden: false,
    /** @type {Act} */ act: { isOpen: isSignedIn, by: '', picked: [], typed: '', entry: null, active: -1, isBusy: false, error: null, of: '', legal: null },
    // The explorer: which games count, and what was found here and where `opened`, the key of a position, leads.
    /** @type {{player?: string, day?: string, tournament?: string}} */ filter: {},
    opened: '',
    /** @type {any} */ here: undefined,
    /** @type {any} */ there: undefined,
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
  const next = { ...state, .../** @type {any} */ (MESSAGES[name])(derive(state), ...values) };
  if (!next.game) return next;
  // An invalid ply, and choices made elsewhere, must not come back later.
  const { act, last, line, ply } = derive(next);
  const hasSeenEnd = next.hasSeenEnd || next.game.status !== 'FINISHED' || (line === next.id && ply === last);
  return { ...next, act, ply, hasSeenEnd, fresh: line === next.id && ply === last ? 0 : next.fresh };
}

const NOT_COMPARED = Object.freeze({ ply: -1, place: '', position: undefined });

/** The changes that each message makes, given the state and everything derived from it. */
const MESSAGES = {
  set: (_, change) => change,
  say: (_, text, lang = '') => ({ said: { text, lang } }),
  /** What happened in the game besides actions: it is announced, and shown above the board until the reader moves on. */
  news: (_, texts) => ({ said: { text: texts.join(' ') }, news: texts }),

  // Answers of the service.
  /** The game as it stands now; a reader at its end stays at its end. */
  refreshed: ({ id, line, ply, last, playing, fresh, game: old }, game) => {
    const isFollowing = line === id && ply === last && !playing;
    return { game, ply: isFollowing ? game.ply : ply, fresh: isFollowing ? 0 : fresh + Math.max(0, game.ply - old.ply) };
  },
  /** The reloaded tree. Unsaved lines stay; if the line being followed is gone, the reader is put on the mainline. */
  grown: ({ id, line, pages: old, moves }, loaded) => {
    const pages = [...loaded, ...old.filter((page) => page.unsaved)];
    const isThere = line === id || pathOf(treeOf(id, pages, moves), line).length > 0;
    return { pages, treeLoading: false, ...!isThere && { line: id, missing: line } };
  },
  /** One more page of the tree, or what was just played. */
  added: ({ pages }, page) => ({ pages: [...pages, page] }),
  /** A line that was kept in this page only is gone: it is shared now. */
  dropped: ({ pages }, log) => ({ pages: pages.filter(({ unsaved, nodes = [] }) => !unsaved || !nodes.some(({ id }) => id.startsWith(`${log}:`))) }),
  /** Captures and rolls from a ply on; those that were known from there on no longer hold. */
  found: ({ feats }, from, more) => ({ feats: [...feats.filter(({ ply }) => ply < from), ...more] }),
  placed: ({ glyphs }, shown) => {
    const found = glyphs.size === 0 && shown.position ? seatGlyphs(shown.position.scene) : glyphs;
    // If there are no letters, the map must stay the same object: lists are redrawn for a new one.
    return { shown, glyphs: found.size > 0 ? found : glyphs };
  },
  /** What is legal, or why that is not known; ignored once the reader has moved on. */
  judged: ({ act }, of, change) => (act.of === of ? { act: { ...act, ...change } } : {}),

  // Where the reader goes.
  go: (_, ply) => ({ ply }),
  step: ({ ply }, by) => ({ ply: ply + by, playing: false, news: [] }),
  /** To the next ply where somebody else acts, or back to the previous one. */
  turn: (now, by) => ({ ply: turnFrom(now.walk, now.ply, by), playing: false }),
  /** To the next ply of the viewer's seat, or of the seat that acted last. */
  mine: (now, by) => {
    const seat = ownSeat(now);
    for (let at = now.ply + by; at > 0 && at <= now.last; at += by) if (now.walk[at - 1]?.by === seat) return { ply: at, playing: false, mine: seat };
    return { said: { text: by > 0 ? words.noNextTurn : words.noEarlierTurn }, mine: seat };
  },
  /** Compares the position with the one after the last turn of the same seat, or stops doing so. */
  since: (now) => {
    if (now.since.ply >= 0) return { since: NOT_COMPARED };
    const { at, seat } = lastTurn(now);
    if (at > 0) return { since: { ...NOT_COMPARED, ply: at }, mine: seat };
    return { said: { text: words.noEarlierTurn }, mine: seat };
  },
  compared: (_, since) => ({ since }),
  end: ({ last }) => ({ ply: last }),
  /** To the next mark of the slider, or back to the previous one. */
  mark: ({ slips, ply }, by) => {
    const plies = slips.map((mark) => mark.ply).filter((at) => (by > 0 ? at > ply : at < ply));
    if (plies.length > 0) return { ply: by > 0 ? Math.min(...plies) : Math.max(...plies), playing: false };
    return { said: { text: by > 0 ? words.noNextMark : words.noEarlierMark } };
  },
  visit: (now, line, ply) => visited(now, line, ply),
  visitNode: (now, node) => visited(now, lineThrough(node, now.line), node.ply),
  sibling: (now, by) => visitedOr(now, beside(now.tree, now.node, by, now.withHidden), words.noVariation),
  enter: (now) => visitedOr(now, entrance(now.tree, now.path, now.ply, now.withHidden), words.noVariationLeaves),
  leave: (now) => {
    const to = now.line === now.id ? undefined : exit(now.tree, now.line);
    return to ? visited(now, to.log, to.ply) : { said: { text: words.thisIsMainline } };
  },
  toggle: ({ playing, ply, last }) => {
    const from = ply === last ? 0 : ply;
    return playing ? { playing: false } : { playing: true, ply: from };
  },
  tick: ({ position, ply, last, settings: { stops }, slips }) => {
    if (!position) return {};
    const isMarked = stops && slips.some((mark) => mark.ply === ply + 1 && !isFeat(mark));
    return { ply: ply + 1, playing: ply + 1 < last && !isMarked };
  },

  // What the reader chooses to see.
  flip: ({ flipped }) => ({ flipped: !flipped }),
  engine: ({ isEngineOn }) => ({ isEngineOn: !isEngineOn, said: { text: isEngineOn ? words.engineOff : words.engineOn }, ...!isEngineOn && { tab: 'analysis' } }),
  /** What the reader draws or writes at this place. */
  own: ({ kept, own, ownPlace }, change) => {
    const { [ownPlace]: _, ...others } = kept;
    const now = { ...own, ...change };
    return { kept: now.note || now.marks.length > 0 ? { ...others, [ownPlace]: now } : others };
  },
  prefer: ({ settings }, change) => ({ settings: { ...settings, ...change } }),
  fold: ({ folds }, first, isFolded) => ({ folds: new Map(folds).set(first, isFolded) }),
  more: ({ more }, key, count) => ({ more: new Map(more).set(key, count) }),
  hide: ({ withHidden }) => ({ withHidden: !withHidden }),
  narrow: ({ filter }, change) => ({ filter: Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value)) }),
  open: ({ opened }, key) => ({ opened: opened === key ? '' : key }),

  // What the reader is about to play.
  act: ({ act }, change) => ({ act: { ...act, ...change } }),
  clear: ({ act, lesson }) => {
    if (lesson && !act.typed && act.picked.length === 0 && !act.error) return lessonEnded();
    return { act: { ...act, picked: [], typed: '', entry: null, active: -1, error: null } };
  },
  /** Ends a lesson. */
  learned: () => lessonEnded(),
  forget: ({ act }, place) => ({ act: { ...act, picked: act.picked.filter((other) => other !== place) } }),
  /** Down or up the list of `offered` actions, wrapping around. */
  choose: ({ act }, by, offered) => ({ act: { ...act, active: act.active < 0 && by < 0 ? offered - 1 : (act.active + by + offered) % offered } }),
};

function lessonEnded() {
  return { lesson: null, said: { text: words.lessonEnded } };
}

/** Captures and rolls are too many to stop at with other marks. */
function isFeat({ kind }) {
  return kind === 'capture' || kind === 'dice';
}

/** The first ply of the stretch that one actor played, before or after a ply. */
function turnFrom(walk, ply, by) {
  const actor = (at) => walk[at - 1]?.by;
  if (by > 0) {
    let at = ply + 1;
    while (at < walk.length && actor(at) === actor(ply)) at += 1;
    return at;
  }
  let at = ply - 1;
  while (at > 1 && actor(at - 1) === actor(at)) at -= 1;
  return Math.max(at, 0);
}

/**
 * The ply of the last turn of the viewer's seat, or of the one that acted last, before the ply shown; 0 if there is none.
 * @param {import('./derive.js').Now} now
 */
export function lastTurn(now) {
  const seat = ownSeat(now);
  return { seat, at: now.walk.findLastIndex(({ by }, index) => index + 1 < now.ply && by === seat) + 1 };
}

/** The viewer's seat, or the one that acted last. */
function ownSeat(now) {
  return /^\d+$/.test(now.viewer) ? `seat:${now.viewer}` : mineOf(now);
}

function mineOf({ mine, walk, ply }) {
  if (mine) return mine;
  for (let at = Math.max(ply, 1); at > 0; at -= 1) if (walk[at - 1]?.by?.startsWith('seat:')) return walk[at - 1].by;
  return 'seat:1';
}

function visitedOr(now, node, text) {
  return node ? visited(now, lineThrough(node, now.line), node.ply) : { said: { text } };
}

/** Goes to a ply of a line, and opens the variations around it in the list. */
function visited(now, line, ply) {
  const { tree, id, variations, folds, more } = now;
  const firsts = enclosing(tree, line === id ? undefined : pathOf(tree, line)[ply]);
  const closed = folded([...variations.values()].flat());
  const unfold = firsts.filter((first) => closed.has(first));
  const lengthen = [...needed(variations, firsts)].filter(([place, count]) => count > (more.get(place) ?? SHOWN_FIRST));
  return {
    line, ply, missing: '', playing: false,
    ...unfold.length > 0 && { folds: new Map([...folds, ...unfold.map((first) => /** @type {const} */ ([first, false]))]) },
    ...lengthen.length > 0 && { more: new Map([...more, ...lengthen]) },
  };
}

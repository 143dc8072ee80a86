// Everything derived from the state of the replay page; a pure function of that state.

import { replay as words } from '../words/replay.js';
import { arrow, moments } from '../model/analysis.js';
import { comparedHead, difference } from '../model/compare.js';
import { actorName } from '../model/format.js';
import { comparison, happened } from '../model/happened.js';
import { notes } from '../model/history.js';
import { variations } from '../model/listing.js';
import { actionsTo, fitting, marks, middles, rings } from '../model/play.js';
import { NOTHING, commentsOf, marksOf, ownKey, wordsOf } from '../model/own.js';
import { isHidden, isUnsaved, pathOf, savedEnd, tipOf, treeOf } from '../model/tree.js';
import { placeAddress } from '../model/url.js';

const UNMARKED = Object.freeze([]);
/** @type {ReturnType<typeof moments>} */ const UNDECIDED = Object.freeze([]);

/** Recomputed only for other arguments. */
const remembered = {
  tree: last(treeOf), path: last(pathOf), walk: last(walk), variations: last(variationsOf), notes: last(notesOf), untold: last(untold),
  told: last(toldOf), named: last(comparedHead), compared: last(comparedWith), mismatch: last(mismatchOf), slips: last(marksAlong), moments: last(momentsOf), arrow: last(arrow), act: last(actAt), fitting: last(fittingOf), marks: last(marksAt), comments: last(commentsIn), drawn: last(drawnAt),
};

/** @typedef {ReturnType<typeof derive>} Now the state with everything derived from it; what the views draw */

/** @type {WeakMap<import('./update.js').State, ReturnType<typeof derived>>} */ const DERIVED = new WeakMap();

/**
 * Once for each state, however many ask.
 * @param {import('./update.js').State} state
 * @returns the state, and what is derived from it; `ply` is within the line
 */
export function derive(state) {
  const known = DERIVED.get(state) ?? derived(state);
  DERIVED.set(state, known);
  return known;
}

/** What takes long is worked out when it is first asked for: a step draws the board without it. */
function derived(state) {
  const { id, game, line, pages, moves, folds, shown } = state;
  const tree = remembered.tree(id, pages, moves);
  const path = remembered.path(tree, line);
  const end = line === id ? game?.ply ?? 0 : Math.max(path.length - 1, 0);
  const ply = Math.max(0, Math.min(state.ply, end));
  const node = path[ply];
  const place = node?.id ?? `${line}:${ply}`;
  const found = shown.place === place ? shown : { position: undefined, before: undefined, error: null };
  const position = found.position;
  const actor = position?.toAct.includes(state.act.by) ? state.act.by : position?.toAct[0] ?? '';
  // Includes the position itself: a takeback may put another position at the same ply.
  const act = remembered.act(state.act, `${place} ${actor} ${position?.text ?? ''}`);
  const goesOn = mayExtend(state, tree) && Boolean(node) && node === tipOf(tree, line);
  const walked = remembered.walk(id, line, moves, path, game?.seats);
  const { lesson } = state;
  // As long as a question of a lesson is open, nothing gives the answer away.
  const isAsked = Boolean(lesson?.isOpen);
  const analysed = (node?.log ?? line) === id ? state.analysis?.plies?.[ply] : undefined;
  const evaluation = isAsked ? undefined : analysed;
  const ownPlace = ownKey(path, ply, place);
  const own = state.kept[ownPlace] ?? NOTHING;
  const comments = remembered.comments(id, state.events, state.lineEvents);
  const isTold = state.hasSeenEnd || state.settings.results;
  const decisive = isAsked || !isTold ? UNDECIDED : remembered.moments(state.analysis, moves);
  const isQuestion = lesson !== null && line === id && ply === lesson.ply;
  const isSecret = game?.status === 'RUNNING' && Boolean(state.rules?.secrets);
  const evaluated = state.isEngineOn && !isAsked && position && state.evaluated?.position === position ? state.evaluated : null;
  const advised = isAsked ? isQuestion && lesson.given : (state.tab === 'analysis' || isQuestion) && (evaluation ? evaluation.best : evaluated?.answer?.best);
  const notes = remembered.untold(remembered.notes(state.movesDone ? moves : null, state.events.length > 0 ? state.events : null, game?.seats), isTold);
  return {
    ...state, tree, path, ply, node, place, act, actor, position, goesOn,
    /** The last ply of the line. */ last: end,
    /** The log that holds the place. */ log: node?.log ?? line,
    /** The plies of the line, in the form of the mainline's moves. */ walk: walked,
    get address() { return addressOf(state, path, ply); },
    notice: state.error ?? found.error,
    /** What led here, as a sentence. */
    get told() { return remembered.told(found.before, position, ply > 0 ? walked[ply - 1] : undefined, game?.seats); },
    /** What the page shows but the verified record contradicts; empty while no difference is known. */
    get mismatch() { return remembered.mismatch(state.finding?.valid ? state.events : null, state.movesDone ? moves : null, state.movesSeq, game, state.viewer) || (state.judged?.wrong ?? ''); },
    /** The slider's marks: plies with something to stop at. */
    get slips() { return remembered.slips(walked, notes, state.feats, decisive, line === id); },
    /** What the engine thinks of the position; undefined if nothing. */ evaluation,
    /** Where the game was decided, according to the engine. */ moments: decisive,
    /** What it thinks of a position that is not part of the analysis; null if nothing. */ evaluated,
    /** Whether it may be asked about the position. */ mayEvaluate: Boolean(position) && !analysed && !isAsked && !isSecret && state.isSignedIn,
    /** Whether the position is the one that a lesson asks about. */ isQuestion,
    /** The action that the engine would play here, on the board. */ advice: position && advised ? remembered.arrow(position.scene, advised) : null,
    /** The event that the address names, in the verified log; null if the address names none. */ named: remembered.named(state.head, state.events, state.finding, state.checkError),
    get variations() { return remembered.variations(tree, folds, state.withHidden || isHidden(tree, line)); },
    notes,
    /** Whether the page may say how the game ended. */ isTold,
    /** A game with secrets that is still being played. */ isSecret,
    /** The secret actions that a line from here has to assume. */ unknown: goesOn ? [] : act.legal?.unknown ?? [],
    fitting: remembered.fitting(act.legal?.actions, act.picked, act.typed),
    /** What is different from the position that this one is compared with; null if it is not compared. */ get compared() { return remembered.compared(state.since, position, game?.seats); },
    /** What the reader keeps of the place, and where. */ own, ownPlace,
    /** Comments by log and ply, with their authors. */ comments,
    /** Circles and arrows of the reader, and of comments. */ get drawn() { return remembered.drawn(position?.scene, own.marks, comments.get(node?.log ?? line)?.get(ply) ?? node?.comment); },
    get marks() { return remembered.marks(position?.scene, act.legal?.actions, act.picked, this.compared); },
    /** A game that the rules did not end could continue from its last ply. */
    mayGoOn: state.isSignedIn && line === id && ply === end && Boolean(game?.outcome) && game.outcome.decidedBy !== 'RULES',
  };
}

function mayExtend({ id, line, isSignedIn }, tree) {
  return line !== id && (isUnsaved(line) || (isSignedIn && Boolean(tree.lines.get(line)?.mayArrange)));
}

/** What was tried here and is not shared is in the address itself. */
function addressOf(state, path, ply) {
  const from = isUnsaved(state.line) ? savedEnd(path) : undefined;
  if (!from) return placeAddress({ ...state, ply });
  return placeAddress({ ...state, line: from.log, ply, tried: { ply: from.ply, words: actionsTo(path, path.length - 1).slice(from.ply) } });
}

/** Choices made at another place are dropped. */
function actAt(act, of) {
  return act.of === of ? act : { ...act, of, legal: null, picked: [], typed: '', entry: null, active: -1, error: null };
}

function walk(id, line, moves, path, seats) {
  if (line === id) return moves;
  return path.slice(1).map((node) => (node.log === id && moves[node.ply - 1]) || {
    ...node, glyphs: node.glyphs ?? [], text: `${node.by === 'chance' ? '' : `${actorName(node.by ?? '', seats ?? [])}: `}${node.action}`,
  });
}

/** Sentences need the previous position; without it, the action itself is shown. */
function toldOf(before, position, move, seats) {
  return position && move && seats ? happened(before?.scene, position.scene, move, seats) : '';
}

/** While a game is played, both arrive one after the other: what is not there yet is no difference. */
export function mismatchOf(events, moves, movesSeq, game, viewer) {
  if (!events || !moves || !game || events.length !== game.head.seq + 1 || movesSeq !== game.head.seq) return '';
  return difference(events, ownMoves(moves, events), game, Boolean(viewer));
}

const DOUBTFUL = new Set(['?', '??', '?!']);

/** @returns {{ply: number, kind: 'mistake'|'turn'|'comment'|'takeback'|'ruling'|'offer'|'end'|'capture'|'dice', text: string}[]} */
function marksAlong(walked, notes, feats, decisive, isMainline) {
  const marks = walked.flatMap(({ glyphs = [], comment }, index) => {
    const kind = glyphs.some((glyph) => DOUBTFUL.has(glyph)) ? 'mistake' : comment || glyphs.length ? 'comment' : '';
    return kind ? [{ ply: index + 1, kind, text: [...glyphs, wordsOf(comment)].filter(Boolean).join(' ') }] : [];
  });
  return isMainline ? [...marks, ...decisive, ...notes.map(({ ply, kind, text }) => ({ ply, kind, text })), ...feats.filter(({ kind }) => kind !== 'told')] : marks;
}

/** The same list while there is no analysis: the moves are listed anew for another one. */
function momentsOf(analysis, moves) {
  return analysis?.plies ? moments(analysis, moves) : UNDECIDED;
}

function variationsOf(tree, folds, withHidden) {
  return variations(tree, { folds, withHidden });
}

/** Everything that needs both the log and the moves, once both are loaded. */
function notesOf(moves, events, seats) {
  return moves && events ? notes(events, ownMoves(moves, events), seats) : [];
}

/** Before the end is seen, what says how the game ended is replaced. */
function untold(notes, isTold) {
  return isTold ? notes : notes.map((note) => (note.kind === 'end' || note.kind === 'ruling' ? { ...note, text: words.ends, detail: '' } : note));
}

/**
 * The moves recorded in this log; those that a line shares with its parent are in the parent's.
 * @param {any[]} moves
 * @param {any[]} events
 */
function ownMoves(moves, events) {
  return moves.slice(events[0]?.body.fork?.ply ?? 0);
}

function fittingOf(actions, picked, typed) {
  return actions ? fitting(actions, picked, typed) : [];
}

function marksAt(scene, actions, picked, compared) {
  const places = new Set((compared ?? []).flatMap((change) => change.places));
  if (!scene || (picked.length === 0 && places.size === 0)) return UNMARKED;
  return [...rings(scene, [...places]), ...marks(scene, actions ?? [], picked)];
}

/** @returns {Map<string, Map<number, import('../model/own.js').Comment[]>>} */
function commentsIn(id, events, lineEvents) {
  return new Map([[id, events], ...lineEvents].map(([log, of]) => [log, commentsOf(of)]));
}

/** Circles and arrows as points on the board, the reader's own last. */
function drawnAt(scene, marks, said) {
  const told = (Array.isArray(said) ? said.map(({ comment }) => comment) : [said]).flatMap(marksOf);
  const known = scene && told.length + marks.length > 0 ? middles(scene) : null;
  if (!known) return UNMARKED;
  return [...told.map((mark) => [mark, 'said']), ...marks.map((mark) => [mark, 'own'])].flatMap(([mark, kind]) => {
    const places = mark.split('>').map((place) => known.get(place));
    return places.every(Boolean) ? [{ kind, points: places.map(({ at }) => at), r: Math.round(places.at(-1).room * 0.85) }] : [];
  });
}

function comparedWith({ ply, position: old }, position, seats) {
  return ply >= 0 && old && position && seats ? comparison(old.scene, position.scene, seats) : null;
}

/** A function that remembers its last answer; arguments are compared by identity. */
export function last(compute) {
  let [of, answer] = [null, null];
  return (...from) => {
    if (!of || from.some((part, index) => part !== of[index])) [of, answer] = [from, compute(...from)];
    return answer;
  };
}

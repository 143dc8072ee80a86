// What a reader keeps of a ply on this device, circles, arrows and a note, and what others say there. In comments, circles and arrows
// are written as in PGN: `[%csl c3] [%cal c1>c3]`.

import { actionsTo } from './play.js';
import { isUnsaved, savedEnd } from './tree.js';

/**
 * @typedef {{marks: readonly string[], note: string}} Own marks: `c3` is a circle, `c1>c3` an arrow
 * @typedef {{by: string, who?: string, at: string, comment: string}} Comment
 */

/** @type {Own} */
export const NOTHING = Object.freeze({ marks: Object.freeze([]), note: '' });

const MARKS_MAX = 40;
const CODE = /\s*\[%c[sa]l ([^\]]*)\]/g;

/** What stands for a place of a game in what is kept: what was only tried has no address but its actions. */
export function ownKey(path, ply, place) {
  const from = isUnsaved(place) ? savedEnd(path) : undefined;
  return from ? `${from.id} ${actionsTo(path, ply).slice(from.ply).join(' ')}` : place;
}

/** Adds a circle or an arrow, or removes it if it is there. @param {readonly string[]} marks @param {string} from @param {string} to */
export function toggled(marks, from, to) {
  const mark = from === to ? from : `${from}>${to}`;
  return marks.includes(mark) ? marks.filter((other) => other !== mark) : [...marks, mark].slice(-MARKS_MAX);
}

/** Circles and arrows as people write them. @param {string} text such as `c3 c1>c3` */
export function marksIn(text) {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))].slice(0, MARKS_MAX);
}

/** What a comment says, without its circles and arrows. @param {string | null | undefined} comment */
export function wordsOf(comment) {
  return (comment ?? '').replace(CODE, '').trim();
}

/** Its circles and arrows. @param {string | null | undefined} comment */
export function marksOf(comment) {
  return [...(comment ?? '').matchAll(CODE)].flatMap(([, marks]) => marksIn(marks));
}

/** A comment with circles and arrows. @param {string} text @param {readonly string[]} marks */
export function commentWith(text, marks) {
  const code = (name, some) => (some.length > 0 ? `[%${name} ${some.join(',')}]` : '');
  return [text, code('csl', marks.filter((mark) => !mark.includes('>'))), code('cal', marks.filter((mark) => mark.includes('>')))].filter(Boolean).join(' ');
}

/**
 * The comments of a log by ply: the last of each author, since the last time that they were removed.
 * @param {import('../replay/requests/record.js').LogEvent[]} events
 * @returns {Map<number, Comment[]>}
 */
export function commentsOf(events) {
  const found = new Map();
  for (const { type, by, who, at, body } of events) {
    if (type === 'taken_back') for (const ply of [...found.keys()]) if (ply > body.to_ply) found.delete(ply);
    if (type !== 'annotated') continue;
    const { ply, comment = '', glyphs = [] } = body;
    const others = (found.get(ply) ?? []).filter((other) => other.by !== by || other.who !== who);
    if (!comment && glyphs.length === 0) found.delete(ply);
    else found.set(ply, comment ? [...others, { by, who, at, comment }] : others);
  }
  return found;
}

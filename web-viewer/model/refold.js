// What the present rules say of a recorded game, in words.

import { refold as words } from '../words/replay-refold.js';

/**
 * An answer of the service; see docs/refold.md.
 * @typedef {{recorded: string, present: string | null, ply: number, verdict: 'SAME'|'SEALED'|'ORPHAN'|'DIFFERS',
 *   difference: {log: string, seq: number, ply: number, what: string, why: string} | null}} Refold
 */

/**
 * @param {Refold} refold
 * @returns {string} a sentence; for a difference, the beginning of one that its ply and its reason continue
 */
export function refoldWords({ recorded, present, ply, verdict, difference }) {
  const versions = recorded === present ? '' : words.recorded(recorded);
  const rules = present ? words.rulesOf(present) : words.rules;
  switch (verdict) {
    case 'SAME': return versions + words.same(rules);
    case 'SEALED': return versions + words.sealed(rules, ply);
    case 'ORPHAN': return versions + words.orphan;
    default: return versions + words.differs(rules, difference?.seq);
  }
}

// What the present rules say of a recorded game, in words.

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
  const versions = recorded === present ? '' : `Recorded under ${recorded}. `;
  const rules = present ? `the present rules (${present})` : 'the present rules';
  switch (verdict) {
    case 'SAME': return `${versions}The same under ${rules}.`;
    case 'SEALED': return `${versions}The same under ${rules} as far as it has been revealed: up to ply ${ply}.`;
    case 'ORPHAN': return `${versions}Not judged: the log that this line continues is not recorded here.`;
    default: return `${versions}Different under ${rules} from event ${difference?.seq} on`;
  }
}

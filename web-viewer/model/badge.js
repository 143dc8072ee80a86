// Whether a record is intact, in a few words.

import { replay as words } from '../words/replay.js';

export const BADGE_MARKS = { checking: '…', verified: '✓', failed: '✕', unknown: '?' };

/**
 * @param {{finding?: import('../replay/requests/record.js').Finding | null, checkError?: any, judged?: any, mismatch?: string, named?: any}} known
 *   mismatch: what the page shows but the record contradicts
 * @returns {{name: keyof typeof BADGE_MARKS, text: string}}
 */
export function badge({ finding, checkError, judged, mismatch, named }) {
  if (mismatch) return { name: 'failed', text: words.notRecord };
  if (finding?.valid && named?.state === 'missing') return { name: 'failed', text: words.notNamed };
  if (checkError) return { name: 'unknown', text: words.notFetched };
  if (!finding && judged?.state === 'waiting') return { name: 'unknown', text: words.notYet };
  if (!finding && judged?.state === 'unknown') return { name: 'unknown', text: words.notJudged };
  if (!finding) return { name: 'checking', text: words.checkingRecord };
  if (!finding.valid) return { name: 'failed', text: words.failedAt(finding.firstBad) };
  return { name: 'verified', text: words.verified(finding.events, finding.head.slice(0, 8)) };
}

/**
 * Why nobody should trust what a page shows; empty if nothing speaks against it.
 * @param {{finding?: import('../replay/requests/record.js').Finding | null, mismatch?: string}} known
 */
export function alarm({ finding, mismatch }) {
  const bad = mismatch || (finding && !finding.valid ? words.faulty(finding.firstBad, finding.problem) : '');
  return bad && words.alarm(bad);
}

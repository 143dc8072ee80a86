// Whether a record is intact, in a few words.

import { counted } from './format.js';

export const BADGE_MARKS = { checking: '…', verified: '✓', failed: '✕', unknown: '?' };

/**
 * @param {{finding?: import('./verify.js').Finding | null, checkError?: any, checked?: number, judged?: any, mismatch?: string, named?: any}} known
 *   checked: so many events until now; mismatch: what the page shows but the record contradicts
 * @returns {{name: keyof typeof BADGE_MARKS, text: string}}
 */
export function badge({ finding, checkError, checked, judged, mismatch, named }) {
  if (mismatch) return { name: 'failed', text: 'Not what the record says' };
  if (finding?.valid && named?.state === 'missing') return { name: 'failed', text: 'Not the record that the link names' };
  if (checkError) return { name: 'unknown', text: 'The log could not be fetched' };
  if (!finding) return { name: 'checking', text: checked ? `Checking · ${counted(checked, 'event')}` : 'Checking the record' };
  if (!finding.valid) return { name: 'failed', text: `Failed at seq ${finding.firstBad}` };
  const too = judged?.state === 'done' ? ' · rules checked too' : '';
  return { name: 'verified', text: `Verified · ${counted(finding.events, 'event')} · ${finding.head.slice(0, 8)}${too}` };
}

/**
 * Why nobody should trust what a page shows; empty if nothing speaks against it.
 * @param {{finding?: import('./verify.js').Finding | null, mismatch?: string}} known
 */
export function alarm({ finding, mismatch }) {
  const bad = mismatch || (finding && !finding.valid ? `Event ${finding.firstBad} ${finding.problem}.` : '');
  return bad && `Do not trust this page: it does not show what the record says. ${bad}`;
}

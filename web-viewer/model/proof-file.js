// Proof files: a game's record with the proof that a signed checkpoint covers it. No DOM here.

/**
 * The text of a proof file, which `plybook check` and tests/python/check.py check; docs/transparency.md describes it.
 * @param {object} record
 * @param {{index: number, path: string[], checkpoint: {note: string}}} inclusion
 * @returns {string}
 */
export function proofFile(record, { index, path, checkpoint }) {
  return `${JSON.stringify({ format: 'plybook-proof/1', record, inclusion: { index, path }, checkpoint: checkpoint.note })}\n`;
}

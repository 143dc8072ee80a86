// Reading a pasted list of entrants.

/** @typedef {{name: string, rating: number | null, club: string, country: string, problem: string}} Entry */

export const ENTRIES_MAX = 1000;
const NAME_MAX = 100;
const RATING_MAX = 4000;

/**
 * A list of names, one a line, with rating, club and country behind them where there are any: separated by
 * tabs, semicolons or commas, or a rating just behind the name. Empty lines are left out.
 * @param {string} text
 * @param {Set<string>} [known] names that are entered already, in lower case
 * @returns {Entry[]}
 */
export function parseEntries(text, known = new Set()) {
  const seen = new Set(known);
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  return lines.filter((line, index) => index > 0 || !isHeading(line)).map((line) => {
    const entry = parseLine(line);
    const key = entry.name.toLowerCase();
    const problem = problemOf(entry) || (seen.has(key) ? 'stands here twice, or is entered already' : '');
    seen.add(key);
    return { ...entry, problem };
  });
}

function parseLine(line) {
  const parts = line.split(separator(line)).map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
  const [first, ...rest] = parts;
  const behind = /^(.*\S)\s+(\d{3,4})$/.exec(first);
  const at = rest.findIndex((part) => /^\d{1,4}$/.test(part));
  const rating = at >= 0 ? Number(rest[at]) : behind ? Number(behind[2]) : null;
  const others = rest.filter((_, index) => index !== at);
  const country = others.find((part) => /^[A-Z]{2}$/.test(part)) ?? '';
  const club = others.filter((part) => part !== country && part).join(', ');
  // A number in front of the name counts the lines.
  const name = (at < 0 && behind ? behind[1] : first).replace(/^\d+[.)]?\s+/, '');
  return { name, rating: rating || null, club, country };
}

/** A comma separates only where neither tab nor semicolon does, and something that is no name follows it. */
function separator(line) {
  if (line.includes('\t')) return '\t';
  if (line.includes(';')) return ';';
  return /,.*\d|,.*,/.test(line) ? ',' : '\u0000';
}

function isHeading(line) {
  return /^"?(name|player|players|entrant)"?\s*([\t;,]|$)/i.test(line);
}

function problemOf({ name, rating }) {
  if (!name) return 'has no name';
  if (name.length > NAME_MAX) return `is longer than ${NAME_MAX} characters`;
  return rating > RATING_MAX ? `has a rating above ${RATING_MAX}` : '';
}

// Reading a list of entrants, pasted or from a file.

import { entrants as words } from '../words/console-entrants.js';

/** @typedef {{name: string, rating: number | null, club: string, country: string, problem: string}} Entry */

export const ENTRIES_MAX = 1000;
const NAME_MAX = 100;
const RATING_MAX = 4000;
/** The headings of spreadsheet columns in the languages of the viewer, in lower case and without spaces. */
const COLUMNS = {
  name: ['name', 'player', 'players', 'entrant', 'fullname', 'spieler', 'spielerin', 'teilnehmer', 'שם', 'שםמלא', 'שחקן', 'משתתף'],
  first: ['firstname', 'givenname', 'vorname', 'שםפרטי'], last: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'שםמשפחה'],
  rating: ['rating', 'rtg', 'elo', 'seedrating', 'rtgi', 'wertung', 'wertungszahl', 'dwz', 'דירוג', 'מדכושר'],
  club: ['club', 'team', 'association', 'verein', 'klub', 'mannschaft', 'מועדון', 'אגודה', 'קבוצה'],
  country: ['country', 'fed', 'federation', 'nation', 'land', 'verband', 'מדינה', 'ארץ'],
};

/**
 * Parses a list of names, one per line, each followed by rating, club and country if known: separated by tabs,
 * semicolons or commas, or a rating after just a space. Empty lines are skipped. If the first line names the columns,
 * they may be in any order, and other columns are ignored.
 * @param {string} text
 * @param {Set<string>} [known] names already entered, in lower case
 * @returns {Entry[]}
 */
export function parseEntries(text, known = new Set()) {
  const seen = new Set(known);
  return (byColumns(text) ?? byLines(text)).map((entry) => {
    const key = entry.name.toLowerCase();
    const problem = problemOf(entry) || (seen.has(key) ? words.twice : '');
    seen.add(key);
    return { ...entry, problem };
  });
}

function byLines(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  return lines.filter((line, index) => index > 0 || !COLUMNS.name.includes(headingOf(line.split(/[\t;,]/, 1)[0].replaceAll('"', '')))).map(parseLine);
}

/** The entries of a table whose first line names the columns; null if it does not. */
function byColumns(text) {
  const [heading = ''] = text.trimStart().split(/\r?\n/, 1);
  const [heads, ...rows] = cells(text.trimStart(), ['\t', ';', ','].find((each) => heading.includes(each)) ?? ',');
  const at = (names) => heads.findIndex((head) => names.includes(headingOf(head)));
  const columns = Object.fromEntries(Object.entries(COLUMNS).map(([name, heading]) => [name, at(heading)]));
  if ((columns.name < 0 && columns.last < 0) || rows.some((row) => row.length > heads.length)) return null;
  return rows.filter((row) => row.some((cell) => cell.trim())).map((row) => {
    const cell = (name) => row[columns[name]]?.trim() ?? '';
    const country = cell('country').toUpperCase();
    return {
      name: cell('name') || [cell('first'), cell('last')].filter(Boolean).join(' '),
      rating: /^\d+$/.test(cell('rating')) ? Number(cell('rating')) || null : null,
      club: cell('club'), country: /^[A-Z]{2}$/.test(country) ? country : '',
    };
  });
}

/** A heading as in `COLUMNS`; programs that write from right to left add marks that cannot be seen. */
function headingOf(text) {
  return text.replaceAll(/[\s\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').toLowerCase();
}

/**
 * The cells of a text as spreadsheets write it: quoted cells may contain separators, line ends and doubled quotes.
 * @param {string} text
 * @param {string} between
 * @returns {string[][]} at least one row
 */
function cells(text, between) {
  const rows = [['']];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const row = rows[rows.length - 1];
    const letter = text[at];
    if (quoted && letter === '"' && text[at + 1] === '"') row[row.length - 1] += text[++at];
    else if (letter === '"' && (quoted || row[row.length - 1] === '')) quoted = !quoted;
    else if (!quoted && letter === between) row.push('');
    else if (!quoted && letter === '\n') rows.push(['']);
    else if (quoted || letter !== '\r') row[row.length - 1] += letter;
  }
  return rows;
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
  // A number in front of the name is a line number.
  const name = (at < 0 && behind ? behind[1] : first).replace(/^\d+[.)]?\s+/, '');
  return { name, rating: rating || null, club, country };
}

/** A comma separates only if there is neither a tab nor a semicolon, and what follows it is not part of a name. */
function separator(line) {
  if (line.includes('\t')) return '\t';
  if (line.includes(';')) return ';';
  return /,.*\d|,.*,/.test(line) ? ',' : '\u0000';
}

function problemOf({ name, rating }) {
  if (!name) return words.noName;
  if (name.length > NAME_MAX) return words.tooLong(NAME_MAX);
  return rating > RATING_MAX ? words.overrated(RATING_MAX) : '';
}

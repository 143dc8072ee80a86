// The modules of tournaments that need no DOM. `node --test tournament-unit.test.mjs`, no install needed.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

import * as bracket from '../../web-viewer/model/bracket.js';
import { countryOf, federations } from '../../web-viewer/model/countries.js';
import { keyOf, parseEntries, textOf, unread } from '../../web-viewer/model/entry.js';
import { Outbox } from '../../web-viewer/model/outbox.js';
import * as draft from '../../web-viewer/model/pairing-draft.js';
import { OWN_ZONE, localTime, timeOf } from '../../web-viewer/model/time-zone.js';
import * as form from '../../web-viewer/model/tournament-form.js';
import { fieldsOf as setupFields, setupOf, shownOf, valuesOf } from '../../web-viewer/model/setup-form.js';
import { deciderWords, eventWords, seatsAt, undoing } from '../../web-viewer/model/tournament-log.js';
import { decision } from '../../web-viewer/model/tournament-mutations.js';
import { nextStep, roundAsked } from '../../web-viewer/model/tournament-steps.js';
import * as filters from '../../web-viewer/model/filter-url.js';
import * as url from '../../web-viewer/model/tournament-url.js';
import * as words from '../../web-viewer/model/tournament.js';

// --- words

test('points are written with halves', () => {
  assert.deepEqual([0, 0.5, 1, 2.5, 10, 0.25, null].map(words.points), ['0', '½', '1', '2½', '10', '0.25', '']);
});

test('formats, states and dates in words', () => {
  assert.equal(words.formatWords({ format: 'SWISS', roundsPlanned: 5 }), 'Swiss, 5 rounds');
  assert.equal(words.formatWords({ format: 'ROUND_ROBIN', formatOptions: { cycles: 2 } }), 'Double round robin');
  assert.equal(words.formatWords({ format: 'KNOCKOUT', formatOptions: { best_of: 3 }, roundsPlanned: 1 }), 'Knock-out, best of 3, 1 round');
  assert.equal(words.statusWords({ status: 'RUNNING', currentRound: { number: 2, status: 'OPEN' }, roundsPlanned: 5 }), 'Round 2 of 5 being played');
  assert.equal(words.statusWords({ status: 'PLANNED', currentRound: null }), 'Planned');
  assert.equal(words.datesWords({ startsAt: '2026-11-21T09:00:00Z', endsAt: '2026-11-21T18:00:00Z' }).includes('–'), false);
  assert.equal(words.datesWords({}), '');
});

test('a ranking is entered place by place, with shared places, and can be undone', () => {
  let ranking = words.ranked([], [3], false);
  ranking = words.ranked(ranking, [1], false);
  ranking = words.ranked(ranking, [2], true);
  assert.deepEqual(ranking, [[3], [1, 2]]);
  assert.deepEqual(words.ranked(ranking, [1], false), [[3], [2]]);
  assert.deepEqual(words.ranked(ranking, [3], false), []);
  assert.deepEqual(words.ranked([], [2], true), [[2]], 'the first place cannot be shared with nobody');
  const name = (seat) => 'ABC'[seat - 1];
  assert.deepEqual([[[1], [2]], [[1, 2]], [[3], [1, 2]]].map((each) => words.rankingText(each, name)), ['A won', 'A draw', 'C, then A = B']);
});

test('partners share a place, and are no opponents', () => {
  let ranking = words.ranked([], [2, 4], false);
  assert.deepEqual(ranking, [[2, 4]]);
  ranking = words.ranked(ranking, [1, 3], true);
  assert.deepEqual(ranking, [[2, 4, 1, 3]]);
  assert.deepEqual(words.ranked(ranking, [2, 4], false), [[1, 3]]);
  const seats = ['Ada', 'Bela', 'Carl', 'Dora'].map((name, index) => ({ number: index + 1, partners: [(index + 2) % 4 + 1], entrant: { name } }));
  const round = { tables: [{ number: 1, seats }], unpaired: [] };
  assert.deepEqual(words.byName(round).map(words.against), ['Bela, Dora (with Carl)', 'Ada, Carl (with Dora)', 'Bela, Dora (with Ada)', 'Ada, Carl (with Bela)']);
});

test('the list by name has everybody, at tables and with byes', () => {
  const entrant = (number, name) => ({ number, name });
  const round = {
    tables: [{ number: 1, seats: [{ number: 1, entrant: entrant(1, 'Zoe') }, { number: 2, entrant: entrant(2, 'Ada') }] }],
    unpaired: [{ entrant: entrant(3, 'Max'), kind: 'HALF', points: 0.5 }],
  };
  assert.deepEqual(words.byName(round).map((row) => [row.entrant.name, row.table?.number ?? null, row.seat, row.others.map(({ name }) => name).join()]), [['Ada', 1, 2, 'Zoe'], ['Max', null, 0, ''], ['Zoe', 1, 1, 'Ada']]);
});

test('the crosstable has the points taken from each opponent', () => {
  const row = (number, ...cells) => ({ entrant: { number }, cells: cells.map(([other, points]) => ({ opponents: [{ number: other }], points, forfeit: false, result: points === 1 ? 'WIN' : 'LOSS' })) });
  assert.deepEqual(words.square([row(1, [2, 1], [2, 0.5]), row(2, [1, 0], [1, 0.5])]), [[[], ['1', '½']], [['0', '½'], []]]);
  const struck = { table: 1, opponents: [{ number: 2 }], points: 0, forfeit: false, struck: true };
  assert.deepEqual(['WIN', 'DRAW', 'LOSS', 'NONE'].map((result) => words.cellText({ ...struck, result })), ['(1)', '(½)', '(0)', '(*)']);
});

test('rows are cut into pages', () => {
  assert.deepEqual(words.paged([1, 2, 3], 2), [[1, 2], [3]]);
  assert.deepEqual(words.paged([], 2), []);
  assert.equal(words.paged([1, 2], 0).length, 2);
});

test('the round that is shown', () => {
  const rounds = [{ number: 1, status: 'CLOSED' }, { number: 2, status: 'OPEN' }, { number: 3, status: 'UNPAIRED' }];
  assert.deepEqual([0, 1, 3, 9].map((asked) => words.roundShown(rounds, asked)), [2, 1, 3, 2]);
  assert.equal(words.roundShown([], 0), 0);
});

// --- lists that are pasted

test('names with and without ratings, clubs and countries', () => {
  const text = 'Name;Rating;Club\nAda Lovelace;1850;Club A;GB\n2. Bela Bartók\t1720\nCarl 1650\n\nDora, 1500, Club B\nvan der Berg, Emmy\n"Fritz";;Club C';
  assert.deepEqual(parseEntries(text).map(({ name, rating, club, country, problem }) => [name, rating, club, country, problem]), [
    ['Ada Lovelace', 1850, 'Club A', 'GB', ''], ['Bela Bartók', 1720, '', '', ''], ['Carl', 1650, '', '', ''], ['Dora', 1500, 'Club B', '', ''],
    ['van der Berg, Emmy', null, '', '', ''], ['Fritz', null, 'Club C', '', ''],
  ]);
});

test('one separator counts for a list, and cells may be quoted', () => {
  const of = (text) => parseEntries(text).map(({ name, rating, club, country }) => [name, rating, club, country]);
  assert.deepEqual(of('"Quote, ""The"" Hook",1400,"Club; with, seps",AT\n"Two\nLines",1500,Club; East\nBo "The Hook" Smith,1300'), [
    ['Quote, "The" Hook', 1400, 'Club; with, seps', 'AT'], ['Two Lines', 1500, 'Club; East', ''], ['Bo "The Hook" Smith', 1300, '', ''],
  ]);
  assert.deepEqual(of('Falk, Ida;1850;A, B\nHolm, Eva;1700'), [['Falk, Ida', 1850, 'A, B', ''], ['Holm, Eva', 1700, '', '']]);
});

test('headings may be in German or Hebrew, in pages of any language', () => {
  const of = (text) => parseEntries(text).map(({ name, rating, club, country }) => [name, rating, club, country]);
  const ada = [['Ada Lovelace', 1850, 'Club A', 'AT']];
  for (const table of [
    'Verein;Nachname;Vorname;DWZ;Land\nClub A;Lovelace;Ada;1850;at', 'Spieler\tWertungszahl\tMannschaft\tVerband\nAda Lovelace\t1850\tClub A\tAT',
    '\u200fמועדון,\u200fשם מלא,מד כושר,מדינה\nClub A,Ada Lovelace,1850,AT', 'שם פרטי;שם משפחה;דירוג;אגודה;ארץ\nAda;Lovelace;1850;Club A;AT',
  ]) assert.deepEqual(of(table), ada, table);
  assert.deepEqual(of('Spieler\nAda, 1850'), [['Ada', 1850, '', '']]);
  assert.deepEqual(of('"שם"\nAda, 1850'), [['Ada', 1850, '', '']]);
});

test('a table from a spreadsheet is read by the headings in its first line', () => {
  const text = 'No,"Rating",Fed,Name,Club\r\n1,1850,GB,"Lovelace, Ada","The ""A"" Club"\r\n2,,aut,Bela,"two\nlines"\r\n,,,,\r\n';
  assert.deepEqual(parseEntries(text).map(({ name, rating, club, country, problem }) => [name, rating, club, country, problem]), [
    ['Lovelace, Ada', 1850, 'The "A" Club', 'GB', ''], ['Bela', null, 'two\nlines', 'AT', ''],
  ]);
  assert.deepEqual(parseEntries('Last name\tFirst name\tElo\nCurie\tMarie\t2100').map(({ name, rating }) => [name, rating]), [['Marie Curie', 2100]]);
  assert.deepEqual(parseEntries('Name\nAda').map(({ name }) => name), ['Ada']);
  assert.deepEqual(parseEntries('number,rank,name\n3,1,Ada').map(({ name }) => name), ['Ada'], 'what the service exports');
});

test('problems with entries are reported, and what is not read', () => {
  const [twice, again, other, long] = parseEntries(`Ada\nADA\nAda, 1500\n${'x'.repeat(101)}`);
  assert.deepEqual([twice.problem, other.problem], ['', '']);
  for (const entry of [again, long]) assert.notEqual(entry.problem, '', entry.name);
  assert.deepEqual([twice.twice, other.twice], [false, true], 'namesakes are for the organiser to tell apart');
  assert.deepEqual(parseEntries('\n \n'), []);
  assert.match(parseEntries(';1500')[0].problem, /no name/);
  const notes = (text) => parseEntries(text).map((entry) => entry.notes.length);
  assert.deepEqual(notes('Ada;1850*;Club\nBela;1720.5\nCarl;1 650\nDora;1700'), [1, 1, 1, 0]);
  assert.deepEqual(notes('Name;Elo;Fed\nAda;abc;AUT\nBela;1700;XQZ'), [1, 1]);
  assert.deepEqual(unread('Vereinsmeisterschaft 2026\nNo;Name;Elo;Title\n1;Ada;1850;WGM'), { ignored: ['No', 'Title'], titles: ['Vereinsmeisterschaft 2026'] });
});

test('the usual lists of clubs and federations are read', () => {
  const of = (text) => parseEntries(text).map(({ name, rating, club, country }) => [name, rating, club, country]);
  assert.deepEqual(of('Falk, Ida 1850\nHolm, Eva'), [['Falk, Ida', 1850, '', ''], ['Holm, Eva', null, '', '']]);
  assert.deepEqual(of('Gross, Jan\t\tSK\tDE'), [['Gross, Jan', null, 'SK', 'DE']]);
  assert.deepEqual(of('No.;Name;FED;Rtg;Club\n1;Müller, Anna;GER;1720;SK Nord'), [['Müller, Anna', 1720, 'SK Nord', 'DE']]);
  assert.deepEqual(of('Müller, Anna;1720;SK Nord;GER'), [['Müller, Anna', 1720, 'SK Nord', 'DE']]);
  assert.deepEqual(of('Müller,Anna,1720,SK Nord,GER'), [['Müller, Anna', 1720, 'SK Nord', 'DE']]);
  assert.deepEqual(of('sep=;\nName;Elo\nAda;1850'), [['Ada', 1850, '', '']]);
  assert.deepEqual(of('Name\tVorname\tElo\nMüller\tAnna\t1720'), [['Anna Müller', 1720, '', '']]);
  assert.deepEqual(of('Name;Rtg;EloI;EloN\nAda;0;1850;1800\nBela;;0;1700'), [['Ada', 1850, '', ''], ['Bela', 1700, '', '']]);
  assert.deepEqual(of('"Quote, ""The"" Hook",1400,"Club; with, seps",AT'), [['Quote, "The" Hook', 1400, 'Club; with, seps', 'AT']]);
  for (const encoding of ['utf16le', 'utf16be']) {
    const bytes = Buffer.from('\ufeffName\tElo\nWeiß, Jörg\t1720', 'utf16le');
    assert.deepEqual(of(textOf(encoding === 'utf16be' ? bytes.swap16() : bytes)), [['Weiß, Jörg', 1720, '', '']]);
  }
  assert.equal(keyOf('O\u0308do\u0308n'), keyOf('Ödön'));
});

test('countries have the codes of FIDE, of ISO, and those that the service writes', async () => {
  assert.deepEqual(['GER', 'deu', 'DE', 'SUI', 'ENG', 'XX', 'AUTRE', ''].map(countryOf), ['DE', 'DE', 'DE', 'CH', 'GB', '', '', '']);
  const source = await readFile(new URL('../../rules/tournaments/src/files/federation.rs', import.meta.url), 'utf8');
  const written = [...source.matchAll(/\("([A-Z]{2})", "([A-Z]{3})"\)/g)].map(([, country, code]) => `${code}:${country}`);
  assert.ok(written.length > 190);
  assert.deepEqual(federations().map((pair) => pair.join(':')).sort(), written.sort());
});

test('any text is parsed without an error', () => {
  for (const text of ['\u0000\t;,', ',,,,', '1', '"', '9999999999999', 'a\tb\tc\td\te', '\r\n\r\n']) parseEntries(text);
});

// --- pairing by hand

const PAIRED = { tables: [[1, 2], [3, 4]], out: [{ entrant: 5, kind: 'PAIRING' }] };

test('two seats are exchanged, even at one table', () => {
  assert.deepEqual(draft.exchanged(PAIRED, { table: 0, seat: 1 }, { table: 1, seat: 0 }).tables, [[1, 3], [2, 4]]);
  assert.deepEqual(draft.exchanged(PAIRED, { table: 0, seat: 0 }, { table: 0, seat: 1 }).tables, [[2, 1], [3, 4]]);
  assert.equal(draft.exchanged(PAIRED, { table: 0, seat: 0 }, { table: 0, seat: 0 }), PAIRED);
});

test('an entrant who comes in for another leaves them the bye', () => {
  assert.deepEqual(draft.exchanged(PAIRED, { out: 5 }, { table: 0, seat: 0 }), { tables: [[5, 2], [3, 4]], out: [{ entrant: 1, kind: 'PAIRING' }] });
  assert.deepEqual(draft.exchanged(PAIRED, { table: 0, seat: 0 }, { out: 5 }), draft.exchanged(PAIRED, { out: 5 }, { table: 0, seat: 0 }));
});

test('seats can be emptied and filled; nobody is lost', () => {
  const out = draft.takenOut(PAIRED, { table: 0, seat: 0 }, 'HALF');
  assert.deepEqual(out, { tables: [[0, 2], [3, 4]], out: [...PAIRED.out, { entrant: 1, kind: 'HALF' }] });
  assert.deepEqual(draft.sent(out).gaps, [1]);
  const moved = draft.exchanged(out, { table: 1, seat: 0 }, { table: 0, seat: 0 });
  assert.deepEqual(moved.tables, [[3, 2], [0, 4]]);
  const everybody = ({ tables, out: rest }) => [...tables.flat().filter(Boolean), ...rest.map(({ entrant }) => entrant)].sort();
  let walked = draft.withTable(PAIRED, 2);
  const places = [{ table: 0, seat: 0 }, { table: 2, seat: 1 }, { out: 5 }, { table: 1, seat: 1 }, { table: 2, seat: 0 }];
  for (const one of places) for (const other of places) {
    if ('out' in one && !walked.out.some(({ entrant }) => entrant === one.out)) continue;
    if ('out' in other && !walked.out.some(({ entrant }) => entrant === other.out)) continue;
    walked = draft.exchanged(walked, one, other);
    assert.deepEqual(everybody(walked), [1, 2, 3, 4, 5], JSON.stringify([one, other]));
  }
});

test('empty tables are not sent, and tables with empty seats are reported', () => {
  assert.deepEqual(draft.sent({ tables: [[0, 0], [1, 2], [3, 0]], out: [] }), { tables: [[1, 2], [3]], byes: [], gaps: [3] });
  // A larger table may have fewer players.
  const seats = (tournament) => words.leastSeats({ seats: 4, ruleSet: { minSeats: 3 }, ...tournament });
  assert.deepEqual([seats({ format: 'FREE' }), seats({ format: 'SWISS', formatOptions: { smallest: 4 } }), seats({ format: 'SWISS', seats: 2, ruleSet: { minSeats: 2 } })], [3, 4, 2]);
  assert.deepEqual(draft.sent({ tables: [[1, 2, 3, 4], [5, 0, 6, 7], [8, 9, 0, 0]], out: [] }, 3), { tables: [[1, 2, 3, 4], [5, 6, 7], [8, 9]], byes: [], gaps: [3] });
  assert.deepEqual(draft.emptyDraft([{ number: 1 }, { number: 2 }, { number: 3 }], 2), { tables: [[0, 0]], out: [1, 2, 3].map((entrant) => ({ entrant, kind: 'ZERO' })) });
  assert.ok(draft.isSameDraft(PAIRED, structuredClone(PAIRED)));
  assert.ok(!draft.isSameDraft(PAIRED, draft.withTable(PAIRED, 2)));
});

// --- the next step, and undoing

const TOURNAMENT = { status: 'PLANNED', format: 'SWISS', rounds: [], roundsPlanned: 2, entrantsCount: 0, currentRound: null, seats: 2 };
const at = (status, missing = [], number = 1, open = {}) => ({ ...TOURNAMENT, status: 'RUNNING', entrantsCount: 8, currentRound: { number, status }, rounds: [{ number, status, missing, adjourned: [], disputed: [], tablesCount: 4, ...open }] });

test('there is always a next step, which is ready only when it can be taken', () => {
  const told = (tournament) => { const { name = '', isReady, round } = nextStep(tournament); return [name, isReady, round]; };
  assert.deepEqual(told(TOURNAMENT), ['', false, 0]);
  assert.deepEqual(told({ ...TOURNAMENT, entrantsCount: 8 }), ['pairRound', true, 1]);
  assert.deepEqual(told({ ...TOURNAMENT, entrantsCount: 8, format: 'FREE' }), ['pairByHand', true, 1]);
  assert.match(nextStep({ ...TOURNAMENT, entrantsCount: 4, roundsPlanned: 5 }).text, /5 rounds are planned, but after 3 everybody has met/);
  assert.deepEqual(told(at('PAIRED')), ['openRound', true, 1]);
  assert.deepEqual(told(at('OPEN', [2, 3])), ['endRound', false, 1]);
  assert.match(nextStep(at('OPEN', [2, 3])).text, /2 of 4 results in; missing at tables 2 and 3/);
  assert.deepEqual(told(at('OPEN')), ['endRound', true, 1]);
  assert.deepEqual(told(at('OPEN', [], 1, { disputed: [3] })), ['endRound', false, 1]);
  assert.match(nextStep(at('OPEN', [], 1, { disputed: [3] })).text, /two different results were entered at table 3/);
  assert.deepEqual(told(at('OPEN', [], 1, { adjourned: [4] })), ['endRound', true, 1]);
  assert.match(nextStep(at('OPEN', [], 1, { adjourned: [4] })).text, /table 4 is adjourned/);
  assert.deepEqual(told(at('CLOSED', [], 2, { adjourned: [4] })), ['finishTournament', false, 2]);
  assert.deepEqual(told(at('CLOSED')), ['pairRound', true, 2]);
  assert.deepEqual(told(at('CLOSED', [], 2)), ['finishTournament', true, 2]);
  assert.deepEqual(told({ ...at('CLOSED'), status: 'FINISHED' }), ['', false, 1]);
  // A result that was removed from a closed round is entered before anything counts on it.
  assert.deepEqual([told(at('CLOSED', [3])), told(at('CLOSED', [3], 2))], [['pairRound', false, 2], ['finishTournament', false, 2]]);
  assert.equal(nextStep({ ...at('CLOSED', [], 1, { adjourned: [4] }), format: 'KNOCKOUT', roundsPlanned: null }).isReady, false, 'a knock-out waits for adjourned games');
  assert.equal(nextStep(at('CLOSED', [], 1, { adjourned: [4] })).isReady, true);
  assert.match(nextStep({ ...at('OPEN', [], 1, { adjourned: [4] }), format: 'KNOCKOUT' }).text, /the knock-out waits for its result/);
  assert.match(nextStep(at('CLOSED', [3])).text, /^Round 1: table 3 has no result\. .*Round 1 is over/);
  assert.deepEqual([roundAsked(at('CLOSED'), 0), roundAsked(at('OPEN'), 0), roundAsked(TOURNAMENT, 0), roundAsked(at('CLOSED'), 1)], [2, 1, 1, 1]);
});

test('decisions are undone by decisions', () => {
  const t = { tournament: 't', round: 2 };
  const undone = (name, variables = {}, before = {}) => undoing({ name, variables: { ...t, ...variables } }, before)[0];
  assert.deepEqual(undone('openRound'), { name: 'unopenRound', variables: t });
  assert.deepEqual(undone('endRound').name, 'resumeRound');
  assert.deepEqual(undone('enterResult', { table: 3, ranking: [[1], [2]] }), { name: 'clearResult', variables: { ...t, table: 3 } });
  assert.deepEqual(undone('enterResult', { table: 3 }, { result: [[1, 2]] }).variables.ranking, [[1, 2]]);
  assert.deepEqual(undone('clearResult', { table: 3 }, { result: [[1], [2]], source: 'FORFEIT', seats: [2] }), { name: 'forfeit', variables: { ...t, table: 3, seats: [2] } });
  const pairing = { tables: [[1, 2]], byes: [] };
  assert.deepEqual(undone('changePairing', {}, { pairing }), { name: 'changePairing', variables: { ...t, ...pairing, force: true } });
  assert.equal(undone('changePairing').name, 'unpairRound');
  assert.equal(undone('withdraw', { entrant: 4 }).name, 'returnEntrant');
  assert.equal(undone('adjourn', { table: 1 }).name, 'resumeGame');
  assert.deepEqual(undone('resumeGame', { table: 1 }, { until: 'Sunday' }), { name: 'adjourn', variables: { ...t, table: 1, until: 'Sunday' } });
  assert.equal(undone('openGame', { table: 1 }), undefined);
  // A table that was adjourned is adjourned again, and a bye that took the place of another gives way to it.
  const adjourned = { isAdjourned: true, until: 'Sunday' };
  assert.deepEqual(undoing({ name: 'enterResult', variables: { ...t, table: 3 } }, adjourned).map(({ name, variables }) => [name, variables.until]), [['clearResult', undefined], ['adjourn', 'Sunday']]);
  assert.deepEqual(undoing({ name: 'forfeit', variables: { ...t, table: 3, seats: [1] } }, { isPlaying: true }).map(({ name }) => name), ['clearResult', 'openGame'], 'its game is void');
  assert.deepEqual(undone('announceAbsence', { entrant: 4, kind: 'FULL' }, { absence: 'HALF' }), { name: 'announceAbsence', variables: { ...t, entrant: 4, kind: 'HALF' } });
  assert.equal(undone('announceAbsence', { entrant: 4, kind: 'FULL' }, { absence: null }).name, 'cancelAbsence');
  assert.deepEqual(undoing({ name: 'addEntrants', variables: t }, {}, [7, 8]).map(({ name, variables }) => [name, variables.entrant]), [['removeEntrant', 7], ['removeEntrant', 8]]);
  assert.deepEqual(undone('removeEntrant', { entrant: 4 }, { entrant: { player: 'p' } }).variables.entrants, [{ player: 'p' }]);
});

test('every decision is a mutation that names its variables once', () => {
  const text = decision('changePairing');
  assert.match(text, /mutation Decide\(\$tournament: ID!, \$round: Int!, \$tables: \[\[Int!\]!\]!, \$byes: \[ByeInput!\], \$force: Boolean, \$expectedSeq: Int, \$key: IdempotencyKey\)/);
  assert.match(text, /changePairing\(tournament: \$tournament, round: \$round, tables: \$tables, byes: \$byes, force: \$force, expectedSeq: \$expectedSeq, idempotencyKey: \$key\) \{ __typename \}/);
  assert.match(decision('pairRound'), /\{ number \}/);
});

test('events in words', () => {
  const names = new Map([[3, 'Ada']]);
  assert.equal(eventWords({ type: 'withdrawn', body: { entrant: 3, reason: 'ill' } }, names), 'Withdrew · Ada · ill');
  assert.equal(eventWords({ type: 'result_recorded', body: { round: 2, table: 4 } }, names), 'Result · round 2, table 4');
  assert.equal(eventWords({ type: 'something_new', body: {} }, names), 'something new');
});

// --- the form

const RULES = { minSeats: 2, maxSeats: 2 };
const FIELDS = { ...form.NEW, name: 'Open', kind: 'tri' };

test('empty fields of a form are not sent', () => {
  assert.deepEqual(form.problems(FIELDS), {});
  assert.deepEqual(form.inputOf(FIELDS, RULES), { name: 'Open', kind: 'tri', format: 'SWISS', rounds: 5, timeZone: OWN_ZONE, byePolicy: { halfMax: 1 } });
  const input = form.inputOf({ ...FIELDS, format: 'ROUND_ROBIN', double: 'on', rated: '', tieBreaks: 'DE, SB', setup: '{"a":1}', startsAt: '2026-11-21T09:00' }, RULES);
  assert.deepEqual([input.formatOptions, input.rounds, input.rated, input.tieBreaks, input.setups, input.startsAt], [{ double: true }, undefined, false, ['DE', 'SB'], [{ a: 1 }], new Date('2026-11-21T09:00').toISOString()]);
});

test('times are those of the tournament’s time zone, beside the reader’s', () => {
  const zone = 'America/Los_Angeles';
  assert.deepEqual(['2026-03-08T01:59', '2026-03-08T03:00', '2026-11-27T19:00'].map((text) => timeOf(text, zone)), ['2026-03-08T09:59:00.000Z', '2026-03-08T10:00:00.000Z', '2026-11-28T03:00:00.000Z']);
  assert.equal(localTime('2026-11-28T03:00:00Z', zone), '2026-11-27T19:00');
  const input = form.inputOf({ ...FIELDS, timeZone: zone, startsAt: '2026-11-27T19:00', roundsAt: '2026-11-27T19:00' }, RULES);
  assert.deepEqual([input.timeZone, input.startsAt, input.roundsAt], [zone, '2026-11-28T03:00:00.000Z', ['2026-11-28T03:00:00.000Z']]);
  const far = ['Pacific/Auckland', zone].find((each) => localTime('2026-11-28T03:00:00Z', each) !== localTime('2026-11-28T03:00:00Z', OWN_ZONE));
  assert.match(words.timeWords((at, each) => localTime(at, each), '2026-11-28T03:00:00Z', { timeZone: far }), /^2026-11-2\d.* \(2026-11-2\d.* your time\)$/);
  assert.equal(words.timeWords(localTime, '2026-11-28T03:00:00Z', {}), localTime('2026-11-28T03:00:00Z'));
});

test('refusals are shown at their fields', () => {
  assert.equal(form.fieldOf('name: it has 1 to 100 printable characters'), 'name');
  assert.equal(form.fieldOf('`tieBreaks`: no such tie-break'), 'tieBreaks');
  assert.equal(form.fieldOf('`rounds`: a Swiss tournament has a number of rounds'), 'rounds');
  assert.equal(form.fieldOf('something else went wrong'), '');
});

test('the fields depend on the game and the format', () => {
  const asked = (fields, name, rules = RULES) => form.isAsked({ ...FIELDS, ...fields }, name, rules);
  assert.deepEqual([asked({}, 'rounds'), asked({ format: 'ROUND_ROBIN' }, 'rounds'), asked({ format: 'ROUND_ROBIN' }, 'double'), asked({}, 'double')], [true, false, true, false]);
  assert.deepEqual([asked({}, 'seats'), asked({}, 'seats', { minSeats: 3, maxSeats: 6 }), asked({}, 'system', { minSeats: 3, maxSeats: 6 })], [false, true, false]);
  assert.deepEqual(form.formatsFor(4), ['SWISS', 'FREE']);
});

test('settings survive the form, and only changes are sent', () => {
  const tournament = {
    name: 'Open', kind: 'tri', format: 'SWISS', formatOptions: { system: 'dutch', is_accelerated: true, rounds: 7 }, roundsPlanned: 7, seats: 2, timeControl: null, startsAt: '2026-11-21T09:00:00.000Z', endsAt: null, place: 'Vienna', description: null,
    scoring: { by: 'result', win: 30, draw: 10, loss: 0 }, tieBreaks: ['BH/C1', 'SB'], byePolicy: { pairing: 1, halfMax: 2, halfLastRound: null }, rated: true, setups: [], roundsAt: ['2026-11-21T09:00:00.000Z', '2026-11-21T14:00:00.000Z'],
  };
  const before = form.inputOf(form.fieldsOf(tournament), RULES);
  assert.deepEqual(form.changes(before, before), {});
  assert.deepEqual([before.startsAt, before.formatOptions, before.scoring.win, before.rounds], ['2026-11-21T09:00:00.000Z', { accelerated: true }, 30, 7]);
  assert.deepEqual(form.changes(before, form.inputOf({ ...form.fieldsOf(tournament), place: '', rounds: '9' }, RULES)), { rounds: 9, place: '' });
  // What is cleared is as usual again, and another game is scored as usual there.
  assert.deepEqual(form.changes(before, form.inputOf({ ...form.fieldsOf(tournament), scoring: '', tieBreaks: '', startsAt: '' }, RULES)), { startsAt: null, scoring: null, tieBreaks: null });
  const usual = form.inputOf({ ...form.fieldsOf(tournament), scoring: '' }, RULES);
  const other = form.inputOf({ ...form.fieldsOf(tournament), scoring: '', kind: 'triforce', seats: '4' }, { minSeats: 3, maxSeats: 6 });
  assert.deepEqual(form.changes(usual, other), { kind: 'triforce', seats: 4, formatOptions: null, format: 'SWISS', rounds: 7, scoring: null });
  assert.deepEqual(before.roundsAt, tournament.roundsAt);
  const signed = form.inputOf({ ...form.fieldsOf(tournament), signatures: 'on' }, RULES);
  assert.deepEqual([before.signatures, form.changes(before, signed), form.changes(signed, before)], [undefined, { signatures: 'REQUIRED' }, { signatures: 'OPTIONAL' }]);
  assert.equal(form.fieldsOf({ ...tournament, signatures: 'REQUIRED' }).signatures, 'on');
  const dice = { ...RULES, chance: true };
  const fair = form.inputOf({ ...form.fieldsOf(tournament), rolls: 'FAIR' }, dice);
  assert.deepEqual([before.rolls, form.changes(before, fair), form.changes(fair, before)], [undefined, { rolls: 'FAIR' }, { rolls: 'ANY' }]);
  assert.equal(form.inputOf({ ...form.fieldsOf(tournament), rolls: 'FAIR' }, RULES).rolls, undefined, 'a game without dice');
  assert.equal(form.fieldsOf({ ...tournament, rolls: 'TYPED' }).rolls, 'TYPED');
  const times = form.withRoundTime(form.fieldsOf(tournament).roundsAt, 2, '');
  assert.deepEqual(form.changes(before, form.inputOf({ ...form.fieldsOf(tournament), roundsAt: times }, RULES)), { roundsAt: ['2026-11-21T09:00:00.000Z'] });
  assert.deepEqual(form.changes(before, form.inputOf({ ...form.fieldsOf(tournament), roundsAt: '' }, RULES)), { roundsAt: [] });
  assert.match(form.problems({ ...form.fieldsOf(tournament), roundsAt: form.withRoundTime('', 3, '2026-11-21T10:00') }).roundsAt, /Round 1 has no time/);
});

test('one setup, or one for each round', () => {
  const setups = (setup) => form.inputOf({ ...form.NEW, name: 'Open', kind: 'tri', setup }, RULES).setups;
  assert.deepEqual([setups(''), setups('{"a":1}'), setups('[{"a":1},{"a":2}]')], [undefined, [{ a: 1 }], [{ a: 1 }, { a: 2 }]]);
  assert.deepEqual(['1', '[]', '[1]', '{'].map((setup) => Boolean(form.problems({ ...form.NEW, name: 'Open', kind: 'tri', setup }).setup)), [true, true, true, true]);
});

test('options of knock-outs and pods round-trip', () => {
  const of = (fields, rules) => form.inputOf({ ...form.NEW, name: 'Cup', kind: 'tri', ...fields }, rules).formatOptions;
  assert.deepEqual(of({ format: 'KNOCKOUT', bestOf: '3', replays: '2', thirdPlace: 'on' }, RULES), { bestOf: 3, replays: 2, thirdPlace: true });
  assert.deepEqual(of({ smallest: '3', largest: '5', seats: '4' }, { minSeats: 2, maxSeats: 6 }), { smallest: 3, largest: 5 });
});

test('a decided knock-out is finished next, others are paired', () => {
  const cup = { status: 'RUNNING', format: 'KNOCKOUT', rounds: [{ number: 1, status: 'CLOSED', missing: [], adjourned: [], disputed: [], tablesCount: 1 }], roundsPlanned: null, entrantsCount: 2, currentRound: { number: 1 }, seats: 2 };
  assert.equal(nextStep({ ...cup, bracket: { decided: true } }).name, 'finishTournament');
  assert.equal(nextStep({ ...cup, bracket: { decided: false } }).name, 'pairRound');
});

// --- brackets

test('a bracket is shown down to the final, and tables find their match', () => {
  const side = (number) => ({ entrant: { number, rank: number, name: `P${number}` }, score: 1, won: false });
  const match = (tables, sides, thirdPlace = false) => ({ thirdPlace, decided: false, sides, tables });
  const quarters = { stages: [{ name: 'Quarter-finals', matches: [1, 2, 3, 4].map((number) => match([{ round: 1, number }, { round: 2, number }], [side(number), side(9 - number)])) }] };
  assert.deepEqual(bracket.allStages(quarters).map(({ name, matches }) => [name, matches.length]), [['Quarter-finals', 4], ['Semi-finals', 2], ['Final', 1]]);
  assert.equal(bracket.matchAt(quarters, 2, 3).game, 2);
  assert.equal(bracket.matchAt(quarters, 3, 1), null);
  assert.equal(bracket.matchAt(null, 1, 1), null);
  const final = { stages: [{ name: 'Final', matches: [match([{ round: 4, number: 1 }], [side(1), side(2)]), match([{ round: 4, number: 2 }], [side(3), side(4)], true)] }] };
  assert.equal(bracket.allStages(final).length, 1);
  assert.equal(bracket.stagesOf(final, 4), 'Final and third place');
  assert.equal(bracket.matchAt(final, 4, 2).stage, 'Third place');
  assert.equal(bracket.stageName(8), 'Round of 16');
});

test('places at a table', () => {
  assert.deepEqual([1, 2, 3, 4].map((seat) => words.placeAt([[2], [1, 3]], seat)), [2, 1, 2, 0]);
  assert.deepEqual([words.hasWon({ ranking: [[1, 2]], seats: [1, 2] }, 1), words.hasWon({ ranking: [[2]], seats: [1, 2] }, 2), words.hasWon({ ranking: null, seats: [1, 2] }, 1)], [false, true, false]);
});

// --- addresses

test('addresses of tournaments round-trip', () => {
  const state = { view: 'pairings', round: 3, player: 0, by: 'name', projector: true };
  assert.deepEqual(url.parseTournament(url.tournamentSearch(state)), state);
  assert.equal(url.tournamentSearch({ projector: true }), '?projector');
  assert.deepEqual(url.parseTournament('?view=x&round=-1&player=1e9&by=z'), { view: '', round: 0, player: 0, by: '', projector: false });
  assert.equal(filters.searchOf(url.parseTournaments('?name=open&status=RUNNING&x=1')), '?status=RUNNING&name=open');
  assert.deepEqual(url.tournamentsFilter(url.parseTournaments('?name=open')), { nameContains: 'open', archived: false });
  assert.equal(url.tournamentsFilter(url.parseTournaments('?archived=1')).archived, true);
});

// --- the hall

test('phones are sent to an address that they can reach', () => {
  assert.equal(url.serviceAddress('http://192.168.1.20:8080/tournaments/x/organise', '/tournaments/x/organise'), 'http://192.168.1.20:8080');
  assert.equal(url.serviceAddress('http://192.168.1.20:8080/games/x?ply=3', '/games/x'), 'http://192.168.1.20:8080');
  assert.equal(url.serviceAddress('https://a.example/games/tournaments/x', '/tournaments/x'), 'https://a.example/games');
  assert.equal(url.serviceAddress('', '/tournaments/x'), '');
  const loopback = ['http://localhost:8080', 'http://127.0.0.1:8080', 'https://[::1]:8080'];
  assert.deepEqual(loopback.map(url.addressProblem), loopback.map(() => 'loopback'));
  assert.deepEqual(['', '192.168.1.20', 'ftp://x', 'http://192.168.1.20:8080', 'https://games.example'].map(url.addressProblem), ['malformed', 'malformed', 'malformed', '', '']);
});

test('what waits is sent with the same key until the service has answered, and then no more', async () => {
  const [sent, kept] = [[], []];
  const answers = [{ code: 'OFFLINE' }, { code: 'OFFLINE' }, null];
  const outbox = new Outbox({ kept: null, keep: (waiting) => kept.push(waiting), post: async ({ key }) => { sent.push(key); const why = answers.shift(); if (why) throw why; } });
  assert.equal(await outbox.send(), true, 'nothing waits');
  outbox.put({ key: 'k', ranking: [[1], [2]] });
  assert.deepEqual(await Promise.all([outbox.send(), outbox.send()]), [false, false], 'one attempt at a time');
  assert.deepEqual([await outbox.send(), await outbox.send(), await outbox.send()], [false, true, true]);
  assert.deepEqual(sent, ['k', 'k', 'k']);
  assert.deepEqual(kept, [{ key: 'k', ranking: [[1], [2]] }, null]);
  const refused = new Outbox({ kept: { key: 'k', ranking: [[1, 2]] }, keep: (waiting) => kept.push(waiting), post: async () => { throw { code: 'FORBIDDEN' }; } });
  await assert.rejects(refused.send(), { code: 'FORBIDDEN' });
  assert.equal(refused.waiting, null);
});

test('byes are announced for all rounds that are not paired, of the kinds that count', () => {
  const rounds = [{ number: 1, status: 'CLOSED' }, { number: 2, status: 'PAIRED' }, { number: 3, status: 'UNPAIRED' }];
  assert.deepEqual(words.roundsAhead({ rounds, roundsPlanned: 5 }), [3, 4, 5]);
  assert.deepEqual(words.roundsAhead({ rounds: [], roundsPlanned: null }), [1, 2, 3, 4, 5]);
  assert.deepEqual(words.roundsAhead({ rounds, roundsPlanned: 2 }), []);
  assert.deepEqual([words.byeKinds('SWISS'), words.byeKinds('ROUND_ROBIN')], [['HALF', 'ZERO', 'FULL'], ['ZERO']]);
  assert.deepEqual(['1½', '½', '1,5', '2', '.5', '', 'x', '.', '1.25', '-1'].map(words.pointsTyped), [1.5, 0.5, 1.5, 2, 0.5, null, null, null, null, null]);
});

test('whoever is left over is not absent', () => {
  const of = (kind, format, entrant = {}) => words.byeName({ kind, entrant }, 2, format);
  assert.equal(of('ZERO', 'KNOCKOUT'), 'Advances without a game');
  assert.equal(of('ZERO', 'ROUND_ROBIN', { absences: [{ round: 3 }] }), 'Free this round');
  for (const entrant of [{ absences: [{ round: 2 }] }, { status: 'WITHDRAWN' }]) assert.equal(of('ZERO', 'ROUND_ROBIN', entrant), 'Absent');
  assert.deepEqual([of('ZERO', 'SWISS'), of('PAIRING', 'SWISS')], ['Absent', 'Bye']);
});

test('more rounds than opponents are noticed', () => {
  const of = (entrantsCount, roundsPlanned, more = {}) => words.roundsPossible({ format: 'SWISS', seats: 2, entrantsCount, roundsPlanned, ...more });
  assert.deepEqual([of(4, 5), of(5, 5), of(6, 5), of(4, 3), of(0, 5)], [3, 0, 0, 0, 0]);
  assert.deepEqual([of(4, 5, { seats: 4 }), of(4, 5, { format: 'FREE' })], [0, 0]);
});

test('people of one club are not to meet', () => {
  assert.deepEqual(words.clubGroups([{ number: 3, club: 'A' }, { number: 1, club: 'A' }, { number: 2, club: 'B' }, { number: 4, club: null }, { number: 5, club: 'B', status: 'REMOVED' }]), [[1, 3]]);
});

test('the next start is that of a round that is not open yet', () => {
  const at = ['2026-12-05T09:00:00Z', '2026-12-05T11:00:00Z'];
  const rounds = [{ number: 1, status: 'OPEN' }];
  assert.deepEqual(words.nextStart({ rounds, roundsAt: at }, Date.parse('2026-12-05T10:00:00Z')), { round: 2, at: at[1] });
  assert.deepEqual(words.nextStart({ rounds: [], roundsAt: at }, Date.parse('2026-12-05T08:00:00Z')), { round: 1, at: at[0] });
  assert.deepEqual(words.nextStart({ rounds, roundsAt: at }, Date.parse('2026-12-05T08:00:00Z')), { round: 2, at: at[1] }, 'it was opened early');
  assert.equal(words.nextStart({ rounds, roundsAt: at }, Date.parse('2026-12-05T12:00:00Z')), null);
  assert.equal(words.nextStart({ rounds, roundsAt: at, status: 'FINISHED' }, 0), null);
});

test('names are found without their accents, in any order', () => {
  const entrant = (number, name) => ({ number, name });
  const round = { tables: [{ number: 1, seats: [{ number: 1, entrant: entrant(1, 'O\'Connor, Siobhán') }, { number: 2, entrant: entrant(2, 'Guðmundsdóttir') }] }], unpaired: [] };
  assert.deepEqual(['siobhan', 'siobhan conn', 'gudmund', 'x', ''].map((text) => words.foundIn(round, text).length), [1, 1, 1, 0, 0]);
  const spelled = { tables: [], unpaired: [{ entrant: entrant(3, 'Weiß-Müller, Łukasz Sørensen') }] };
  assert.deepEqual(['weiss', 'mueller', 'muller', 'MÜLLER weiß', 'lukasz sorensen'].map((text) => words.foundIn(spelled, text).length), [1, 1, 1, 1, 1]);
});

test('tables on a projector are not torn', () => {
  assert.deepEqual(words.packed([[1, 1, 1], [2, 2, 2], [3, 3]], 5), [[1, 1, 1], [2, 2, 2, 3, 3]]);
  assert.deepEqual(words.packed([[1, 1, 1]], 2), [[1, 1, 1]], 'one that is too long has a column of its own');
});

test('tie-breaks that a format refuses are not offered', () => {
  const codes = (format, seats) => form.tieBreaksFor(format, seats).map(([code]) => code);
  assert.ok(codes('SWISS', 2).includes('BH/C1') && !codes('ROUND_ROBIN', 2).includes('BH/C1'));
  assert.ok(codes('SWISS', 4).includes('BH') && !codes('SWISS', 4).includes('TPR'));
});

test('the log says what was decided, and who decided it', () => {
  const names = new Map([[3, 'Ada'], [4, 'Bela'], [5, 'Carl']]);
  const events = [
    { seq: 1, type: 'paired', body: { round: 2, tables: [[1, 2], [3, 4]] } }, { seq: 2, type: 'pairing_changed', body: { round: 2, tables: [[1, 2], [4, 3]] } },
    { seq: 9, type: 'paired', body: { round: 2, tables: [] } },
  ];
  const at = (type, body) => eventWords({ type, body: { round: 2, table: 2, ...body } }, names, seatsAt(events, { seq: 5, body: { round: 2, table: 2 } }));
  assert.equal(at('result_recorded', { ranking: [[1], [2]] }), 'Result · round 2, table 2 · Bela 1–0 Ada');
  assert.equal(at('forfeited', { seats: [2] }), 'Forfeit · round 2, table 2 · did not come: Ada');
  assert.equal(eventWords({ type: 'result_recorded', body: { round: 1, table: 1, ranking: [[2], [1, 3]] } }, names), 'Result · round 1, table 1 · seat 2, then seat 1 = seat 3');
  assert.equal(eventWords({ type: 'absence_announced', body: { entrant: 5, round: 4, bye: 'half' } }, names), 'Will miss a round · Carl · round 4 · Half-point bye');
  assert.equal(eventWords({ type: 'withdrawn', body: { entrant: 5, from_round: 3 } }, names), 'Withdrew · Carl · from round 3');
  assert.equal(deciderWords({ by: 'arbiter', who: 'table:fd4e2e41', body: { at_table: true, table: 4 } }, new Map()), 'At table 4');
  assert.equal(deciderWords({ by: 'arbiter', who: 'organiser:ab12cd34', body: {} }, new Map([['ab12cd34', 'Night shift']])), 'Organiser · Night shift');
  assert.equal(deciderWords({ by: 'service', who: null, body: {} }, new Map()), 'Service');
});

test('a copy has neither players nor times', () => {
  const tournament = { name: 'Open', kind: 'tri', format: 'SWISS', formatOptions: {}, roundsPlanned: 5, seats: 2, startsAt: '2026-11-21T09:00:00.000Z', endsAt: null, roundsAt: ['2026-11-21T09:00:00.000Z'], announcement: 'Lunch', scoring: { by: 'result', win: 10, draw: 5, loss: 0 }, tieBreaks: [], setups: [], rated: true, byePolicy: null };
  const { name, rounds, startsAt, roundsAt, announcement } = form.copied(tournament);
  assert.deepEqual([name, rounds, startsAt, roundsAt, announcement], ['Open', '5', '', '', '']);
});

test('a scoring that the form does not offer is kept, by a copy too', () => {
  const usual = { by: 'result', draw: 5, loss: 0, win: 10 };
  const scored = (scoring, seats = 2) => {
    const fields = form.copied({ name: 'Open', kind: 'tri', format: 'SWISS', seats, scoring, roundsAt: [], tieBreaks: [], setups: [] });
    return form.inputOf(fields, { minSeats: seats, maxSeats: seats }).scoring;
  };
  for (const own of [{ ...usual, win: 20 }, { ...usual, win: 30 }, { by: 'beaten' }, { by: 'beaten', full: 2 }, { by: 'place', points: [40, 25] }]) assert.deepEqual(scored({ ...own, pairing_bye: 10 }), own);
  assert.deepEqual([scored(usual), scored({ by: 'beaten', full: 4 }, 4)], [undefined, undefined]);
  assert.deepEqual(scored({ by: 'beaten', full: 3 }, 4), { by: 'beaten', full: 3 });
});

test('a setup that the form can show comes back from it', () => {
  const schema = { properties: { players: { type: 'integer' }, round_seconds: { type: 'integer', default: 60 }, fog: { type: 'boolean', default: false }, side: { enum: ['a', 'b'], default: 'a' }, extras: { type: 'array', items: { type: 'integer' } } } };
  const setup = { round_seconds: 30, fog: true, side: 'b', extras: [1, 2] };
  const values = valuesOf(schema, { ...setup, players: 4 });
  assert.deepEqual(setupOf(schema, values, 4).setup, { ...setup, players: 4 });
  assert.equal(setupFields(schema).length, 4);
  assert.equal(valuesOf(schema, { unknown: 1 }), null);
  assert.equal(valuesOf(schema, { round_seconds: { a: 1 } }), null);
  assert.deepEqual(valuesOf(schema, {}), {});
  assert.deepEqual(shownOf(schema, { ...setup, unknown: 1 }), { way: 0, values: valuesOf(schema, setup) });
});

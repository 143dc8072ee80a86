// Slips to be printed, for tables and of results.

import { number, plural } from '../locale.js';

export const slips = {
  tableSlips: 'Tischzettel',
  resultSlips: 'Ergebniszettel',
  forRound: (round) => `Tischzettel für Runde ${round}`,
  resultsOf: (round) => `Ergebnisse der Runde ${round}`,
  explained: 'Auf jedem Zettel stehen ein Link und ein QR-Code für den Tisch. Wer ihn hat, kann das Ergebnis dieses Tisches eintragen und seine Partie protokollieren, bis die Runde abgeschlossen ist, sonst nichts.',
  earlierEnd: 'Frühere Links für dieselben Tische gelten dann nicht mehr.',
  all: (tables) => plural(tables, { one: 'Der eine Tisch', other: `Alle ${number(tables)} Tische` }),
  waiting: (tables) => plural(tables, { one: `${number(tables)} Tisch ohne Ergebnis`, other: `${number(tables)} Tische ohne Ergebnis` }),
  noResults: (round) => `In Runde ${round} ist noch keine Partie mit Protokoll zu Ende. Ein Ergebnis, das ohne Protokoll eingetragen wurde, hat keinen letzten Hash, der gedruckt werden könnte.`,
  print: 'Drucken',
  close: 'Zettel schließen',
  resultsHint: 'Wer einen Zettel aufhebt, kann später zeigen, wenn das Protokoll geändert wurde: Der Code führt zur Partie und nennt ihr jetzt letztes Ereignis.',
  tablesHint: 'Sie werden nur einmal gezeigt: Nach dem Verlassen dieser Seite braucht es neue.',
  table: (table) => `Tisch ${table}`,
  round: (round) => `Runde ${round}`,
  result: 'Ergebnis',
  resultIs: (result) => ['Ergebnis ', result],
  writePlaces: 'Hinter jeden Namen den Rang schreiben.',
  scan: 'Scannen, um das Ergebnis einzutragen. Gültig, bis die Runde abgeschlossen ist.',
  scanUntil: (at) => `Scannen, um das Ergebnis einzutragen. Gültig, bis die Runde abgeschlossen ist, höchstens bis ${at}.`,
  link: (table) => `Link für Tisch ${table}`,
  recordAfter: (plies, head) => [plural(plies, { one: `Das Protokoll nach ${number(plies)} Halbzug: `, other: `Das Protokoll nach ${number(plies)} Halbzügen: ` }), head, '. Scannen, um es mit dem Protokoll zu vergleichen, wie es dann ist.'],
  gameOf: (table) => `Die Partie an Tisch ${table} mit ihrem letzten Hash`,
};

// Two boards side by side, A and B.

import { number, plural } from '../locale.js';

export const beside = {
  sameTwice: 'Zweimal dieselbe Stellung.',
  ahead: (count) => `Dieselbe Partie; B ist ${plural(count, { one: 'einen Halbzug', other: `${number(count)} Halbzüge` })} weiter.`,
  behind: (count) => `Dieselbe Partie; B ist ${plural(count, { one: 'einen Halbzug', other: `${number(count)} Halbzüge` })} zurück.`,
  different: 'Das sind verschiedene Spiele: Es wird nichts verglichen.',
  otherSetups: 'Sie beginnen mit verschiedenen Aufbauten.',
  plays: (name, action) => `spielt ${name} ${action}`,
  ends: 'ist sie zu Ende',
  sameActions: 'In beiden wurden dieselben Aktionen gespielt.',
  partAtOnce: (a, b) => `Sie trennen sich sofort: Dann ${a} in A, und ${b} in B.`,
  partLater: (ply, a, b) => `Bis Halbzug ${ply} sind sie gleich: Dann ${a} in A, und ${b} in B.`,
  titleOne: 'Eine Partie, zwei Halbzüge',
  title: 'Nebeneinander',
  pageTitle: (names) => `${names} · nebeneinander · Plybook`,
  back: (board) => `Nur ${board} einen Halbzug zurück`,
  on: (board) => `Nur ${board} einen Halbzug weiter`,
  fromHere: 'Die Partie von hier an',
  figures: (board) => `Plätze und Zahlen von ${board}`,
  underlined: ' Unterschiede sind unterstrichen.',
  plies: (a, lastA, b, lastB) => `A: Halbzug ${a} von ${lastA}; B: Halbzug ${b} von ${lastB}`,
  nothing: 'Alles steht an denselben Stellen.',
  differences: (count) => `${plural(count, { one: '1 Unterschied', other: `${number(count)} Unterschiede` })}, auf den Brettern markiert.`,
  manyDifferences: (count, most) => `${plural(count, { one: '1 Unterschied', other: `${number(count)} Unterschiede` })}, auf den Brettern markiert. Die ersten ${most}:`,
  announced: (board, ply, told) => `${board}, Halbzug ${ply}. ${told}`,
  noGame: 'Das benennt keine Partie: die Adresse ihrer Seite oder ihre Kennung einfügen.',
};

import { number, plural } from '../locale.js';

export const strip = {
  marks: { capture: 'Schlagzüge', dice: 'Würfe', comment: 'Kommentare', mistake: 'Fehler' },
  noPly: (part, last) => `„${part}“ ist kein Halbzug von 0 bis ${last} und kein Bereich wie 4-8.`,
  noMarks: 'Die Partie hat keine solchen Marken.',
  pageTitle: (names) => `${names} · Diagramme · Plybook`,
  plies: (count) => plural(count, { one: '1 Halbzug', other: `${number(count)} Halbzüge` }),
  firstOf: (most, count) => `Die ersten ${number(most)} von ${number(count)} Diagrammen.`,
  loading: (ply) => `Halbzug ${ply} …`,
};

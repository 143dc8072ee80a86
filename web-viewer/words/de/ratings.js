import { number } from '../locale.js';

export const ratings = {
  players: (count) => `${number(count)} Spieler`,
  loading: 'Wertungen werden geladen …',
  none: 'Es sind noch keine gewerteten Partien aufgezeichnet.',
  noneSure: 'Noch niemand hat genug gewertete Partien gespielt.',
  showProvisional: 'Vorläufige Wertungen anzeigen',
  no: 'Nr.',
  rating: 'Wertung',
  lastGame: 'Letzte Partie',
  ratings: 'Wertungen',
  provisional: 'vorläufig',
  about: 'Die Spielstärke liegt mit einer Wahrscheinlichkeit von etwa 95 % höchstens zweimal ± von der Wertung entfernt. Ein Fragezeichen steht bei vorläufigen Wertungen, die noch zu unsicher sind.',
};

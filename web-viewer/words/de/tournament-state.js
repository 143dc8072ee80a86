import { number, plural } from '../locale.js';

export const states = {
  formats: { SWISS: 'Schweizer System', ROUND_ROBIN: 'Rundenturnier', KNOCKOUT: 'K.-o.-System', GROUPS_KNOCKOUT: 'Gruppen, dann K.-o.', FREE: 'Freie Paarungen' },
  doubleRoundRobin: 'Doppelrundenturnier',
  bestOf: (games) => `Best of ${games}`,
  rounds: (count) => plural(count, { one: `${number(count)} Runde`, other: `${number(count)} Runden` }),
  statuses: { PLANNED: 'Geplant', RUNNING: 'Läuft', FINISHED: 'Beendet' },
  round: (round, state) => `Runde ${round}: ${state}`,
  roundOf: (round, planned, state) => `Runde ${round} von ${planned}: ${state}`,
  roundStates: { UNPAIRED: 'noch nicht gepaart', PAIRED: 'gepaart', OPEN: 'läuft', CLOSED: 'beendet' },
  byes: { PAIRING: 'Freilos', HALF: 'Freilos mit halbem Punkt', FULL: 'Freilos mit ganzem Punkt', ZERO: 'Abwesend' },
  leftOver: { ROUND_ROBIN: 'Spielfrei', KNOCKOUT: 'Kommt ohne Partie weiter', GROUPS_KNOCKOUT: 'Spielfrei' },
  shortByes: { PAIRING: 'frei', HALF: '½ frei', FULL: 'frei', ZERO: '–' },
  draw: 'Remis',
  won: (name) => `${name} hat gewonnen`,
  ranking: (places) => places.join(', dann '),
  inZones: (there, here) => `${there} (hier: ${here})`,
  stage: (matches) => ({ 1: 'Finale', 2: 'Halbfinale', 4: 'Viertelfinale', 8: 'Achtelfinale' }[matches] ?? `Runde der letzten ${2 * matches}`),
  thirdPlace: 'Spiel um Platz 3',
  andThirdPlace: (stage) => `${stage} und Spiel um Platz 3`,
  live: { connecting: 'Verbindung wird hergestellt', live: 'Live', offline: 'Offline', refused: 'Nicht verfolgt' },
};

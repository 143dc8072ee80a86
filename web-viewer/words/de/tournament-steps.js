import { number, plural } from '../locale.js';

export const steps = {
  finished: 'Das Turnier ist beendet.',
  check: (round) => `Die Paarungen der Runde ${round} prüfen, bei Bedarf ändern, dann die Runde eröffnen.`,
  open: (round) => `Runde ${round} eröffnen`,
  opened: (round) => `Runde ${round} ist eröffnet.`,
  enter: (players) => `Spieler anmelden: Mindestens ${players} werden gebraucht.`,
  decided: 'Die K.-o.-Runde ist entschieden.',
  allPlayed: 'Alle Runden sind gespielt.',
  finish: 'Turnier beenden',
  byHand: (round) => `Runde ${round} ist von Hand zu paaren.`,
  pairFirst: (players, round) => plural(players, {
    one: `${number(players)} Spieler ist angemeldet. Zuerst Rückzüge und Freilose eintragen, dann Runde ${round} paaren.`,
    other: `${number(players)} Spieler sind angemeldet. Zuerst Rückzüge und Freilose eintragen, dann Runde ${round} paaren.`,
  }),
  pairNext: (over, round) => `Runde ${over} ist vorbei. Zuerst Rückzüge und Freilose eintragen, dann Runde ${round} paaren.`,
  pair: (round) => `Runde ${round} paaren`,
  paired: (round) => `Runde ${round} ist gepaart.`,
  close: (round) => `Runde ${round} abschließen`,
  closed: (round) => `Runde ${round} ist abgeschlossen.`,
  allIn: (round) => `Alle Ergebnisse der Runde ${round} liegen vor.`,
  allInBut: (round, count, tables) => plural(count, {
    one: `Alle anderen Ergebnisse von Runde ${round} sind da; Tisch ${tables} ist vertagt und zählt für die Auslosung als remis.`,
    other: `Alle anderen Ergebnisse von Runde ${round} sind da; die Tische ${tables} sind vertagt und zählen für die Auslosung als remis.`,
  }),
  disputed: (round, count, tables) => plural(count, {
    one: `Runde ${round}: An Tisch ${tables} wurden zwei verschiedene Ergebnisse eingetragen. Bitte wählen, welches zählt.`,
    other: `Runde ${round}: An den Tischen ${tables} wurden je zwei verschiedene Ergebnisse eingetragen. Bitte wählen, welche zählen.`,
  }),
  adjourned: (round, count, tables) => plural(count, {
    one: `Runde ${round}: Tisch ${tables} ist vertagt. Dort das Ergebnis eintragen, dann beenden.`,
    other: `Runde ${round}: Die Tische ${tables} sind vertagt. Dort die Ergebnisse eintragen, dann beenden.`,
  }),
  results: (count, of) => plural(of, { one: `${count} von ${number(of)} Ergebnis`, other: `${count} von ${number(of)} Ergebnissen` }),
  missing: (round, results, missing, tables) => plural(missing, {
    one: `Runde ${round}: ${results} eingetragen; es fehlt Tisch ${tables}.`,
    other: `Runde ${round}: ${results} eingetragen; es fehlen die Tische ${tables}.`,
  }),
  pairByHand: 'Von Hand paaren',
  tooManyRounds: (planned, possible) => `Geplant sind ${planned} Runden, aber nach ${possible} haben alle gegeneinander gespielt.`,
};

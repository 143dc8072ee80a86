import { number, plural } from '../locale.js';

export const controls = {
  atPly: (ply, last) => `Halbzug ${ply} von ${last}`,
  atPlyTold: (ply, last, told) => `Halbzug ${ply} von ${last}: ${told}`,
  play: 'Abspielen',
  pause: 'Anhalten',
  fresh: (count) => `${plural(count, { one: '1 neuer Halbzug', other: `${number(count)} neue Halbzüge` })} ›`,
  since: (ply) => `Seit Halbzug ${ply}:`,
  unchanged: (ply) => `Auf dem Brett hat sich seit Halbzug ${ply} nichts geändert.`,
  mark: (ply, text) => `Halbzug ${ply}: ${text}`,
  marks: (ply, text, count) => `Halbzug ${ply}: ${text} (${count} Marken hier)`,
  viewers: { me: 'ich', public: 'die Öffentlichkeit', all: 'jemand, der alles sieht' },
  title: 'Tastatur und Einstellungen',
  settings: 'Einstellungen, in diesem Browser gespeichert',
  choices: { motion: 'Schritte animieren', labels: 'Koordinaten, Zahlen und kleine Buchstaben auf dem Brett zeigen', results: 'Das Ergebnis schon vor dem Ende zeigen', bold: 'Figuren und Felder mit hohem Kontrast', inWords: 'Die Züge in Worten, soweit das Brett sie zeigt', sound: 'Schritte sind zu hören', wheel: 'Mit dem Mausrad über dem Brett blättern', stops: 'Abspielen hält an Marken an: Kommentare, Fehler, Rücknahmen, Entscheidungen', letters: 'Buchstaben, Ziffern und Zeichen sind Tasten, etwa f zum Drehen des Bretts' },
  swipe: 'Über das Brett wischen, um zu blättern; eine Schrittaste gedrückt halten, um weiterzublättern. Die Adresse enthält den Halbzug: Wer sie teilt, zeigt genau diese Stellung.',
  stopsAt: 'Abspielen hält auch an ',
  nowhere: 'nirgends sonst',
  afterCaptures: 'nach Schlagzügen',
  beforeTurns: (name) => `vor Zügen von ${name}`,
  plyUpTo: (last) => `Halbzug, 0 bis ${number(last)}`,
  go: 'Los',
};

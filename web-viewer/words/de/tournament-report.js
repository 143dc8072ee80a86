// A tournament that is imported from a report file.

import { number, plural } from '../locale.js';

export const report = {
  title: 'Aus einer Turnierdatei (TRF)',
  hint: 'Ihre Spieler, Runden, Ergebnisse und Freilose werden ein Turnier, das weitergespielt werden kann. Vorher ist zu sehen, was darin steht.',
  file: 'Eine Turnierdatei (TRF16 oder TRF26)',
  tooLarge: (file) => `${file} ist zu groß für eine Turnierdatei.`,
  rounds: (count) => plural(count, { one: `${number(count)} Runde`, other: `${number(count)} Runden` }),
  tables: (count) => plural(count, { one: `${number(count)} Tisch`, other: `${number(count)} Tische` }),
  forfeits: (count) => `${number(count)} davon kampflos`,
  byes: (count) => plural(count, { one: `${number(count)} Freilos mit Punkten`, other: `${number(count)} Freilose mit Punkten` }),
  open: (count) => `${number(count)} ohne Ergebnis`,
  leftOut: 'Nicht übernommen:',
  left: {
    BIRTHS: 'Geburtsdaten (was ein Turnier aufzeichnet, lässt sich nie löschen)', UNRATED: 'dass Partien von weniger als einem Zug nicht gewertet werden', ACCELERATION: 'virtuelle Punkte außer nach Baku',
    FORBIDDEN: 'wer nur in manchen Runden nicht aufeinandertreffen darf', TIE_BREAKS: 'Feinwertungen, die hier nicht bekannt sind', RECORDS: 'zu lange oder zu viele Einträge', FORMAT: 'wie gepaart wurde: Weitere Runden werden von Hand gepaart',
  },
  caption: 'Spieler in der Datei',
  chooseKind: 'Zuerst das Spiel wählen',
  chooseFor: (count) => `Wählen, wer ${number(count)} Spieler sind`,
  take: 'Turnier übernehmen',
  running: 'Wird übernommen …',
};

import { listed, moment } from '../locale.js';

export const entries = {
  submits: (name) => `${name} gibt ab`,
  fairRoll: 'Ein fairer Wurf',
  undone: 'Die letzte Eingabe wird zurückgenommen',
  goesOn: 'Die Partie geht weiter',
  resigns: (name) => `${name} gibt auf`,
  offers: (name) => `${name} bietet Remis an`,
  accepts: (name) => `${name} nimmt das Remis an`,
  declines: (name) => `${name} lehnt das Remis ab`,
  outOfTime: (name) => `Die Zeit von ${name} ist abgelaufen`,
  deadline: (at, reason) => `Frist ${moment(at)}: ${reason}`,
  noDeadline: (reason) => `Keine Frist: ${reason}`,
  comment: (ply, comment) => `Kommentar zu Halbzug ${ply}: ${comment}`,
  theirs: (ply, text) => `Halbzug ${ply}: ${text}`,
  overtaken: (entries) => `Jemand anders hat eingetragen: ${listed(entries)}.`,
  changed: 'Jemand anders hat inzwischen das Protokoll dieser Partie geändert.',
  needsKey: 'In dieser Partie wird alles signiert. Einen Signaturschlüssel erzeugen, dann noch einmal eintragen.',
};

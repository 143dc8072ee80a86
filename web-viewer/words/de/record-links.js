import { moment } from '../locale.js';

export const links = {
  who: 'Wer einen Link hat, kann diese Partie ohne Anmeldung aufzeichnen, sonst nichts. Neue Links machen die früheren ungültig.',
  make: 'Links für den Tisch und die Plätze erstellen',
  theTable: 'Der Tisch',
  ownSeat: 'Sieht und spielt nur diesen Platz.',
  everySeat: 'Zeichnet für alle Plätze auf.',
  validUntil: (at) => `Gültig bis ${moment(at)}.`,
  open: 'Öffnen',
  copy: 'Kopieren',
  copyFor: (name) => `Link für ${name} kopieren`,
  copyForTable: 'Link für den Tisch kopieren',
  copied: (name) => `Der Link für ${name} ist kopiert.`,
  copiedForTable: 'Der Link für den Tisch ist kopiert.',
  notCopied: 'Der Browser hat ihn nicht kopiert: den Link gedrückt halten und von Hand kopieren.',
};

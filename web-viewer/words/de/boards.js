import { number } from '../locale.js';

export const boards = {
  none: 'In diesen Partien keine.',
  counted: 'Was gezählt wird',
  numbers: 'Zahlen',
  place: (place, count, what, share) => `${place}: ${number(count)} ${what}, ${share}`,
  most: (about, most, total) => `${about} Am meisten auf einem Feld: ${number(most)} von ${number(total)}.`,
  unseen: (places) => `Auf diesem Brett nicht zu sehen: ${places}.`,
  colours: 'Farben',
  mostAt: 'Am meisten auf',
  comparison: 'Vergleich',
  whatIsThere: 'Was dort steht',
  number: 'Anzahl',
  whatToAsk: 'Wonach ein Klick fragt',
  addRow: 'Bedingung hinzufügen',
  clickPlaces: 'Felder auf dem Brett anklicken; noch einmal klicken entfernt sie.',
  byHand: 'Das ist von Hand geschrieben; in Zeilen lässt es sich nicht sagen.',
  removeRow: (what) => `${what} entfernen`,
};

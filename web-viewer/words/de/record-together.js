// Putting an action together on the board: trays of pieces, or a path. The titles of trays and the names of pieces come
// from the service.

export const together = {
  trays: 'Was auf das Brett gestellt wird',
  trayNames: 'Vorräte',
  foreign: 'Die Eingabe lässt sich nicht auf dem Brett zeigen. Sie kann gelöscht oder fortgesetzt werden.',
  left: 'übrig',
  enterLaid: 'Diesen Aufbau eintragen',
  undo: 'Rückgängig',
  takeOff: (place) => `${place} leeren`,
  clearTray: (title) => `${title} zurücklegen`,
  clear: 'Löschen',
  howTo: 'Eine Figur antippen, dann ein Feld auf dem Brett. Eine Figur auf dem Brett antippen, um sie zu versetzen oder mit einer anderen zu tauschen.',
  missing: (trays) => `Es fehlt: ${trays.join('; ')}.`,
  lacks: (title, pieces) => `${title}: ${pieces.join(', ')}`,
  pieces: (count, name) => (count > 1 ? `${count} ${name}` : name),
  more: (count) => `noch ${count}`,
  nothingMissing: 'Es fehlt nichts. Die Regeln werden beim Eintragen geprüft.',
  notForTray: (title, place) => `${title}: auf ${place} nicht erlaubt.`,
  notForPiece: (name, place) => `${name}: auf ${place} nicht erlaubt.`,
  chooseFirst: (place) => `Zuerst wählen, was auf ${place} kommt.`,
  drawn: 'Der Weg auf dem Brett',
  path: (places) => `Von ${places.join(' nach ')}.`,
  pathEnds: (places) => `Von ${places.join(' nach ')}. Weiter geht es nicht.`,
  pathStarts: (place) => `Von ${place}: das nächste Feld auf dem Brett antippen oder stehen bleiben.`,
  noPath: 'Die Eingabe ist kein Weg von hier aus.',
  enter: (action) => `${action} eintragen`,
};

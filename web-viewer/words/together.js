// Putting an action together: trays of pieces, a path, the faces of dice. The titles of trays and the names of pieces come from
// the service.

export const together = {
  trays: 'What is put on the board',
  trayNames: 'Trays',
  foreign: 'What is typed cannot be shown on the board. Clear it, or type on.',
  // After the number of pieces that are still in the tray, for screen readers.
  left: 'left',
  enterLaid: 'Enter this set-up',
  takeOff: (place) => `Take ${place} off`,
  clearTray: (title) => `Clear ${title.toLowerCase()}`,
  clear: 'Clear',
  howTo: 'Tap a piece, then a place on the board. Tap a piece on the board to move it or to swap it with another.',
  // What several trays lack, each as `lacks` says it.
  missing: (trays) => `Missing: ${trays.join('; ')}.`,
  lacks: (title, pieces) => `${title}: ${pieces.join(', ')}`,
  pieces: (count, name) => (count > 1 ? `${count} ${name}` : name),
  // Pieces of any sort.
  more: (count) => `${count} more`,
  nothingMissing: 'Nothing is missing. The rules are checked when it is entered.',
  // After a tap that did nothing. `Pieces do not go to g5.`
  notForTray: (title, place) => `${title} do not go to ${place}.`,
  notForPiece: (name, place) => `${name} cannot go to ${place}.`,
  chooseFirst: (place) => `Choose what goes to ${place} first.`,
  drawn: 'The path on the board',
  path: (places) => `From ${places.join(' to ')}.`,
  pathEnds: (places) => `From ${places.join(' to ')}. It cannot go on.`,
  pathStarts: (place) => `From ${place}: tap the next place on the board, or stay.`,
  // Where it is not known where a path starts.
  chooseStart: 'Tap where this seat is, then the next places on the board.',
  noStart: (place) => `Nobody can be on ${place} now.`,
  noPath: 'What is typed is no path from here.',
  enter: (action) => `Enter: ${action}`,
  noStep: (place) => `No step leads to ${place} from here.`,
  // Whose die it is, and how many faces it has.
  die: (name, faces) => `${name}, die with ${faces} faces`,
  enterDice: 'Enter these dice',
  tapDice: 'Tap the face of every die',
};

// Changing a pairing by hand.

export const editor = {
  byHand: 'Pairing by hand',
  choose: 'Choose a player, then the one to swap places with.',
  chosen: (name) => `${name} is chosen. Choose another place, or Escape.`,
  nothingChosen: 'Nothing is chosen.',
  swapped: (one, other) => `${one} and ${other} have swapped places.`,
  saved: (round) => `The pairing of round ${round} is saved.`,
  notPlaying: 'Not playing',
  everybodyPlays: 'Everybody plays.',
  why: (name) => `Why ${name} does not play`,
  // Before a name, for screen readers.
  place: (table, seat) => `Table ${table}, seat ${seat}: `,
  out: 'Not playing: ',
  // An entrant without a name, and a seat without an entrant.
  number: (entrant) => `No. ${entrant}`,
  nobody: 'nobody',
  gaps: (tables) => `A seat is empty at table ${tables}`,
  save: 'Save the pairing',
  saveAnyway: 'Save despite the warnings',
  discard: 'Discard',
  takeOut: 'Take out',
  takenOut: (name) => `${name} does not play.`,
  addTable: 'Add a table',
  tableAdded: 'A table was added.',
  moved: (name) => `${name} has changed places.`,
};

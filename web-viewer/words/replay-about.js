// The card that shows the game.

import { day, moment } from './locale.js';

export const about = {
  rulesOf: (title) => `Rules of ${title}`,
  rules: (version) => `Rules ${version}`,
  fork: (ply) => `Line from ply ${ply} of a game`,
  imported: (at) => `Imported ${day(at)}`,
  // When a game was imported, and, where that is known, from where and by whom.
  importedAt: (at) => `Imported ${moment(at)}`,
  importedFrom: (at, source) => `Imported ${moment(at)} from ${source}`,
  importedBy: (at, who) => `Imported ${moment(at)} by ${who}`,
  importedFromBy: (at, source, who) => `Imported ${moment(at)} from ${source} by ${who}`,
};

// What an action did. The names of things and places come from the service, in English.

import { listed } from '../locale.js';

export const happened = {
  dice: (hands) => `הקוביות: ${hands.join(', ')}`,
  chance: (action) => `מזל: ${action}`,
  clockwise: (name, kind, groups, degrees) => `${name}: סיבוב של ${kind} ${listed(groups)} ב־${degrees}° עם כיוון השעון.`,
  counterclockwise: (name, kind, groups, degrees) => `${name}: סיבוב של ${kind} ${listed(groups)} ב־${degrees}° נגד כיוון השעון.`,
  goes: (what, from, to) => `${what}: מ־${from} אל ${to}`,
  comes: (what, to) => `${what}: הגעה אל ${to}`,
  leaves: (what, from) => `${what}: עזיבה של ${from}`,
  moves: (name, what, from, to) => `${name}: העברת ${what} מ־${from} אל ${to}`,
  places: (name, what, to) => `${name}: הצבת ${what} על ${to}`,
  goesOf: (name, what, from, to) => `${what} של ${name}: מ־${from} אל ${to}`,
  gets: (name, what, to) => `${name}: קבלת ${what} על ${to}`,
  loses: (name, what, from) => `${name}: אובדן ${what} על ${from}`,
  owned: (name, what) => `${what} של ${name}`,
  unowned: (what) => what,
  went: (it, from, to) => `${it}: מ־${from} אל ${to}`,
  came: (it, to) => `${it}: הגעה אל ${to}`,
  gone: (it, from) => `${it} על ${from}: כבר לא שם`,
  onBoth: (it, a, b) => `${it}: על ${a} ב־A, על ${b} ב־B.`,
  onlyA: (it, place) => `${it}: רק ב־A, על ${place}.`,
  onlyB: (it, place) => `${it}: רק ב־B, על ${place}.`,
};

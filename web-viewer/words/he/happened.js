import { listed } from '../locale.js';

export const happened = {
  dice: (hands) => `הקוביות: ${hands.join(', ')}`,
  chance: (action) => `מזל: \u2068${action}\u2069`,
  clockwise: (name, kind, groups, degrees) => `\u2068${name}\u2069: סיבוב של \u2068${kind}\u2069 \u2068${listed(groups)}\u2069 ב־${degrees}° עם כיוון השעון.`,
  counterclockwise: (name, kind, groups, degrees) => `\u2068${name}\u2069: סיבוב של \u2068${kind}\u2069 \u2068${listed(groups)}\u2069 ב־${degrees}° נגד כיוון השעון.`,
  goes: (what, from, to) => `\u2068${what}\u2069: מ־\u2068${from}\u2069 אל \u2068${to}\u2069`,
  comes: (what, to) => `\u2068${what}\u2069: הגעה אל \u2068${to}\u2069`,
  leaves: (what, from) => `\u2068${what}\u2069: עזיבה של \u2068${from}\u2069`,
  moves: (name, what, from, to) => `\u2068${name}\u2069: העברת \u2068${what}\u2069 מ־\u2068${from}\u2069 אל \u2068${to}\u2069`,
  places: (name, what, to) => `\u2068${name}\u2069: הצבת \u2068${what}\u2069 על \u2068${to}\u2069`,
  goesOf: (name, what, from, to) => `\u2068${what}\u2069 של \u2068${name}\u2069: מ־\u2068${from}\u2069 אל \u2068${to}\u2069`,
  gets: (name, what, to) => `\u2068${name}\u2069: קבלת \u2068${what}\u2069 על \u2068${to}\u2069`,
  loses: (name, what, from) => `\u2068${name}\u2069: אובדן \u2068${what}\u2069 על \u2068${from}\u2069`,
  owned: (name, what) => `\u2068${what}\u2069 של \u2068${name}\u2069`,
  unowned: (what) => what,
  went: (it, from, to) => `\u2068${it}\u2069: מ־\u2068${from}\u2069 אל \u2068${to}\u2069`,
  came: (it, to) => `\u2068${it}\u2069: הגעה אל \u2068${to}\u2069`,
  gone: (it, from) => `\u2068${it}\u2069 על \u2068${from}\u2069: כבר לא שם`,
  onBoth: (it, a, b) => `\u2068${it}\u2069: על \u2068${a}\u2069 ב־A, על \u2068${b}\u2069 ב־B.`,
  onlyA: (it, place) => `\u2068${it}\u2069: רק ב־A, על \u2068${place}\u2069.`,
  onlyB: (it, place) => `\u2068${it}\u2069: רק ב־B, על \u2068${place}\u2069.`,
};

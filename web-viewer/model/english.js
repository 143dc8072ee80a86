// What the service says in English, in sentences of another language.

import { LANGUAGE } from '../words/language.js';

/**
 * English text as a part of a sentence: it keeps its direction there, and `marked` in base/dom.js says that it is English.
 * @param {string} text
 */
export function english(text) {
  return LANGUAGE === 'en' ? text : `\u2068${text}\u2069`;
}

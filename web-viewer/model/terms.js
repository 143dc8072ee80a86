// What games say, in the language of the page: a message catalogue whose keys are the English texts, with parameters.

import { LANGUAGE } from '../words/language.js';
import { terms } from '../words/terms.js';

/** @type {{pattern: RegExp, text: string}[] | null} */ let sentences = null;

/**
 * A sentence, the name of a thing, or the title of a column, in the language of the page; as it is if that is not known. Seats stay
 * `seat 1`: `named` puts names there.
 * @param {string} text
 * @returns {string}
 */
export function term(text) {
  if (Object.hasOwn(terms, text)) return terms[text];
  sentences ??= Object.keys(terms).filter((key) => key.includes('{1}')).map((key) => ({ pattern: patternOf(key), text: terms[key] }));
  for (const sentence of sentences) {
    const found = sentence.pattern.exec(text);
    if (found) return sentence.text.replaceAll(/\{(\d)\}/g, (_, index) => term(found[Number(index)]));
  }
  const parts = text.split(', ');
  return parts.length > 1 ? parts.map(term).join(', ') : counted(text);
}

/** A description in the language of the page; empty if it is known in English only. @param {string} text */
export function termOnly(text) {
  return Object.hasOwn(terms, text) ? terms[text] : LANGUAGE === 'en' ? text : '';
}

/** `2 rangers`, `R rangers`: something before a thing. */
function counted(text) {
  const [, count, thing] = /^(\d+|[A-Z]) (.+)$/.exec(text) ?? [];
  return thing && Object.hasOwn(terms, thing) ? `${count} ${terms[thing]}` : text;
}

function patternOf(key) {
  return new RegExp(`^${key.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\d\}/g, '(.+?)')}$`);
}

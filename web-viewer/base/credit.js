// Who designed a game, and where its rules are published.

import { lists as words } from '../words/lists.js';
import { h } from './dom.js';

/** @param {{designer: string, source: string}} rules */
export function creditOf({ designer, source }) {
  const published = /^https?:/.test(source) ? h('a', { href: source, rel: 'noreferrer' }, words.published) : h('bdi', { lang: 'en' }, source);
  return h('p', { class: 'hint' }, h('bdi', { lang: 'en' }, designer), ' · ', published);
}

// Players who are known here: what tells them apart from others of their name, and which of them somebody is.

import { h } from '../base/dom.js';
import { console as words } from '../words/console.js';

/** The player's rating here in a kind of game; null without one. */
export function ratingOf({ ratings }, kind) {
  const found = ratings.find((rating) => rating.kind === kind);
  return found ? Math.round(found.value) : null;
}

/** What distinguishes a known player from others with the same name. @returns {string[]} */
export function aboutPlayer(player, kind) {
  const { club, country, lastTournament, yearOfBirth } = player;
  return [ratingOf(player, kind), club, country, yearOfBirth, lastTournament && words.lastPlayed(lastTournament.name)].filter(Boolean).map(String);
}

/**
 * Who somebody is, to be chosen where there is more than one possibility.
 * @param {string} name @param {string} chosen one of the options, or empty
 * @param {[string, string][]} options each with its text
 * @param {(option: string) => void} choose
 */
export function who(name, chosen, options, choose) {
  if (options.length === 1) return options[0][1];
  return h('select', { 'aria-label': words.whoIs(name), onchange: (event) => choose(event.target.value) },
    !chosen && h('option', { value: '', selected: true }, words.choose), ...options.map(([option, text]) => h('option', { value: option, selected: option === chosen }, text)));
}

/** A known player as an option. */
export function knownText(player, name, kind) {
  return [words.knownHere, player.name === name ? '' : player.name, ...aboutPlayer(player, kind)].filter(Boolean).join(' · ');
}

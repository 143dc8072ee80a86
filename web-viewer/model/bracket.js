// The bracket of a knock-out: its stages, also those that nobody has reached yet.

import { listed } from '../words/locale.js';
import { tournament as words } from '../words/tournament.js';

/**
 * @typedef {{entrant: {number: number, rank: number, name: string} | null, score: number, won: boolean}} Side
 * @typedef {{thirdPlace: boolean, decided: boolean, sides: Side[], tables: any[]}} Match
 * @typedef {{matches: Match[]}} Stage
 */

/** @param {string} format */
export function hasBracket(format) {
  return format === 'KNOCKOUT' || format === 'GROUPS_KNOCKOUT';
}

/**
 * The name of a stage with this many matches.
 * @param {number} matches
 */
export function stageName(matches) {
  return words.stage(matches);
}

/**
 * All stages by name, down to the final; stages to come have empty places.
 * @param {{stages: Stage[]}} bracket
 * @returns {(Stage & {name: string})[]}
 */
export function allStages({ stages }) {
  const nobody = () => ({ entrant: null, score: 0, won: false });
  const ahead = [];
  for (let left = proper(stages.at(-1)).length / 2; left >= 1; left /= 2) {
    ahead.push({ name: stageName(left), matches: Array.from({ length: left }, () => ({ thirdPlace: false, decided: false, sides: [nobody(), nobody()], tables: [] })) });
  }
  return [...stages.map((stage) => ({ ...stage, name: nameOf(stage) })), ...ahead];
}

/**
 * The match that a table belongs to, with the game's number in it and what each had won before.
 * @param {{stages: Stage[]} | null | undefined} bracket
 * @param {number} round
 * @param {number} table
 * @returns {{stage: string, game: number, match: Match} | null}
 */
export function matchAt(bracket, round, table) {
  for (const stage of bracket?.stages ?? []) {
    for (const match of stage.matches) {
      const game = match.tables.findIndex((each) => each.round === round && each.number === table) + 1;
      if (game) return { stage: match.thirdPlace ? words.stateThirdPlace : nameOf(stage), game, match };
    }
  }
  return null;
}

/**
 * The name of a round's matches: `Semi-finals`, `Final and third place`.
 * @param {{stages: Stage[]} | null | undefined} bracket
 * @param {number} round
 */
export function stagesOf(bracket, round) {
  const isPlayed = ({ tables }) => tables.some((each) => each.round === round);
  const stages = bracket?.stages ?? [];
  const names = listed(stages.filter((stage) => proper(stage).some(isPlayed)).map(nameOf));
  if (!stages.some(({ matches }) => matches.some((match) => match.thirdPlace && isPlayed(match)))) return names;
  return names ? words.andThirdPlace(names) : words.stateThirdPlace;
}

function nameOf(stage) {
  return stageName(proper(stage).length);
}

function proper({ matches }) {
  return matches.filter(({ thirdPlace }) => !thirdPlace);
}

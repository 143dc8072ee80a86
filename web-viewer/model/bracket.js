// The bracket of a knock-out: its stages, also those that nobody has reached yet.

/**
 * @typedef {{entrant: {number: number, rank: number, name: string} | null, score: number, won: boolean}} Side
 * @typedef {{thirdPlace: boolean, decided: boolean, sides: Side[], tables: any[]}} Match
 * @typedef {{name: string, matches: Match[]}} Stage
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
  return { 1: 'Final', 2: 'Semi-finals', 4: 'Quarter-finals' }[matches] ?? `Round of ${2 * matches}`;
}

/**
 * All stages down to the final; stages to come have empty places.
 * @param {{stages: Stage[]}} bracket
 * @returns {Stage[]}
 */
export function allStages({ stages }) {
  const nobody = () => ({ entrant: null, score: 0, won: false });
  const ahead = [];
  for (let left = proper(stages.at(-1)).length / 2; left >= 1; left /= 2) {
    ahead.push({ name: stageName(left), matches: Array.from({ length: left }, () => ({ thirdPlace: false, decided: false, sides: [nobody(), nobody()], tables: [] })) });
  }
  return [...stages, ...ahead];
}

/**
 * The match that a table belongs to, with the game's number in it and what each had won before.
 * @param {{stages: Stage[]} | null | undefined} bracket
 * @param {number} round
 * @param {number} table
 * @returns {{stage: string, game: number, match: Match} | null}
 */
export function matchAt(bracket, round, table) {
  for (const { name, matches } of bracket?.stages ?? []) {
    for (const match of matches) {
      const game = match.tables.findIndex((each) => each.round === round && each.number === table) + 1;
      if (game) return { stage: match.thirdPlace ? 'Third place' : name, game, match };
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
  const named = (bracket?.stages ?? []).flatMap(({ name, matches }) => matches.filter(({ tables }) => tables.some((each) => each.round === round)).map(({ thirdPlace }) => (thirdPlace ? 'third place' : name)));
  return [...new Set(named)].join(' and ').replace(/^t/, 'T');
}

function proper({ matches }) {
  return matches.filter(({ thirdPlace }) => !thirdPlace);
}

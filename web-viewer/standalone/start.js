// Starts the replay of a game as one page: what a service would answer comes from the record and the rules in the page.

import { standAlone } from '../base/standalone.js';
import { Rules } from '../rules/index.js';
import { Answers } from './answers.js';

/**
 * @param {{record: string, style: string, rules: {title: string, kind: string}, teams: number[][], tournament: {id: string, name: string} | null}} packed
 * @param {Uint8Array} module the rules, compressed
 */
export async function start({ record, style, ...about }, module) {
  const answers = new Answers(await Rules.load(about.rules.kind, module), record, about);
  standAlone({ id: answers.record.game, style, module, record, lines: (id) => answers.lines(id), answer: (query, variables) => answers.answer(query, variables) });
  await import('../pages/game.js');
}

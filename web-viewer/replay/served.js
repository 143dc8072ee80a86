// What of the replay page only a service can answer: the explorer and the analysis. A page that stands alone does without.

import { byId } from '../base/dom.js';
import { Analysing } from './requests/analysing.js';
import { Evaluating } from './requests/evaluating.js';
import { Exploring } from './requests/exploring.js';
import { Learning } from './requests/learning.js';
import { AnalysisPanel } from './view/analysis.js';
import { Chances } from './view/chances.js';
import { Engine } from './view/engine.js';
import { Explorer } from './view/explorer.js';
import { Lesson } from './view/lesson.js';

/**
 * @param {import('./replay.js').Replay} replay
 * @param {import('./requests/playing.js').Playing} playing
 */
export function served(replay, playing) {
  const { folding } = playing.lines;
  const [exploring, analysing, evaluating] = [new Exploring(replay, folding), new Analysing(replay), new Evaluating(replay, folding)];
  const learning = new Learning(replay, playing, evaluating);
  const engine = new Engine(replay, evaluating, playing);
  const views = [
    new Explorer(byId('panel-explorer'), replay, exploring, playing), new AnalysisPanel(byId('panel-analysis'), replay, { analysing, learning, engine }),
    new Chances(byId('chances'), replay), new Lesson(replay, learning),
  ];
  return { views, requests: [exploring, analysing, evaluating, learning] };
}

// The statistics card with the heat map of the board.

import { common } from '../words/common.js';
import { statistics as words } from '../words/statistics.js';
import { number } from '../words/locale.js';
import { errorWords } from '../base/api.js';
import { compact } from './charts.js';
import { h, marked, s } from '../base/dom.js';
import { drawing, sceneClass } from '../base/drawing.js';
import { bar, barsTable, card } from './figures.js';
import { nameInText, nameWords } from '../model/format.js';
import { termOnly } from '../model/terms.js';
import { heatScene, legend, steps } from './heat.js';
import { heatSection } from './report.js';
import { percent } from './results.js';

const MOST = 10;

/**
 * The board, what its colours mean, and the places with the most.
 * @param {{heat: any, error: any, numbers: boolean}} state
 * @param {{what: (name: string) => void, numbers: () => void}} acts
 */
export function heatCard({ heat, error, numbers }, acts) {
  if (error) return card({ title: common.board, name: 'wide' }, h('p', { class: 'none', role: 'alert' }, ...marked(errorWords(error))));
  if (!heat || heat.choices.length === 0) return null;
  const options = { title: common.board, name: 'wide board-card', aside: choices(heat, numbers, acts), about: termOnly(heat.description), sections: [heatSection(heat)] };
  if (heat.total === 0) return card(options, h('p', { class: 'none' }, words.none));
  return card(options, h('div', { class: 'split' },
    heat.scene && board(heat, numbers),
    h('div', {}, heat.scene && colours(heat), mostTable(heat))));
}

function choices({ choices: known, scene, name: what }, numbers, acts) {
  const options = known.map(({ name }) => h('option', { value: name, selected: name === what }, nameWords(name)));
  return h('div', { class: 'aside' },
    h('label', { class: 'hidden', for: 'what' }, words.counted),
    h('select', { id: 'what', onchange: ({ target }) => acts.what(target.value) }, ...options),
    scene && h('label', { class: 'check' }, h('input', { type: 'checkbox', id: 'numbers', checked: numbers, onchange: acts.numbers }), words.numbers));
}

function board({ description, max, places, scene, total, name: what }, numbers) {
  const said = (place, value) => words.place(place, value, nameInText(what), percent(value / total));
  const drawn = heatScene(scene, places, { words: said, numbers });
  const label = words.most(description, max, total);
  const unseen = drawn.unseen.map((place) => `${place} ${number(places[place])}`).join(', ');
  return h('div', { class: 'seen' },
    s('svg', { class: `${sceneClass(drawn)} heat`, role: 'img', 'aria-label': label, viewBox: drawn.view.join(' ') }, ...drawing(drawn)),
    unseen && h('p', { class: 'hint' }, words.unseen(unseen)));
}

function colours({ places }) {
  const swatch = (step) => s('svg', { class: 'swatch', 'aria-hidden': 'true' }, s('rect', { class: `field heat-${step}`, width: '100%', height: '100%', rx: 3 }));
  return h('ul', { class: 'legend', 'aria-label': words.colours },
    ...legend(steps(Object.values(places))).map(({ step, text }) => h('li', {}, swatch(step), text)));
}

function mostTable({ max, places, total, name: what }) {
  const most = Object.entries(places).sort(([, a], [, b]) => b - a).slice(0, MOST);
  return barsTable([words.mostAt, '', nameWords(what), common.share], most.map(([place, value]) => h('tr', {},
    h('th', { scope: 'row' }, place),
    h('td', { class: 'wide' }, bar(value / max, 'warm')),
    h('td', { class: 'number' }, compact(value)),
    h('td', { class: 'number soft' }, percent(value / total)))));
}

// The chances of the seats along the game, under the board.

import { byId, h, s, setHidden } from '../../base/dom.js';
import { bands, courseWords } from '../../model/chances.js';

/** Draws the chart; a click leads to a ply. */
export class Chances {
  /**
   * @param {HTMLElement} place
   * @param {import('../replay.js').Replay} replay
   */
  constructor(place, replay) {
    this.place = place;
    this.svg = s('svg', { viewBox: '0 0 100 100', preserveAspectRatio: 'none', role: 'img' });
    this.labels = h('div', { class: 'band-labels', 'aria-hidden': 'true' });
    this.cursor = h('div', { class: 'band-cursor', 'aria-hidden': 'true' });
    place.append(this.svg, this.labels, this.cursor);
    /** @type {any[]} what the chart was made from */ this.from = [];
    place.addEventListener('click', ({ clientX }) => {
      const { left, width } = this.svg.getBoundingClientRect();
      const { game, id } = replay.now();
      replay.send('visit', id, Math.max(0, Math.min(game.ply, Math.round(((clientX - left) / width) * game.ply))));
    });
  }

  /** @param {import('../derive.js').Now} now */
  draw({ analysis, evaluated, evaluation, game, id, isTold, lesson, line, moments, ply }) {
    const here = isTold && !lesson?.isOpen ? evaluation ?? evaluated?.answer : null;
    byId('board').style.setProperty('--chances', here ? barOf(here) : 'none');
    // In a lesson, it would say where to look; a line has other plies; and who wins is not told before the end.
    const isThere = isTold && !lesson && line === id && (analysis?.plies?.length ?? 0) > 1;
    setHidden(this.place, !isThere);
    if (!game || !isThere) return;
    this.cursor.style.setProperty('--at', String(game.ply ? ply / game.ply : 0));
    const from = [analysis, game.ply, game.seats, moments];
    if (from.every((part, index) => part === this.from[index])) return;
    this.from = from;
    this.chart(analysis, game, moments);
  }

  chart(analysis, game, moments) {
    const found = bands(analysis.plies, game.ply);
    const rolls = analysis.plies.filter(({ luck }) => luck);
    const across = (at) => ((100 * at) / Math.max(game.ply, 1)).toFixed(2);
    this.svg.setAttribute('aria-label', courseWords(analysis, game.seats));
    this.svg.replaceChildren(
      ...found.map(({ seat, outline }) => s('polygon', { class: seat ? `band seat-${seat}` : 'band drawn', points: outline })),
      ...rolls.map(({ ply }) => s('line', { class: 'band-roll', x1: across(ply + 1), x2: across(ply + 1), y1: '94', y2: '100' })),
      ...moments.filter(({ isTurn }) => isTurn).map(({ ply }) => s('line', { class: 'band-turn', x1: across(ply), x2: across(ply), y1: '0', y2: '100' })));
    this.labels.replaceChildren(...found.filter(({ label }) => label).map(({ seat, label }) => {
      const text = h('span', { class: seat ? `band-label seat-${seat}` : 'band-label drawn' }, seat ? String(seat) : '=');
      text.style.setProperty('--x', String(label.x));
      text.style.setProperty('--y', String(label.y));
      return text;
    }));
  }
}

/** The chances at the ply shown, at the edge of the board: the first seat below, draws on top. */
function barOf({ chances, draw }) {
  let from = 0;
  const stops = [...chances, draw].map((share, index) => `${index < chances.length ? `var(--seat-${index + 1})` : 'var(--drawn)'} ${100 * from}% ${100 * (from += share)}%`);
  return `linear-gradient(to top, ${stops.join(', ')})`;
}

// What the present rules say of the game: above its log, or instead of the game if it cannot be shown.

import { refold as words } from '../../words/replay-refold.js';
import { errorWords } from '../../base/api.js';
import { byId, h, marked, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { refoldWords } from '../../model/refold.js';
import { placeAddress } from '../../model/url.js';

/** Draws what was found, or a button that asks for it. */
export class Refolded {
  /**
   * @param {HTMLElement} panel of the log
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/refolding.js').Refolding} refolding
   */
  constructor(panel, replay, refolding) {
    this.button = h('button', { type: 'button', onclick: () => refolding.judge() }, words.judge);
    this.said = h('p', { class: 'hint', role: 'status', onclick: (event) => visit(event, replay) });
    this.element = h('div', { class: 'refold' }, this.button, this.said);
    this.panel = panel;
    panel.prepend(this.element);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { game, id, moves, refold, tab } = now;
    // What was said of a log that has grown since is said no longer.
    const told = refold && refold.of === (game?.head.seq ?? -1) ? refold : null;
    if (!game) {
      const isGone = Boolean(told?.found && told.found.recorded !== told.found.present);
      if (isGone && !this.element.matches('#notice + *')) byId('notice').after(this.element);
      this.button.hidden = true;
      patch(this.said, isGone ? [words.gone, ...parts(told.found, { id, last: -1 })] : []);
      return;
    }
    if (this.element.parentElement !== this.panel) this.panel.prepend(this.element);
    if (tab !== 'log') return;
    this.button.hidden = Boolean(told?.found);
    this.button.setAttribute('aria-disabled', String(Boolean(told?.isBusy)));
    setText(this.button, told?.isBusy ? words.judging : words.judge);
    patch(this.said, told?.error ? marked(errorWords(told.error)) : told?.found ? parts(told.found, { id, last: moves.length }) : []);
  }
}

/** A difference names its ply, and leads there if the game came that far. */
function parts(found, { id, last }) {
  const { difference } = found;
  if (!difference) return [refoldWords(found)];
  const { log, ply, why } = difference;
  const place = ply <= last ? h('a', { href: placeAddress({ id, ply }), 'data-at': String(ply) }, words.ply(ply)) : words.ply(ply);
  return [refoldWords(found), ...(log === id ? words.here : words.inParent)(place, why)];
}

function visit(event, replay) {
  const link = event.target.closest('[data-at]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  replay.send('visit', replay.now().id, Number(link.dataset.at));
}

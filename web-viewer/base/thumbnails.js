// Small boards in lists: the last position of each game, loaded once its place comes into view, several in one request.

import { request } from './api.js';
import { s } from './dom.js';
import { drawing, sceneClass } from './drawing.js';
import { THUMBNAILS } from '../model/list-queries.js';

const BATCH = 8;
const WAIT_MS = 60;
const KEPT_MAX = 200;
/** Boards are loaded before they are scrolled to. */
const MARGIN = '240px';

/** Fills elements that name a game and its last ply, `data-game` and `data-ply`. */
export class Thumbnails {
  constructor() {
    /** @type {Map<string, SVGElement | null>} by game and ply; null for those that have been asked for, or cannot be seen */ this.boards = new Map();
    /** @type {Map<string, string>} the games that wait, by game and ply */ this.waiting = new Map();
    this.isBusy = false;
    /** @type {ParentNode} */ this.list = document;
    this.watcher = new IntersectionObserver((seen) => this.see(seen), { rootMargin: MARGIN });
  }

  /**
   * Puts the boards into a list that was drawn, as far as they are there, and watches for the others.
   * @param {ParentNode} list
   */
  show(list) {
    this.list = list;
    for (const place of list.querySelectorAll('[data-game]')) {
      const board = this.boards.get(keyOf(place));
      if (board && board.parentNode !== place) place.replaceChildren(board);
      else if (!this.boards.has(keyOf(place))) this.watcher.observe(place);
    }
  }

  see(seen) {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting) continue;
      this.watcher.unobserve(target);
      const key = keyOf(target);
      if (this.boards.has(key)) continue;
      this.boards.set(key, null);
      this.waiting.set(key, target.getAttribute('data-game') ?? '');
    }
    this.loadSoon();
  }

  loadSoon() {
    if (this.isBusy || this.waiting.size === 0) return;
    this.isBusy = true;
    setTimeout(() => this.load(), WAIT_MS);
  }

  async load() {
    const batch = [...this.waiting].slice(0, BATCH);
    for (const [key] of batch) this.waiting.delete(key);
    try {
      const { nodes } = await request(THUMBNAILS, { ids: batch.map(([, id]) => id) });
      batch.forEach(([key], index) => this.boards.set(key, picture(nodes[index])));
    } catch {
      // A list without pictures is still a list.
    }
    for (const key of this.boards.keys()) if (this.boards.size > KEPT_MAX && !this.waiting.has(key)) this.boards.delete(key);
    this.isBusy = false;
    this.show(this.list);
    this.loadSoon();
  }
}

const keyOf = (place) => `${place.getAttribute('data-game')}:${place.getAttribute('data-ply')}`;

/** What the board shows is in its row as text. */
function picture(game) {
  const scene = game?.position?.scene;
  return scene ? s('svg', { class: sceneClass(scene), 'aria-hidden': 'true', viewBox: scene.view.join(' ') }, ...drawing(scene)) : null;
}

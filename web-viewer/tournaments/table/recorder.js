// Recording the game of a table: places are tapped on the board, as on the replay page, or actions are typed.

import { request } from '../../base/api.js';
import { h, s, setText } from '../../base/dom.js';
import { drawing, sceneClass } from '../../base/drawing.js';
import { patch, row } from '../../base/patch.js';
import { counted, outcomeWords, seatOf, toActWords } from '../../model/format.js';
import { OFFERED_MAX, click, fitting, marks, promptWords, refusalWords } from '../../model/play.js';
import { LEGAL } from '../../model/queries.js';
import { TABLE_ACT, TABLE_ROLL } from '../../model/tournament-mutations.js';

/** Draws the board of a running game and sends its actions. */
export class Recorder {
  /** @param {HTMLElement} place @param {{token: () => string, game: () => any}} given */
  constructor(place, given) {
    this.given = given;
    /** @type {string[]} tapped places */ this.picked = [];
    this.by = '';
    this.isBusy = false;
    /** @type {any} */ this.refused = null;
    /** @type {{key: string, actions: string[] | null, prompt: any}} the legal actions, if several seats are to act */ this.legal = { key: '', actions: null, prompt: null };
    this.turn = h('p', { class: 'turn', role: 'status' });
    this.board = h('div', { class: 'board', onclick: (event) => this.tap(event) });
    this.who = h('div', { class: 'who', role: 'group', 'aria-label': 'For whom' });
    this.field = h('input', { id: 'action', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'send', oninput: () => this.again() });
    this.form = h('form', { class: 'row typed', onsubmit: (event) => { event.preventDefault(); this.type(); } },
      h('label', { for: 'action' }, 'Action'), this.field, h('button', { type: 'submit' }, 'Enter'));
    this.list = h('div', { class: 'offered', role: 'group', 'aria-label': 'Legal actions' });
    this.note = h('div', { role: 'alert' });
    place.append(this.turn, this.board, this.who, this.form, this.note, this.list);
  }

  again() {
    this.draw(this.given.game());
  }

  /** @param {any} game */
  draw(game) {
    const { position } = game;
    const isOver = game.status !== 'RUNNING';
    this.key = `${game.id} ${game.head.seq}`;
    if (this.drawn !== this.key) {
      this.drawn = this.key;
      this.picked = [];
      this.field.value = '';
      if (!position.toAct.includes(this.by)) this.by = position.toAct[0] ?? '';
      this.ask();
    }
    const last = game.moves.nodes[0]?.text;
    setText(this.turn, isOver ? outcomeWords(game) : [last, toActWords(position.toAct, game.seats)].filter(Boolean).join('. '));
    patch(this.board, [row('scene', [position, this.legal, this.picked], () => this.scene(position))]);
    this.board.classList.toggle('playable', !isOver && this.actions().length > 0);
    patch(this.who, position.toAct.length > 1 ? position.toAct.map((by) => h('button', { type: 'button', 'aria-pressed': String(by === this.by), onclick: () => this.actFor(by) }, toActWords([by], game.seats))) : []);
    this.form.hidden = isOver;
    patch(this.note, [
      this.refused && h('p', { class: 'bad' }, refusalWords(this.refused)),
      !isOver && !this.legal.actions && this.legal.prompt && h('p', { class: 'hint' }, promptWords(this.legal.prompt)),
    ].filter(Boolean));
    patch(this.list, isOver ? [] : this.offered());
  }

  offered() {
    const fit = fitting(this.actions(), this.picked, this.field.value);
    return [
      this.by === 'chance' && h('button', { type: 'button', class: 'primary', onclick: () => this.roll() }, 'Roll'),
      this.picked.length > 0 && h('button', { type: 'button', class: 'quiet', onclick: () => { this.picked = []; this.again(); } }, `${this.picked.join(' ')} ✕`),
      ...(this.picked.length > 0 || this.field.value || fit.length <= 12 ? fit.slice(0, OFFERED_MAX) : []).map((action) => h('button', { type: 'button', class: 'small', onclick: () => this.act(action) }, action)),
      fit.length > 12 && this.picked.length === 0 && !this.field.value && h('p', { class: 'hint' }, `${counted(fit.length, 'action')}: tap the board, or type.`),
    ].filter(Boolean);
  }

  actions() {
    return this.legal.actions ?? [];
  }

  scene({ scene, ply }) {
    const on = marks(scene, this.actions(), this.picked);
    return s('svg', { class: sceneClass(scene), role: 'img', 'aria-label': `Board after ply ${ply}`, viewBox: scene.view.join(' ') }, ...drawing(scene),
      ...on.length > 0 ? [s('g', { class: 'marks' }, ...on.map(({ at: [cx, cy], r, kind }) => s('circle', { class: `mark-${kind}`, cx, cy, r })))] : []);
  }

  /** Loads the legal actions of the seat that they are entered for. */
  async ask() {
    const game = this.given.game();
    const key = `${this.key} ${this.by}`;
    const { toAct, legalActions, prompt } = game.position;
    if (toAct.length < 2 && (legalActions || prompt)) this.legal = { key, actions: legalActions, prompt: prompt?.[this.by] ?? null };
    else {
      this.legal = { key, actions: null, prompt: null };
      const answer = this.by ? await request(LEGAL, { id: game.id, ply: game.ply, seat: seatOf(this.by) || null }, this.given.token()).catch(() => null) : null;
      if (key !== `${this.key} ${this.by}`) return;
      const position = answer?.game.position;
      this.legal = { key, actions: position?.legalActions ?? null, prompt: position?.prompt?.[this.by] ?? null };
      this.again();
    }
  }

  // --- input

  actFor(by) {
    this.by = by;
    this.picked = [];
    this.ask();
    this.again();
  }

  tap({ clientX, clientY }) {
    const found = document.elementsFromPoint(clientX, clientY).filter((element) => this.board.contains(element));
    const places = found.map((element) => element.getAttribute('data-place') ?? '');
    const groups = found.map((element) => (element.getAttribute('data-group') ?? '').replace(/^[^:]*:/, ''));
    const clicked = [...new Set([...places, ...groups])].filter(Boolean);
    if (clicked.length === 0 || this.isBusy) return;
    const { picked, play } = click(this.actions(), this.picked, clicked);
    this.picked = picked;
    this.refused = null;
    if (play) this.act(play);
    else this.again();
  }

  type() {
    const text = this.field.value.trim();
    const fit = fitting(this.actions(), this.picked, text);
    if (fit.length === 1 || text) this.act(fit.length === 1 ? fit[0] : text);
  }

  act(action) {
    return this.send(TABLE_ACT, { seat: seatOf(this.by) || null, action });
  }

  roll() {
    return this.send(TABLE_ROLL, {});
  }

  /** Sends the last event seen, so that of two who record the same game, one learns that it has continued. */
  async send(mutation, variables) {
    if (this.isBusy) return;
    const game = this.given.game();
    this.isBusy = true;
    this.refused = null;
    try {
      await request(mutation, { game: game.id, expectedSeq: game.head.seq, ...variables }, this.given.token());
    } catch (refused) {
      this.refused = refused;
    }
    this.isBusy = false;
    this.again();
  }
}

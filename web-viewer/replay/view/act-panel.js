// Playing from the position shown: legal actions, narrowed down by clicks on the board and by typing.

import { common } from '../../words/common.js';
import { playing as words } from '../../words/playing.js';
import { replay as page } from '../../words/replay.js';
import { errorWords, token } from '../../base/api.js';
import { byId, h, marked, setAttribute, setHidden, setText, settle } from '../../base/dom.js';
import { placesAt } from '../../base/drawing.js';
import { patch, row } from '../../base/patch.js';
import { actorName, toActWords } from '../../model/format.js';
import { OFFERED_MAX, click, fitting, promptWords, refusalWords } from '../../model/play.js';
import { isUnsaved, lineName } from '../../model/tree.js';
import { recordPath } from '../../model/url.js';
import { seenOn } from './sheet.js';

const TOUCHED = matchMedia('(pointer: coarse)');

/** Draws the panel and handles its input. */
export class ActPanel {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/playing.js').Playing} playing
   */
  constructor(replay, playing) {
    this.replay = replay;
    this.playing = playing;
    /** @type {import('./entering.js').Entering | null} once something is to be put together */ this.entering = null;
    /** @type {Promise<void> | null} */ this.loading = null;
    this.build();
    byId('act-open').addEventListener('click', () => this.set({ isOpen: !replay.now().act.isOpen }));
    byId('board').addEventListener('click', (event) => this.board(event));
  }

  build() {
    const button = (id, text, onclick) => h('button', { type: 'button', id, onclick }, text);
    this.who = h('select', { id: 'act-who', onchange: () => this.set({ by: this.who.value, picked: [], error: null }) });
    this.whoRow = h('label', { class: 'act-who' }, words.for, this.who);
    this.prompt = h('p', { class: 'hint' });
    this.assume = h('fieldset', { class: 'act-assume', hidden: true });
    this.label = h('label', { for: 'act-text' }, common.action);
    this.input = h('input', {
      id: 'act-text', type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go', 'data-steps': 'true',
      'aria-controls': 'act-list', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
      oninput: () => this.set({ typed: this.input.value, entry: null, active: -1, error: null }), onkeydown: (event) => this.key(event),
    });
    this.submit = h('button', { type: 'submit', class: 'primary', id: 'act-send' }, words.play);
    this.roll = button('act-roll', words.roll, () => this.attempt('roll'));
    this.row = h('form', { class: 'act-row', onsubmit: (event) => { event.preventDefault(); this.send(); } }, this.label, this.input, this.submit, this.roll);
    this.together = h('div', { class: 'act-together' });
    this.picked = h('p', { class: 'act-picked' });
    this.error = h('div', { class: 'act-error', role: 'alert' });
    this.list = h('ul', { id: 'act-list', class: 'act-list', role: 'listbox', 'aria-label': words.legal, onclick: (event) => this.choose(event) });
    this.rest = h('p', { class: 'hint' });
    this.start = button('act-start', words.startLine, () => this.attempt('start'));
    this.note = h('p', { class: 'hint act-note' });
    this.record = h('a', { class: 'button', id: 'act-record', href: '', hidden: true }, words.recordGame);
    this.from = h('a', { class: 'button', id: 'act-from', href: '', hidden: true }, words.fromHere);
    byId('act-body').append(this.whoRow, this.prompt, this.assume, this.row, this.together, this.picked, this.error, this.list, this.rest, this.start, this.note, h('div', { class: 'row' }, this.record, this.from));
  }

  set(change) {
    this.replay.send('act', change);
  }

  // --- input

  focus() {
    this.set({ isOpen: true });
    queueMicrotask(() => (this.row.hidden ? byId('act-open') : this.input).focus());
  }

  async board(event) {
    const { playing, position } = this.replay.now();
    if (!position || playing || position.toAct.length === 0) return;
    const clicked = placesAt(event, seenOn(byId('board')));
    if (clicked.length === 0) return;
    const legal = await this.playing.ask();
    if (!legal) return;
    const { act, actor } = this.replay.now();
    const seat = seatAt(event);
    if (position.toAct.length > 1 && position.toAct.includes(seat) && seat !== actor) {
      this.set({ isOpen: true, by: seat, picked: [] });
      return;
    }
    if (legal.form) {
      this.set({ isOpen: true });
      await this.load();
      if (this.entering?.tap(clicked)) return;
    }
    const actions = legal.actions ?? [];
    const { picked, play, none } = click(actions, act.picked, clicked);
    this.set({ isOpen: true, picked, error: null, active: -1 });
    if (play) await this.attempt('play', play);
    else if (none && legal.actions) this.replay.send('say', common.noneNames(none));
    else if (picked.length) this.replay.send('say', words.picked(picked, fitting(actions, picked, act.typed).length));
  }

  /** What puts actions together comes in a script of its own. */
  load() {
    this.loading ??= import('./entering.js').then(({ Entering }) => {
      this.entering = new Entering(this.replay, (action) => this.attempt('play', action));
      this.replay.draw(this.replay.now());
    }).catch((why) => this.replay.send('say', errorWords(why)));
    return this.loading;
  }

  key(event) {
    const { act, fitting: fit } = this.replay.now();
    const offered = Math.min(fit.length, OFFERED_MAX);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && offered > 0) {
      event.preventDefault();
      this.replay.send('choose', by, offered);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (act.typed || act.picked.length) this.replay.send('clear');
      else byId('act-open').focus();
    }
  }

  async send() {
    if (!await this.playing.ask()) return;
    const { act, fitting: fit } = this.replay.now();
    const typed = act.typed.trim();
    const chosen = fit[act.active] ?? (fit.length === 1 ? fit[0] : typed);
    if (chosen) await this.attempt('play', chosen);
    else this.replay.send('say', words.typeOrChoose);
  }

  choose(event) {
    const option = event.target.closest('[role=option]');
    if (option && this.replay.now().act.legal) this.attempt('play', option.dataset.action);
  }

  async attempt(what, action) {
    const hadFocus = byId('act-body').contains(document.activeElement);
    const assume = this.assume.hidden ? null : [...this.assume.querySelectorAll('input')].map((input) => input.value.trim());
    const isDone = await this.playing.attempt(what, { action, assume });
    // A keyboard on the screen would cover the board.
    if (isDone && hadFocus && !this.row.hidden && !TOUCHED.matches) this.input.focus({ preventScroll: true });
  }

  // --- drawing

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { act, game, position } = now;
    setHidden(byId('act-card'), !game);
    if (!game) return;
    setAttribute(byId('act-open'), 'aria-expanded', String(act.isOpen));
    setHidden(byId('act-body'), !act.isOpen);
    setText(byId('act-turn'), position ? turnWords(position.toAct, game.seats) : '');
    if (this.input.value !== act.typed) this.input.value = act.typed;
    if (act.isOpen) this.drawBody(now);
    else if (position) settle(byId('replay'));
    this.entering?.draw(now);
  }

  drawBody(now) {
    const { act, actor, game, isSecret, isSignedIn, log, mayGoOn, ply, position } = now;
    const toAct = position?.toAct ?? [];
    const isLoading = !position || Boolean(actor && !act.legal && !act.error);
    const listed = act.legal?.actions;
    setHidden(this.whoRow, toAct.length < 2);
    patch(this.who, toAct.map((by) => h('option', { value: by, selected: by === actor }, by.startsWith('seat:') ? `${by.slice(5)}: ${actorName(by, game.seats)}` : actorName(by, []))));
    setHidden(this.row, Boolean(position) && !actor);
    setHidden(this.roll, actor !== 'chance' || !token());
    setHidden(this.start, !position || Boolean(actor) || !mayGoOn);
    setText(this.label, listed || !act.legal ? common.action : words.inNotation);
    this.input.placeholder = listed ? words.oneOf(listed.length) : isLoading ? page.loading : '';
    for (const button of [this.submit, this.roll, this.start]) setAttribute(button, 'aria-disabled', String(act.isBusy));
    if (!isLoading) setText(this.prompt, promptText(act.legal));
    this.drawAssume(now);
    // What it shows is of another position until this one's actions are there.
    this.together.inert = isLoading;
    if (!isLoading) this.drawTogether(now);
    setHidden(this.picked, act.picked.length === 0);
    patch(this.picked, [words.onBoard, ...act.picked.map((place) => small(`${place} ✕`, () => this.replay.send('forget', place), words.remove(place)))]);
    this.list.classList.toggle('stale', isLoading);
    if (!isLoading) this.drawList(now);
    patch(this.error, act.error ? this.errorContent(act.error) : []);
    if (position) setText(this.note, this.noteText(now));
    setHidden(this.record, !isSignedIn || game.status === 'VOID' || game.origin !== 'RECORDED');
    setText(this.record, game.status === 'RUNNING' ? words.recordGame : words.correctRecord);
    setAttribute(this.record, 'href', recordPath(game.id));
    setHidden(this.from, !isSignedIn || isSecret || isUnsaved(log));
    setAttribute(this.from, 'href', `/games/new?from=${encodeURIComponent(log)}&ply=${ply}`);
    if (!isLoading) settle(byId('replay'));
  }

  drawTogether(now) {
    const { form, prompt } = now.act.legal ?? {};
    if (form || Object.keys(prompt?.dice ?? {}).length > 0) this.load();
    if (this.entering) patch(this.together, this.entering.panels(now));
  }

  drawAssume({ game, unknown }) {
    setHidden(this.assume, unknown.length === 0);
    patch(this.assume, [h('legend', {}, words.assumed), ...unknown.map(({ ply, by, action }) => (
      row(`${ply} ${action}`, [], () => h('label', {}, words.plyOf(ply, actorName(by, game.seats)), h('input', { value: action, autocomplete: 'off', spellcheck: 'false' })))))]);
  }

  drawList({ act, fitting: fit }) {
    const offered = fit.slice(0, OFFERED_MAX);
    const isOther = offered[0] !== this.list.firstElementChild?.textContent;
    setHidden(this.list, offered.length === 0);
    this.input.setAttribute('aria-expanded', String(offered.length > 0));
    patch(this.list, offered.map((action, index) => (
      h('li', { role: 'option', id: `act-option-${index}`, 'data-action': action, 'aria-selected': String(index === act.active) }, action))));
    if (isOther) this.list.scrollTop = 0;
    const active = this.list.children[act.active];
    if (active) {
      this.input.setAttribute('aria-activedescendant', active.id);
      active.scrollIntoView({ block: 'nearest' });
    } else this.input.removeAttribute('aria-activedescendant');
    const none = act.legal?.actions && fit.length === 0 ? words.noMatch : '';
    setText(this.rest, fit.length > offered.length ? words.more(fit.length - offered.length) : none);
  }

  errorContent(error) {
    const near = (error.details?.near ?? []).slice(0, 6);
    const again = () => { this.set({ error: null }); this.playing.ask(); };
    return [
      h('p', { class: 'bad' }, ...marked(error.isLoading ? words.notLoaded(refusalWords(error)) : refusalWords(error))),
      near.length > 0 && h('p', {}, words.similar, ...near.map((action) => small(action, () => this.attempt('play', action)))),
      error.isLoading && small(common.again, again),
    ];
  }

  noteText({ actor, goesOn, id, isSecret, isSignedIn, line, tree }) {
    if (!actor) return this.start.hidden ? words.nobodyHere : words.mayGoOn;
    if (goesOn && !isUnsaved(line)) return line === id ? words.continuesMainline : words.continues(lineName(tree, line));
    return isSecret && isSignedIn ? words.startsLine : words.unsaved;
  }
}

function small(text, onclick, label = null) {
  return h('button', { type: 'button', class: 'small', 'aria-label': label, onclick }, text);
}

function turnWords(toAct, seats) {
  if (toAct.length > 2) return words.manyToAct(toAct.length);
  return toActWords(toAct, seats) || words.nobody;
}

function promptText(legal) {
  if (!legal || legal.actions) return '';
  return promptWords(legal.prompt) || words.unseen;
}

function seatAt({ target }) {
  const seat = [...target.classList].find((name) => name.startsWith('seat-'));
  return seat ? `seat:${seat.slice(5)}` : '';
}

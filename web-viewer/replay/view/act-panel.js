// Playing from the position shown: the actions that are legal, narrowed by clicks on the board and by typing.

import { byId, h, s, setText } from '../../base/dom.js';
import { ApiError, token } from '../../base/api.js';
import { actorName, counted, toActWords } from '../../model/format.js';
import { OFFERED_MAX, click, fitting, marks, promptWords, refusalWords, written } from '../../model/play.js';
import { lineName } from '../../model/tree.js';

const ASK_MS = 120;

/**
 * What the panel shows. `of`: the place and actor that `legal` is of.
 * @typedef {{isOpen: boolean, by: string, picked: string[], typed: string, active: number, isBusy: boolean, error: any,
 *   of: string, legal: import('../requests/playing.js').Legal | null}} ActState
 */

/** @returns {ActState} */
export function newAct(isOpen) {
  return { isOpen, by: '', picked: [], typed: '', active: -1, isBusy: false, error: null, of: '', legal: null };
}

/** Draws the panel and does what is done with it. */
export class ActPanel {
  /**
   * @param {() => any} state of the replay page
   * @param {(change: object) => void} update
   * @param {import('../requests/lines.js').Lines} lines
   * @param {import('../requests/playing.js').Playing} playing
   * @param {(text: string) => void} say to who listens
   */
  constructor(state, update, lines, playing, say) {
    this.state = state;
    this.update = update;
    this.lines = lines;
    this.playing = playing;
    this.say = say;
    this.timer = 0;
    this.drawn = '';
    this.listed = [];
    this.build();
    byId('act-open').addEventListener('click', () => this.set({ isOpen: !this.state().act.isOpen }));
    byId('board').addEventListener('click', (event) => this.board(event));
  }

  build() {
    this.who = h('select', { id: 'act-who', onchange: () => this.set({ by: this.who.value, picked: [], error: null }) });
    this.input = h('input', {
      id: 'act-text', type: 'text', role: 'combobox', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', enterkeyhint: 'go', 'data-steps': 'true',
      'aria-controls': 'act-list', 'aria-expanded': 'false', 'aria-autocomplete': 'list',
      oninput: () => this.set({ typed: this.input.value, active: -1, error: null }), onkeydown: (event) => this.key(event),
    });
    this.label = h('label', { for: 'act-text' }, 'Action');
    this.send = h('button', { type: 'submit', class: 'primary', id: 'act-send' }, 'Play');
    this.roll = h('button', { type: 'button', id: 'act-roll', onclick: () => this.attempt((legal) => this.playing.roll(legal)) }, 'Roll');
    this.start = h('button', { type: 'button', id: 'act-start', onclick: () => this.attempt((legal) => this.playing.start(legal)) }, 'Start a line here');
    this.whoRow = h('label', { class: 'act-who' }, 'For ', this.who);
    this.row = h('form', { class: 'act-row', onsubmit: (event) => { event.preventDefault(); this.submit(); } }, this.label, this.input, this.send, this.roll);
    this.prompt = h('p', { class: 'hint' });
    this.assume = h('fieldset', { class: 'act-assume', hidden: true });
    this.picked = h('p', { class: 'act-picked' });
    this.list = h('ul', { id: 'act-list', class: 'act-list', role: 'listbox', 'aria-label': 'Legal actions', onclick: (event) => this.choose(event) });
    this.rest = h('p', { class: 'hint' });
    this.error = h('div', { class: 'act-error', role: 'alert' });
    this.note = h('p', { class: 'hint act-note' });
    byId('act-body').append(this.whoRow, this.prompt, this.assume, this.row, this.picked, this.error, this.list, this.rest, this.start, this.note);
  }

  set(change) {
    this.update({ act: { ...this.state().act, ...change } });
  }

  /** Who acts, of those who may: the one who was chosen, or else the first. */
  actor() {
    const { act, position } = this.state();
    const toAct = position?.toAct ?? [];
    return toAct.includes(act.by) ? act.by : toAct[0] ?? '';
  }

  /** Follows the place: forgets what was chosen elsewhere, asks for the actions once it has come to rest. */
  follow() {
    const { act, position, node, playing, line, ply } = this.state();
    // With what stands on the board: a takeback may put another position at the same ply.
    const of = `${node?.id ?? `${line}:${ply}`} ${this.actor()} ${position?.text ?? ''}`;
    if (act.of !== of) {
      this.state().act = { ...act, of, legal: null, picked: [], typed: '', active: -1, error: null };
      this.input.value = '';
      clearTimeout(this.timer);
      this.timer = 0;
    }
    if (!act.isOpen || playing || !position || this.timer || !this.actor()) return;
    if (this.state().act.legal || this.state().act.error?.isLoading) return;
    this.timer = setTimeout(() => this.ask(of), ASK_MS);
  }

  /** Loads the actions, if the reader is still there. */
  async ask(of) {
    if (this.state().act.of !== of) return null;
    clearTimeout(this.timer);
    try {
      const legal = await this.playing.legal(this.actor());
      if (this.state().act.of === of) this.set({ legal });
      return legal;
    } catch (error) {
      if (this.state().act.of === of) this.set({ error: { ...error, message: error.message, isLoading: true } });
      return null;
    } finally {
      if (this.state().act.of === of) this.timer = 0;
    }
  }

  // --- what the reader does

  focus() {
    this.set({ isOpen: true });
    queueMicrotask(() => (this.row.hidden ? byId('act-open') : this.input).focus());
  }

  clear() {
    this.input.value = '';
    this.set({ picked: [], typed: '', active: -1, error: null });
  }

  async board(event) {
    const { act, position, playing } = this.state();
    const clicked = placesAt(event);
    if (!position || playing || clicked.length === 0 || position.toAct.length === 0) return;
    const legal = act.legal ?? await this.ask(act.of);
    if (!legal || this.state().act.of !== act.of) return;
    if (!this.state().act.isOpen) this.set({ isOpen: true });
    const seat = seatAt(event);
    if (position.toAct.length > 1 && position.toAct.includes(seat) && seat !== this.actor()) {
      this.set({ by: seat, picked: [] });
      return;
    }
    const { picked, play, none } = click(legal.actions ?? [], this.state().act.picked, clicked);
    this.set({ picked, error: null, active: -1 });
    if (play) await this.play(play);
    else if (none && legal.actions) this.say(`No action here names ${none}.`);
    else if (picked.length) this.say(`${picked.join(', ')}: ${counted(this.fitting().length, 'action')}.`);
  }

  key(event) {
    const { act } = this.state();
    const offered = Math.min(this.fitting().length, OFFERED_MAX);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by && offered > 0) {
      event.preventDefault();
      this.set({ active: act.active < 0 && by < 0 ? offered - 1 : (act.active + by + offered) % offered });
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (act.typed || act.picked.length) this.clear();
      else byId('act-open').focus();
    }
  }

  async submit() {
    if (!this.state().act.legal && !await this.ask(this.state().act.of)) return undefined;
    const { act } = this.state();
    const fit = this.fitting();
    const typed = act.typed.trim();
    const chosen = act.active >= 0 ? fit[act.active] : fit.length === 1 ? fit[0] : fit.find((action) => action === typed) ?? typed;
    if (chosen) return this.play(chosen);
    return this.say('Type an action, or choose one.');
  }

  choose(event) {
    const option = event.target.closest('[role=option]');
    if (option && this.state().act.legal) this.play(option.dataset.action);
  }

  play(action) {
    return this.attempt((legal) => this.playing.play(this.actor(), action, legal));
  }

  /** Plays an action as records write it: with its seat where several are to act. */
  async playWord(word) {
    const toAct = this.state().position?.toAct ?? [];
    const by = toAct.length > 1 ? toAct.find((actor) => word.startsWith(written(actor, ''))) : toAct[0];
    if (!by) return;
    this.set({ isOpen: true, by });
    if (!await this.ask(this.state().act.of)) return;
    await this.play(toAct.length > 1 ? word.slice(written(by, '').length) : word);
  }

  /** Does something here; where that is refused, what was chosen stays, and why is said. */
  async attempt(act) {
    if (this.state().act.isBusy) return;
    const { legal } = this.state().act;
    const hadFocus = byId('act-body').contains(document.activeElement);
    this.set({ isBusy: true, error: null });
    try {
      await act({ seq: legal?.seq ?? null, assume: this.assumed() });
      this.set({ isBusy: false });
      if (hadFocus && !this.row.hidden) this.input.focus({ preventScroll: true });
    } catch (error) {
      this.set({ isBusy: false, error });
      if (error?.code === 'LOG_CONFLICT') this.lines.open();
    }
  }

  /** What the reader takes to have been played in secret. */
  assumed() {
    if (this.assume.hidden) return null;
    const told = [...this.assume.querySelectorAll('input')].map((input) => input.value.trim());
    if (told.includes('')) throw new ApiError('say for each secret action what is assumed', 'BAD_INPUT');
    return told;
  }

  fitting() {
    const { act } = this.state();
    return fitting(act.legal?.actions ?? [], act.picked, act.typed);
  }

  // --- drawing

  /** @param {any} state of the replay page */
  draw(state) {
    const { act, game, position } = state;
    byId('act-card').hidden = !game;
    if (!game) return;
    byId('act-open').setAttribute('aria-expanded', String(act.isOpen));
    byId('act-body').hidden = !act.isOpen;
    setText(byId('act-turn'), position ? turnWords(position.toAct, game.seats) : '');
    byId('board').classList.toggle('playable', Boolean(act.legal?.actions?.length));
    this.drawMarks(state);
    if (act.isOpen) this.drawBody(state);
  }

  drawBody(state) {
    const { act, game, position } = state;
    const [toAct, by] = [position?.toAct ?? [], this.actor()];
    const isLoading = !position || Boolean(by && !act.legal && !act.error);
    this.whoRow.hidden = toAct.length < 2;
    if (this.who.dataset.of !== toAct.join()) {
      this.who.dataset.of = toAct.join();
      this.who.replaceChildren(...toAct.map((actor) => h('option', { value: actor }, actor.startsWith('seat:') ? `${actor.slice(5)}: ${actorName(actor, game.seats)}` : 'Chance')));
    }
    this.who.value = by;
    const listed = act.legal?.actions;
    this.row.hidden = Boolean(position) && !by;
    this.roll.hidden = by !== 'chance' || !token();
    this.start.hidden = !position || Boolean(by) || !mayGoOn(state);
    setText(this.label, listed || !act.legal ? 'Action' : 'What is done, as notation');
    this.input.placeholder = listed ? `one of ${listed.length.toLocaleString()}` : isLoading ? 'Loading…' : '';
    for (const button of [this.send, this.roll, this.start]) button.setAttribute('aria-disabled', String(act.isBusy));
    if (!isLoading) setText(this.prompt, promptText(act.legal));
    this.drawAssume(state);
    this.drawPicked(act);
    this.list.classList.toggle('stale', isLoading);
    if (!isLoading) this.drawList(state);
    this.drawError(state);
    if (position) setText(this.note, this.noteText(state, by));
  }

  drawAssume({ act, game }) {
    const unknown = this.playing.whither() === 'new' ? act.legal?.unknown ?? [] : [];
    this.assume.hidden = unknown.length === 0;
    const key = JSON.stringify(unknown);
    if (this.assume.dataset.of === key) return;
    this.assume.dataset.of = key;
    this.assume.replaceChildren(h('legend', {}, 'Taken to have been played in secret'), ...unknown.map(({ ply, by, action }) => (
      h('label', {}, `Ply ${ply}, ${actorName(by, game.seats)}`, h('input', { value: action, autocomplete: 'off', spellcheck: 'false' })))));
  }

  drawPicked({ picked }) {
    this.picked.hidden = picked.length === 0;
    if (this.picked.dataset.of === picked.join()) return;
    this.picked.dataset.of = picked.join();
    const chips = picked.map((place) => h('button', {
      type: 'button', class: 'small', 'aria-label': `Forget ${place}`, onclick: () => this.set({ picked: this.state().act.picked.filter((other) => other !== place) }),
    }, `${place} ✕`));
    this.picked.replaceChildren('On the board: ', ...chips);
  }

  drawList({ act }) {
    const fit = act.legal ? this.fitting() : [];
    const offered = fit.slice(0, OFFERED_MAX);
    this.list.hidden = offered.length === 0;
    this.input.setAttribute('aria-expanded', String(offered.length > 0));
    if (offered.length !== this.listed.length || offered.some((action, index) => action !== this.listed[index])) {
      this.listed = offered;
      this.list.replaceChildren(...offered.map((action, index) => h('li', { role: 'option', id: `act-option-${index}`, 'data-action': action }, action)));
      this.list.scrollTop = 0;
    }
    [...this.list.children].forEach((option, index) => option.setAttribute('aria-selected', String(index === act.active)));
    const active = this.list.children[act.active];
    if (active) {
      this.input.setAttribute('aria-activedescendant', active.id);
      active.scrollIntoView({ block: 'nearest' });
    } else this.input.removeAttribute('aria-activedescendant');
    const none = act.legal?.actions && fit.length === 0 ? 'No legal action fits. Other notations for what is legal may be typed too.' : '';
    setText(this.rest, fit.length > offered.length ? `and ${(fit.length - offered.length).toLocaleString()} more: type, or click on the board` : none);
  }

  drawError({ act }) {
    const key = act.error ? `${act.error.code} ${act.error.message}` : '';
    if (this.error.dataset.of === key) return;
    this.error.dataset.of = key;
    if (!act.error) {
      this.error.replaceChildren();
      return;
    }
    const near = (act.error.details?.near ?? []).slice(0, 6);
    const again = act.error.isLoading && h('button', { type: 'button', class: 'small', onclick: () => { this.set({ error: null }); this.ask(this.state().act.of); } }, 'Try again');
    this.error.replaceChildren(h('p', { class: 'bad' }, act.error.isLoading ? `The legal actions could not be loaded. ${refusalWords(act.error)}` : refusalWords(act.error)),
      ...near.length ? [h('p', {}, 'Much like it: ', ...near.map((action) => h('button', { type: 'button', class: 'small', onclick: () => this.play(action) }, action)))] : [],
      ...again ? [again] : []);
  }

  noteText({ tree, line, id }, by) {
    if (!by) return this.start.hidden ? 'Nobody is to act here: step back to play from an earlier ply.' : 'The rules go on from here: a line may, too.';
    const goesOn = this.playing.whither() === 'on';
    if (goesOn) return `Goes on with ${line === id ? 'the mainline' : lineName(tree, line)}.`;
    if (!token()) return 'Starts a line in this page only. Sign in to keep lines, and to have dice rolled.';
    return 'Starts a line of its own; the record of the game stays as it is.';
  }

  drawMarks({ act, position, flipped }) {
    const svg = byId('board').querySelector('svg');
    const key = JSON.stringify([act.picked, flipped, Boolean(act.legal)]);
    if (!svg || svg.dataset.marks === key) return;
    svg.dataset.marks = key;
    svg.querySelector('.marks')?.remove();
    if (!position || act.picked.length === 0) return;
    const [x, y, width, height] = position.scene.view;
    const turned = ([px, py]) => (flipped ? [2 * x + width - px, 2 * y + height - py] : [px, py]);
    svg.append(s('g', { class: 'marks' }, ...marks(position.scene, act.legal?.actions ?? [], act.picked).map(({ at, r, kind }) => {
      const [cx, cy] = turned(at);
      return s('circle', { class: `mark-${kind}`, cx, cy, r });
    })));
  }
}

function turnWords(toAct, seats) {
  if (toAct.length > 2) return `${toAct.length} to act`;
  return toActWords(toAct, seats) || 'nobody is to act';
}

/** Whether a game that was ended from outside could go on from its last ply. */
function mayGoOn({ game, line, id, ply, last }) {
  return Boolean(token()) && line === id && ply === last && Boolean(game.outcome) && game.outcome.decidedBy !== 'RULES';
}

function promptText(legal) {
  if (!legal || legal.actions) return '';
  return promptWords(legal.prompt) || 'What is legal here is not open to you; what you type is judged.';
}

/** The places under the pointer, the topmost first, each followed by the group it is part of. */
function placesAt({ clientX, clientY }) {
  const found = document.elementsFromPoint(clientX, clientY).filter((element) => element.closest('#board svg'));
  const places = found.map((element) => element.getAttribute('data-place') ?? '');
  const groups = found.map((element) => (element.getAttribute('data-group') ?? '').replace(/^[^:]*:/, ''));
  return [...new Set([...places, ...groups])].filter(Boolean);
}

function seatAt({ target }) {
  const seat = [...target.classList].find((name) => name.startsWith('seat-'));
  return seat ? `seat:${seat.slice(5)}` : '';
}

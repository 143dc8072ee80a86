// What is put together in *Play from here*, in its panel and on the board: trays, a path, dice. Loaded once it is wanted.

import { Overlay } from '../../entry/overlay.js';
import { formMarks, formed, tapped } from '../../entry/forms.js';
import { NOTHING_HELD, letGo } from '../../entry/placing.js';
import { dice, path, trays } from '../../entry/view.js';
import { byId } from '../../base/dom.js';
import { handsOf } from '../../model/dice.js';
import { last } from '../derive.js';
import { seenOn } from './sheet.js';

/**
 * `past`: what was typed before each tap. `tray`, `die`: the one that was chosen. `faces`: those of dice.
 * @typedef {{past: string[], tray: number, held: import('../../entry/placing.js').Held, faces: Record<string, number>, die: string}} Entry
 */

/** @type {Entry} */
const UNTOUCHED = Object.freeze({ past: [], tray: -1, held: NOTHING_HELD, faces: {}, die: '' });

export class Entering {
  /**
   * @param {import('../replay.js').Replay} replay
   * @param {(action: string) => void} enter
   */
  constructor(replay, enter) {
    this.replay = replay;
    this.overlay = new Overlay();
    this.formed = last((form, typed, entry) => formed(form, { ...entry, typed }));
    /** @type {import('../../entry/view.js').Entering} */
    this.acts = { lay: (text) => this.lay(text), unlay: () => this.unlay(), hold: (tray, held) => this.set({ tray, held }), face: (die, value) => this.set({ faces: { ...this.entry().faces, [die]: value }, die: '' }), choose: (die) => this.set({ die }), enter };
  }

  entry() {
    return this.replay.now().act.entry ?? UNTOUCHED;
  }

  set(change, typed = this.replay.now().act.typed) {
    this.replay.send('act', { typed, entry: { ...this.entry(), ...change }, picked: [], active: -1, error: null });
  }

  lay(text, held = NOTHING_HELD) {
    const [{ past }, { typed }] = [this.entry(), this.replay.now().act];
    this.set({ held, past: text === typed ? past : [...past, typed] }, text);
  }

  unlay() {
    const { held, past } = this.entry();
    if (past.length > 0) this.set({ held: letGo(held), past: past.slice(0, -1) }, past.at(-1));
  }

  /**
   * Takes a tap on the board.
   * @param {string[]} places
   * @returns {boolean} whether something is put together there
   */
  tap(places) {
    const { act } = this.replay.now();
    const now = this.formOf(act);
    if (!now.laying && !now.drawing) return false;
    const { text, held, none } = tapped(now, act.typed, places);
    this.lay(text, held);
    if (none) this.replay.send('say', none);
    return true;
  }

  formOf({ entry, legal, typed }) {
    return this.formed(legal?.form, typed, entry ?? UNTOUCHED);
  }

  /**
   * The panels of what is to be put together.
   * @param {import('../derive.js').Now} now
   */
  panels({ act, game, position }) {
    const { laying, drawing } = this.formOf(act);
    const { die, faces, past } = act.entry ?? UNTOUCHED;
    const hands = handsOf(act.legal?.prompt);
    return [
      laying && position && trays({ laying, past, scene: position.scene, typed: act.typed }, this.acts), drawing && path({ drawing, past }, this.acts),
      hands.length > 0 && dice({ die, hands, faces, seats: game.seats }, this.acts),
    ].filter(Boolean);
  }

  /**
   * What is on the board so far.
   * @param {import('../derive.js').Now} now
   */
  draw({ act, flipped, position }) {
    const { laid, marks } = this.overlay;
    const now = this.formOf(act);
    const shown = act.isOpen && position ? formMarks(position.scene, now) : null;
    if (shown) {
      seenOn(byId('board')).append(laid, marks);
      this.overlay.draw(position.scene, now, shown, flipped);
    } else for (const layer of [laid, marks]) layer.remove();
  }
}

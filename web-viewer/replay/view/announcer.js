// Announcements for screen readers: messages, and what led to the position that the reader stops at.

import { replay as words } from '../../words/replay.js';
import { byId, setText } from '../../base/dom.js';
import { wordsOf } from '../../model/own.js';
import { entered } from '../../model/walk.js';

const ANNOUNCE_MS = 350;

/** Announces the place, and messages. */
export class Announcer {
  /** @param {import('../replay.js').Replay} replay */
  constructor(replay) {
    this.replay = replay;
    this.told = { said: replay.now().said, line: '', address: '' };
    /** the text announced before the position */ this.preface = '';
    this.timer = 0;
  }

  /** @param {import('../derive.js').Now} now */
  draw({ address, game, line, node, position, said, tree, withHidden }) {
    if (!game) return;
    const old = this.told;
    this.told = { said, line, address: position ? address : old.address };
    if (said !== old.said) {
      this.preface = '';
      this.say(said.text, said.lang);
    }
    if (old.line && line !== old.line) {
      this.preface = entered(tree, node, line, withHidden);
      this.say(this.preface);
    }
    if (!position || (address === old.address && !this.preface)) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.tell(), ANNOUNCE_MS);
  }

  /** Announces the place that was drawn last, unless the reader has moved on: the next place is announced once it is drawn. */
  tell() {
    const { address, ply, position, told, walk } = this.replay.now();
    if (!position || address !== this.told.address) return;
    const comment = wordsOf(walk[ply - 1]?.comment);
    this.say([this.preface, ply > 0 ? words.plyTold(ply, told) : words.start, comment && words.comment(comment)].filter(Boolean).join(' '));
    this.preface = '';
  }

  /** @param {string} text @param {string} [lang] of a text that is not in the language of the page */
  say(text, lang = '') {
    const announce = byId('announce');
    if (lang) announce.lang = lang;
    else announce.removeAttribute('lang');
    setText(announce, text);
  }
}

// The tabbed panels beside the moves: the position in words, the raw log, the files.

import { common } from '../../words/common.js';
import { playing as words } from '../../words/playing.js';
import { replay as panels } from '../../words/replay.js';
import { moment } from '../../words/locale.js';
import { ApiError, errorWords, fetchLog, fetchPage, logPath, request, sceneStyle } from '../../base/api.js';
import { byId, download, h, marked, setAttribute, setHidden, setText } from '../../base/dom.js';
import { patch, patchChunks, row } from '../../base/patch.js';
import { publicAddress } from '../../base/public-address.js';
import { qrCode } from '../../base/qr.js';
import { standalone } from '../../base/standalone.js';
import { actorName, fileName, toActWords } from '../../model/format.js';
import { eventWords } from '../../model/history.js';
import { proofFile } from '../../model/proof-file.js';
import { CODE, INCLUSION, RECORD } from '../../model/queries.js';
import { isUnsaved } from '../../model/tree.js';
import { embedAddress, sharedAddress } from '../../model/url.js';

const TABS = ['moves', 'explorer', 'analysis', 'words', 'log', 'files'];

/** @param {(tab: string) => void} choose */
export function wireTabs(choose) {
  for (const [index, name] of TABS.entries()) {
    const tab = byId(`tab-${name}`);
    tab.addEventListener('click', () => choose(name));
    tab.addEventListener('keydown', (event) => {
      const right = document.dir === 'rtl' ? -1 : 1;
      const step = { ArrowRight: right, ArrowLeft: -right }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = TABS[(index + step + TABS.length) % TABS.length];
      choose(next);
      byId(`tab-${next}`).focus();
    });
  }
}

/** @param {import('../derive.js').Now} now */
export function drawTabs({ tab }) {
  for (const name of TABS) {
    setAttribute(byId(`tab-${name}`), 'aria-selected', String(name === tab));
    setAttribute(byId(`tab-${name}`), 'tabindex', name === tab ? '0' : '-1');
    setHidden(byId(`panel-${name}`), name !== tab);
  }
}

/** The position in words. */
export class Words {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.turn = h('p', { class: 'turn' });
    this.text = h('p', { class: 'words', lang: 'en', dir: 'auto' });
    panel.append(this.turn, this.text);
  }

  /** @param {import('../derive.js').Now} now */
  draw({ game, position, tab }) {
    if (!game || !position || tab !== 'words') return;
    setText(this.turn, toActWords(position.toAct, game.seats) || words.nobodyToAct);
    setText(this.text, position.text);
  }
}

/** The raw log: every event as recorded, with the hash that this browser computed. */
export class Log {
  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.list = h('div', { class: 'log', role: 'group', 'aria-label': common.events });
    this.end = h('p', { class: 'hint' });
    panel.append(this.list, this.end);
  }

  /** @param {import('../derive.js').Now} now */
  draw({ game, events, finding, tab }) {
    if (!game || tab !== 'log') return;
    patchChunks(this.list, events.map((event) => row(String(event.seq), [event], () => logRow(event, game.seats))));
    const bad = finding && !finding.valid;
    this.end.classList.toggle('bad', Boolean(bad));
    patch(this.end, bad ? marked(panels.nothingFrom(finding.firstBad, finding.problem)) : []);
  }
}

function logRow(event, seats) {
  const mild = ['acted', 'created', 'ended', 'sealed', 'revealed'].includes(event.type);
  return h('li', {}, h('details', {},
    h('summary', {},
      h('span', { class: 'seq' }, String(event.seq)),
      h('span', { class: mild ? 'type' : 'type marked', lang: 'en' }, event.type.replaceAll('_', ' ')),
      h('span', { class: 'what', dir: 'auto' }, ...marked(eventWords(event, seats))),
      h('code', { class: 'hash' }, event.hash.slice(0, 8)),
      h('span', { class: 'by' }, h('bdi', {}, actorName(event.by, seats)), ` · ${moment(event.at)}`)),
    h('dl', { class: 'pairs' },
      ...pair(panels.at, h('time', { datetime: event.at, title: event.at }, moment(event.at))),
      ...pair(panels.by, event.by),
      ...(event.who ? pair(panels.recordedBy, event.who) : []),
      ...pair(panels.hash, h('code', {}, event.hash)),
      ...pair(panels.panelsPrev, h('code', {}, event.prev)),
      ...pair(panels.body, h('pre', {}, JSON.stringify(event.body, null, 2))))));
}

function pair(name, value) {
  return [h('dt', {}, name), h('dd', {}, value)];
}

/** Downloads. */
export class Files {
  /**
   * @param {HTMLElement} panel
   * @param {() => import('../derive.js').Now} now
   */
  constructor(panel, now) {
    this.now = now;
    this.said = h('p', { class: 'hint', role: 'status' });
    const { id } = now();
    const button = (text, note, act) => h('li', {}, h('button', { type: 'button', onclick: () => this.attempt(act) }, text), h('span', {}, note));
    const record = button(panels.record, panels.recordIs, () => this.record('JSON', 'json', 'application/json'));
    const picture = button(panels.picture, panels.pictureIs, () => this.picture());
    if (standalone()) {
      panel.append(h('ul', { class: 'files' }, record, picture, button(panels.log, panels.logIs, () => this.log())), this.said);
      return;
    }
    panel.append(h('ul', { class: 'files' },
      record,
      button(panels.page, panels.pageIs, () => this.page()),
      button(panels.proof, panels.proofIs, () => this.proof()),
      button(panels.text, panels.textIs, () => this.record('TEXT', 'txt', 'text/plain')),
      picture,
      h('li', {}, h('a', { class: 'button', id: 'png' }, panels.image), h('span', {}, panels.imageIs)),
      button(panels.animation, panels.animationIs, () => this.animation()),
      button(panels.link, panels.linkIs, () => this.link()),
      button(panels.code, panels.codeIs, () => this.code()),
      button(panels.frame, panels.frameIs, () => this.frame()),
      h('li', {}, h('a', { class: 'button', id: 'log-file', href: logPath(id) }, panels.log), h('span', {}, panels.logIs))),
    this.said);
  }

  /** @param {import('../derive.js').Now} now */
  draw({ game, id, node, ply, tab }) {
    if (tab !== 'files' || !game || standalone()) return;
    byId('log-file').download = `${fileName(game)}.ndjson`;
    // Lines that are not saved, and what not everybody may see, have no picture.
    const [picture, of] = [byId('png'), node?.log ?? id];
    setHidden(picture.parentElement, isUnsaved(of));
    picture.href = `/games/${encodeURIComponent(of)}.png?ply=${ply}`;
    picture.download = `${fileName(game)}-${ply}.png`;
  }

  async attempt(act) {
    setText(this.said, '');
    try {
      await act();
    } catch (why) {
      this.said.replaceChildren(...marked(errorWords(why)));
    }
  }

  async record(format, ending, type) {
    const { id, game } = this.now();
    const { record } = (await request(RECORD, { id, format })).game;
    download(`${fileName(game)}.${ending}`, type, record);
  }

  async page() {
    const { id, game } = this.now();
    download(`${fileName(game)}.html`, 'text/html', await fetchPage(id));
  }

  async log() {
    const { id, game } = this.now();
    download(`${fileName(game)}.ndjson`, 'application/x-ndjson', await fetchLog(id));
  }

  async proof() {
    const { id, game } = this.now();
    const record = JSON.parse((await request(RECORD, { id, format: 'JSON' })).game.record);
    const { inclusion } = (await request(INCLUSION, { id, seq: record.events.length - 1 })).game;
    if (!inclusion) throw new ApiError(panels.noCheckpoint, 'NOT_FOUND');
    download(`${fileName(game)}.proof.json`, 'application/json', proofFile(record, inclusion));
  }

  link() {
    return this.copy(new URL(sharedAddress(this.now().address), location.href).href, panels.linkAddress);
  }

  /** A code of the game's address with its last event, for cameras. */
  async code() {
    const { game } = await request(CODE, { id: this.now().id, base: publicAddress() });
    this.said.replaceChildren(qrCode(game.head.qr));
    this.said.scrollIntoView({ block: 'nearest' });
  }

  frame() {
    const src = new URL(embedAddress(this.now().address), location.href).href;
    const code = `<iframe src="${src.replaceAll('&', '&amp;')}" title="${document.title.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="560" height="680" style="border:0;max-width:100%" loading="lazy" allowfullscreen></iframe>`;
    return this.copy(code, panels.frameCode);
  }

  /** The text goes to the clipboard, and stays to be copied where a page may not write there. */
  async copy(text, label) {
    const field = h('input', { readonly: true, value: text, dir: 'ltr', 'aria-label': label });
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    this.said.replaceChildren(copied ? panels.copied : panels.copyThis, field);
    field.select();
  }

  async animation() {
    const { openAnimation } = await import('./animation.js');
    openAnimation(this.now());
  }

  async picture() {
    const { game, position, flipped } = this.now();
    if (!position) throw new ApiError(panels.panelsLoading, 'INTERNAL');
    const { svgFile } = await import('./picture.js');
    download(`${fileName(game)}-${position.ply}.svg`, 'image/svg+xml', svgFile(position.scene, { style: await sceneStyle(), title: position.text, flipped }));
  }
}

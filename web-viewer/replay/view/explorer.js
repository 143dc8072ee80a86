// The panel that tells what was played from the position beside it, over all recorded games.

import { errorWords, request } from '../../base/api.js';
import { byId, h, setText } from '../../base/dom.js';
import { Explored, isMove, others } from '../requests/explored.js';
import { resultsBar } from '../../figures/figures.js';
import { capital, counted, day } from '../../model/format.js';
import { gameLinks } from '../../figures/game-links.js';
import { actionsTo, isUnsaved } from '../requests/lines.js';
import { PlayerField } from '../../base/player-field.js';
import { EXPLORE, FOLD_KEY, KEY } from '../../model/queries.js';
import { isShared, percent, resultWords } from '../../figures/results.js';

const DELAY_MS = 180;
const SECRET = 'This game has secrets and is still being played. What others did in this position is shown once it is over.';
const LEADS_MAX = 5;
const NOTHING = { games: 0, pending: 0, results: { wins: [], draws: 0, other: 0 }, actions: [], topGames: [], recentGames: [] };

/** Draws the explorer into its panel, and asks for what it shows while the panel is open. */
export class Explorer {
  /**
   * @param {HTMLElement} panel
   * @param {(ply: number) => void} go
   * @param {(word: string) => void} play an action as records write it
   */
  constructor(panel, go, play) {
    this.go = go;
    this.play = play;
    this.filter = {};
    /** @type {any} of the replay page, as last drawn */ this.state = null;
    /** @type {string} the key of the position that an action leads to, while its games are shown */ this.opened = '';
    this.drawn = '';
    /** @type {Map<string, Promise<string>>} keys of positions, by node and head */ this.keys = new Map();
    const changed = () => this.state && this.draw(this.state);
    this.here = new Explored((place, filter) => this.load(place, filter), changed, DELAY_MS);
    this.there = new Explored((place, filter) => this.load(place, filter), changed, 0);
    this.said = h('p', { class: 'sum', role: 'status' });
    this.body = h('div', { class: 'explored' });
    panel.append(this.form(), this.said, this.body);
  }

  form() {
    const list = h('datalist', { id: 'explorer-players' });
    const player = h('input', { type: 'search', id: 'explorer-player', list: 'explorer-players', autocomplete: 'off', placeholder: 'Anybody' });
    const since = h('input', { type: 'date', id: 'explorer-since' });
    const hint = h('p', { class: 'hint', role: 'status' });
    const field = new PlayerField(/** @type {any} */ (player), hint, (id) => this.narrow({ player: id }));
    since.addEventListener('change', () => this.narrow({ since: /** @type {any} */ (since).value }));
    this.clear = h('button', {
      type: 'button', class: 'quiet', onclick: () => {
        field.show('');
        /** @type {any} */ (since).value = '';
        this.narrow({ player: '', since: '' });
      },
    }, 'Clear');
    return h('div', { class: 'narrow', role: 'search', 'aria-label': 'Which games count' },
      h('label', {}, 'Player ', player), list, h('label', {}, 'Since ', since), this.clear, hint);
  }

  narrow({ player = this.filter.player ?? '', since = this.filter.day ?? '' }) {
    this.filter = { ...(player && { player }), ...(since && { day: since }) };
    this.draw(this.state);
  }

  /** @param {any} state of the replay page */
  draw(state) {
    this.state = state;
    const { game, tab } = state;
    if (!game) return;
    byId('statistics').href = `/statistics?kind=${encodeURIComponent(game.kind)}`;
    this.clear.hidden = Object.keys(this.filter).length === 0;
    if (tab !== 'explorer') {
      this.here.leave();
      return;
    }
    if (isSecret(state)) this.show('secret', SECRET, []);
    else this.drawFound(this.here.want(this.place(state), this.filter));
  }

  /** Where the reader is, as the cache knows it: a takeback or a new action may change what a ply is. */
  place({ game, node, ply }) {
    return { kind: game.kind, node: node?.id ?? `${game.id}:${ply}`, seq: game.head.seq };
  }

  drawFound(found) {
    const { ply } = this.state;
    if (!found || found.loading) {
      this.body.classList.add('stale');
      return;
    }
    if (found.error) this.show(`error ${ply}`, '', [h('p', { role: 'alert' }, errorWords(found.error)), this.again()]);
    else this.drawAnswer(found.answer);
  }

  again() {
    return h('button', { type: 'button', onclick: () => this.here.retry() }, 'Try again');
  }

  drawAnswer(answer) {
    const { game, ply, walk } = this.state;
    const leading = this.opened && this.there.want({ kind: game.kind, key: this.opened }, this.filter);
    const known = [answer.key, ply, this.filter, walk[ply]?.action];
    const key = JSON.stringify([...known, this.opened, Boolean(leading?.answer), Boolean(leading?.error)]);
    this.show(key, this.sumWords(answer), answer.games ? this.content(answer, leading) : []);
  }

  sumWords(answer) {
    const waiting = answer.pending > 0 ? ` ${counted(answer.pending, 'event')} not counted yet.` : '';
    return this.gamesWords(answer) + waiting;
  }

  gamesWords({ games, topGames, recentGames }) {
    const narrowed = Object.keys(this.filter).length > 0;
    if (games === 0) return narrowed ? 'No game that matches has reached this position.' : 'No recorded game has reached this position.';
    const own = [...topGames, ...recentGames].some(({ id }) => id === this.state.game.id);
    if (games === 1 && own) return 'No other game has reached this position.';
    return `${counted(games, 'game')} reached this position.`;
  }

  content(answer, leading) {
    const { game, ply } = this.state;
    const { top, recent } = others(answer.topGames, answer.recentGames, game.id);
    const shared = isShared(answer.results, answer.games);
    return [
      h('div', { class: 'all' }, resultsBar(answer.results, shared, answer.games), h('p', { class: 'hint' }, `${capital(resultWords(answer.results))}.`)),
      answer.actions.length > 0 && h('h2', {}, 'Played next'),
      answer.actions.length > 0 && h('ul', { class: 'actions' }, ...answer.actions.map((action) => this.action(action, answer, leading))),
      answer.actions.length === 0 && h('p', { class: 'hint' }, 'No game went on from here.'),
      ...list(recent.length > 0 ? 'Top games' : 'Games', top, ply),
      ...list(top.length > 0 ? 'Recent games' : 'Games', recent, ply),
    ].filter(Boolean);
  }

  action(action, answer, leading) {
    const { ply, walk } = this.state;
    const own = isMove(action.action, walk[ply]);
    const open = action.positionKey === this.opened;
    const told = [
      h('span', { class: 'name' }, h('span', { class: 'action', title: action.action }, action.action), own && h('span', { class: 'mine' }, 'this game')),
      h('span', { class: 'count' }, action.games.toLocaleString(), h('span', { class: 'hint' }, ` ${percent(action.games / answer.games)}`)),
      resultsBar(action.results, isShared(action.results, action.games), action.games),
      h('span', { class: 'hint last' }, action.lastPlayed ? day(action.lastPlayed) : ''),
    ];
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.go(ply + 1);
    };
    if (own) return h('li', { class: 'own' }, h('a', { href: `#${ply + 1}`, onclick: follow }, ...told));
    return h('li', {},
      h('button', { type: 'button', 'aria-expanded': String(open), 'data-key': action.positionKey, onclick: () => this.toggle(action.positionKey) }, ...told),
      open && h('div', { class: 'leads' },
        h('button', { type: 'button', class: 'small', onclick: () => this.play(action.action) }, 'Play it here'), ...this.leads(leading)));
  }

  /** Where another action leads: games that took it. */
  leads(found) {
    if (!found || found.loading) return [h('p', { class: 'hint' }, 'Looking…')];
    if (found.error) return [h('p', { class: 'hint', role: 'alert' }, errorWords(found.error))];
    const { answer } = found;
    const { top, recent } = others(answer.topGames, answer.recentGames, this.state.game.id);
    const listed = [...top, ...recent].slice(0, LEADS_MAX);
    if (listed.length === 0) return [h('p', { class: 'hint' }, 'Only this game is known, by another order of actions.')];
    return [gameLinks(listed, { ply: this.state.ply + 1 })];
  }

  toggle(key) {
    this.opened = this.opened === key ? '' : key;
    this.draw(this.state);
  }

  /** Shows only what differs from what is there; an action that has the focus keeps it. */
  show(key, text, nodes) {
    this.body.classList.remove('stale');
    setText(this.said, text);
    if (key === this.drawn) return;
    this.drawn = key;
    const held = this.body.contains(document.activeElement) ? /** @type {any} */ (document.activeElement).dataset.key : null;
    this.body.replaceChildren(...nodes);
    if (held) /** @type {any} */ (this.body.querySelector(`[data-key="${held}"]`))?.focus();
  }

  async load({ kind, key, node, seq }, { player, day: since }) {
    const filter = { ...(player && { player }), ...(since && { since: new Date(`${since}T00:00:00`).toISOString() }) };
    const position = key ?? await this.keyOf(`${node} ${seq}`);
    try {
      const { explore } = await request(EXPLORE, { kind, key: position, filter });
      return { ...explore, key: position };
    } catch (why) {
      if (why.code === 'NOT_FOUND') return { ...NOTHING, key: position };
      throw why;
    }
  }

  /** The key of the position that the reader is at, as the record has it, whoever looks on. */
  async keyOf(name) {
    if (!this.keys.has(name)) {
      const asked = this.askKey();
      this.keys.set(name, asked);
      asked.catch(() => this.keys.delete(name));
    }
    return this.keys.get(name);
  }

  async askKey() {
    const { game, node, path, ply } = this.state;
    const log = node?.log ?? game.id;
    if (!isUnsaved(log)) return (await request(KEY, { id: log, ply })).game.position.positionKey;
    const { fold } = await request(FOLD_KEY, { kind: game.kind, setup: game.setup, actions: actionsTo(path, ply) });
    return fold.positionKey;
  }
}

function isSecret({ game, rules }) {
  return game.status === 'RUNNING' && Boolean(rules?.secrets);
}

function list(title, games, ply) {
  return games.length > 0 ? [h('h2', {}, title), gameLinks(games, { ply })] : [];
}

// The explorer panel: what was played from the position shown, across all recorded games.

import { common } from '../../words/common.js';
import { replayServed as words } from '../../words/replay-served.js';
import { day, number } from '../../words/locale.js';
import { replay as page } from '../../words/replay.js';
import { errorWords } from '../../base/api.js';
import { byId, h, marked, setAttribute, setHidden, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { PlayerField } from '../../base/player-field.js';
import { resultsBar } from '../../figures/figures.js';
import { gameLinks } from '../../figures/game-links.js';
import { isShared, percent, resultWords } from '../../figures/results.js';
import { capital } from '../../model/format.js';
import { isMove, others } from '../requests/explored.js';

const LEADS_MAX = 5;

/** Draws the explorer into its panel. */
export class Explorer {
  /**
   * @param {HTMLElement} panel
   * @param {import('../replay.js').Replay} replay
   * @param {import('../requests/exploring.js').Exploring} exploring
   * @param {import('../requests/playing.js').Playing} playing
   */
  constructor(panel, replay, exploring, playing) {
    this.replay = replay;
    this.exploring = exploring;
    this.playing = playing;
    this.said = h('p', { class: 'sum', role: 'status' });
    this.body = h('div', { class: 'explored' });
    this.similar = h('button', { type: 'button', class: 'link', title: words.similarHint, onclick: () => this.search() }, words.similar);
    panel.append(this.form(), this.said, this.body, h('p', {}, this.similar));
  }

  form() {
    const narrow = (change) => this.replay.send('narrow', change);
    const list = h('datalist', { id: 'explorer-players' });
    const player = h('input', { type: 'search', id: 'explorer-player', list: 'explorer-players', autocomplete: 'off', placeholder: common.anybody });
    const since = /** @type {HTMLInputElement} */ (h('input', { type: 'date', id: 'explorer-since', onchange: () => narrow({ day: since.value }) }));
    const hint = h('p', { class: 'hint', role: 'status' });
    const field = new PlayerField(/** @type {any} */ (player), hint, (id) => narrow({ player: id }));
    this.within = /** @type {HTMLInputElement} */ (h('input', { type: 'checkbox', onchange: () => narrow({ tournament: this.within.checked ? this.replay.now().game.tournament.id : '' }) }));
    this.withinLabel = h('label', { hidden: true }, this.within, words.tournamentOnly);
    this.clear = h('button', {
      type: 'button', class: 'quiet', onclick: () => {
        field.show('');
        since.value = '';
        this.within.checked = false;
        narrow({ player: '', day: '', tournament: '' });
      },
    }, words.clear);
    return h('div', { class: 'narrow', role: 'search', 'aria-label': words.whichCount },
      h('label', {}, words.player, player), list, h('label', {}, words.since, since), this.withinLabel, this.clear, hint);
  }

  /** @param {import('../derive.js').Now} now */
  draw(now) {
    const { filter, game, here, isSecret, tab } = now;
    if (!game) return;
    setAttribute(byId('statistics'), 'href', `/statistics?kind=${encodeURIComponent(game.kind)}`);
    setHidden(this.withinLabel, !game.tournament);
    setHidden(this.clear, Object.keys(filter).length === 0);
    if (tab !== 'explorer') return;
    setHidden(this.similar, isSecret);
    const isWaiting = !isSecret && (!here || here.loading);
    this.body.classList.toggle('stale', isWaiting);
    if (isWaiting) return;
    setText(this.said, isSecret ? words.secret : here.error ? '' : sumWords(now));
    patch(this.body, isSecret ? [] : here.error ? this.failure(here.error) : here.answer.games ? this.content(now) : []);
  }

  async search() {
    try {
      const address = await this.exploring.similar();
      if (address) location.assign(address);
      else this.replay.send('say', words.notKnown);
    } catch (why) {
      this.replay.send('say', errorWords(why));
    }
  }

  failure(error) {
    return [h('p', { role: 'alert' }, ...marked(errorWords(error))), h('button', { type: 'button', onclick: () => this.exploring.here.retry() }, common.again)];
  }

  content(now) {
    const { game, here: { answer }, isTold, ply } = now;
    const { top, recent } = others(answer.topGames, answer.recentGames, game.id);
    return [
      (isTold || answer.games > 1) && h('div', { class: 'all' }, resultsBar(answer.results, isShared(answer.results, answer.games), answer.games), h('p', { class: 'hint' }, `${capital(resultWords(answer.results))}.`)),
      answer.actions.length > 0 && h('h2', {}, words.playedNext),
      answer.actions.length > 0 && h('ul', { class: 'actions' }, ...answer.actions.map((action) => this.action(action, now))),
      answer.actions.length === 0 && h('p', { class: 'hint' }, common.noneContinued),
      ...list(recent.length > 0 ? words.topGames : common.games, top, ply, game.id),
      ...list(top.length > 0 ? common.recentGames : common.games, recent, ply, game.id),
    ];
  }

  action({ action, games, lastPlayed, positionKey, results }, now) {
    const { here: { answer }, isTold, opened, ply, walk } = now;
    const isOwn = isMove(action, walk[ply]);
    const isOpen = positionKey === opened;
    const told = [
      h('span', { class: 'name' }, h('span', { class: 'action', title: action }, action), isOwn && h('span', { class: 'mine' }, words.thisGame)),
      h('span', { class: 'count' }, number(games), h('span', { class: 'hint' }, ` ${percent(games / answer.games)}`)),
      (isTold || !isOwn || games > 1) && resultsBar(results, isShared(results, games), games),
      h('span', { class: 'hint last' }, lastPlayed ? day(lastPlayed) : ''),
    ];
    const follow = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.replay.send('go', ply + 1);
    };
    if (isOwn) return h('li', { class: 'own' }, h('a', { href: `#${ply + 1}`, onclick: follow }, ...told));
    return h('li', { id: `to-${positionKey}` },
      h('button', { type: 'button', 'aria-expanded': String(isOpen), 'data-key': positionKey, onclick: () => this.replay.send('open', positionKey) }, ...told),
      isOpen && h('div', { class: 'leads' },
        h('button', { type: 'button', class: 'small', onclick: () => this.playing.playWord(action) }, words.playHere), ...leads(now)));
  }
}

/** Where another action leads: games that took it. */
function leads({ game, ply, there }) {
  if (!there || there.loading) return [h('p', { class: 'hint' }, page.looking)];
  if (there.error) return [h('p', { class: 'hint', role: 'alert' }, ...marked(errorWords(there.error)))];
  const { top, recent } = others(there.answer.topGames, there.answer.recentGames, game.id);
  const listed = [...top, ...recent].slice(0, LEADS_MAX);
  if (listed.length === 0) return [h('p', { class: 'hint' }, words.onlyThis)];
  return [gameLinks(listed, { ply: ply + 1, beside: game.id })];
}

function sumWords(now) {
  const { pending } = now.here.answer;
  return gamesWords(now) + (pending > 0 ? words.pending(pending) : '');
}

function gamesWords({ filter, game, here: { answer: { games, topGames, recentGames } } }) {
  const isNarrowed = Object.keys(filter).length > 0;
  if (games === 0) return isNarrowed ? words.noMatch : words.noGame;
  const isOwn = [...topGames, ...recentGames].some(({ id }) => id === game.id);
  if (games === 1 && isOwn) return words.noOther;
  return words.reached(games);
}

function list(title, games, ply, beside) {
  return games.length > 0 ? [h('h2', {}, title), gameLinks(games, { ply, beside })] : [];
}

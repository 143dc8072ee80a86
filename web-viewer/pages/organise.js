// The organiser's console of a tournament.

import { common } from '../words/common.js';
import { within } from '../base/addressed.js';
import { errorWords, request, setToken, token } from '../base/api.js';
import { byId, h, marked, openDialog, setText } from '../base/dom.js';
import { patch } from '../base/patch.js';
import { steadyTaps } from '../base/steady.js';
import { statusWords } from '../model/tournament.js';
import { EXPLANATION, KINDS_OF } from '../model/tournament-queries.js';
import { nextStep } from '../model/tournament-steps.js';
import { tournamentAddress } from '../model/tournament-url.js';
import { idIn } from '../model/url.js';
import { console as words } from '../words/console.js';
import { Console, NOTHING_SAID } from '../tournaments/console/console.js';
import { Entrants } from '../tournaments/console/entrants.js';
import { History } from '../tournaments/console/history.js';
import { Round } from '../tournaments/console/round.js';
import { Settings } from '../tournaments/console/settings.js';
import { failure } from '../tournaments/parts.js';

const id = idIn(location.pathname);
const hub = new Console(id, urlOf(location.search), redraw);
const explanation = (table) => request(EXPLANATION, { id, round: hub.now().round.number, table: table.number })
  .then(({ tournament }) => tournament.round.table, () => ({ explanation: [] }));
const settings = new Settings(byId('panel-settings'), hub);
const panels = {
  entrants: new Entrants(byId('panel-entrants'), hub), rounds: new Round(byId('panel-rounds'), hub, explanation), settings, history: new History(byId('panel-history'), hub),
};

/** A helper's link signs in; the token of somebody who is signed in already is replaced only if they say so. */
function signInByLink() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return;
  history.replaceState(null, '', location.pathname + location.search);
  const enter = () => {
    setToken(given);
    location.reload();
  };
  if (!token()) enter();
  else if (token() !== given) openDialog(words.helper, h('p', {}, words.helperAsked), h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', onclick: enter }, common.signIn)));
}

function urlOf(search) {
  const given = new URLSearchParams(search);
  const tab = given.get('tab') ?? '';
  return { tab: tab in words.tabs ? tab : '', round: /^[1-9]\d{0,3}$/.test(given.get('round') ?? '') ? Number(given.get('round')) : 0 };
}

/** Before the first pairing the console opens with the players, then with the rounds. */
function tabOf({ tournament, url }) {
  return url.tab || (tournament.rounds.some(({ status }) => status !== 'UNPAIRED') ? 'rounds' : 'entrants');
}

function redraw() {
  const now = hub.now();
  const { error, loading, tournament } = now;
  const mayOrganise = Boolean(tournament?.mayOrganise);
  byId('panels').setAttribute('aria-busy', String(loading));
  patch(byId('notice'), notices(now));
  if (tournament) drawHead(now);
  const tab = mayOrganise && !error ? tabOf(now) : '';
  for (const [name, panel] of Object.entries(panels)) {
    byId(`panel-${name}`).hidden = name !== tab;
    if (name === tab) panel.draw(now);
  }
  byId('step').hidden = !tab;
  if (tab) drawStep(now);
  drawToast(now);
}

function notices({ error, loading, refused, tournament }) {
  if (error) return [failure(error, () => hub.load())];
  if (loading) return [h('p', { class: 'empty' }, common.tournamentLoading)];
  const why = token() ? words.mayNot : words.signInFirst;
  return [
    !tournament.mayOrganise && h('p', { class: 'notice' }, why, h('button', { type: 'button', class: 'link', onclick: () => byId('sign-in').click() }, common.signIn)),
    refused && h('div', { class: 'notice bad', role: 'alert' }, h('p', {}, ...marked(refusedWords(refused))),
      (refused.details?.warnings ?? []).length > 0 && h('ul', { class: 'warnings', lang: 'en', dir: 'ltr' }, ...refused.details.warnings.map(({ text }) => h('li', {}, text))),
      h('button', { type: 'button', onclick: () => hub.set({ refused: null }) }, words.understood)),
  ].filter(Boolean);
}

function refusedWords(refused) {
  if (refused.code === 'LOG_CONFLICT') return words.conflict;
  return errorWords(refused);
}

function drawHead({ live, tournament, ...now }) {
  document.title = `${words.title(tournament.name)} · Plybook`;
  setText(byId('name'), tournament.name);
  setText(byId('status'), statusWords(tournament));
  byId('status').className = `label ${tournament.status.toLowerCase()}`;
  byId('live').hidden = false;
  byId('live').dataset.state = live;
  setText(byId('live'), common.live[live]);
  byId('public').hidden = false;
  byId('public').href = tournamentAddress(id);
  const current = tabOf({ tournament, url: now.url });
  patch(byId('tabs'), Object.entries(words.tabs).map(([tab, title]) => within(`?tab=${tab}`, () => hub.go({ tab, round: 0 }), { 'aria-current': tab === current && 'page' }, title)));
}

/** The next step, always in the same place. */
function drawStep({ busy, draft, tournament }) {
  const step = nextStep(tournament);
  const ready = step.isReady && !busy && !draft;
  patch(byId('step'), [
    h('p', { role: 'status' }, draft ? words.beingChanged : step.text),
    step.label && h('button', { type: 'button', class: 'primary', id: 'next-step', 'aria-disabled': String(!ready), onclick: () => ready && take(step) }, busy === step.name ? words.oneMoment : step.label),
    tournament.status === 'FINISHED' && h('button', { type: 'button', onclick: () => hub.decide('resumeTournament', {}, { told: words.reopened }) }, words.reopen),
    tournament.status !== 'FINISHED' && step.name !== 'finishTournament' && tournament.currentRound?.status === 'CLOSED'
      && h('button', { type: 'button', class: 'quiet', onclick: () => hub.decide('finishTournament', {}, { told: words.finished }) }, words.finishNow),
  ].filter(Boolean));
}

async function take(step) {
  if (step.name === 'pairByHand') {
    await hub.go({ tab: 'rounds', round: step.round });
    panels.rounds.editor.begin();
    return;
  }
  const variables = ['pairRound', 'finishTournament'].includes(step.name) ? {} : { round: step.round };
  const { url } = hub.now();
  const done = await hub.decide(step.name, variables, { told: step.told });
  // An organiser who has opened another tab meanwhile stays there.
  if (!done || hub.now().url !== url || step.name === 'finishTournament') return;
  await hub.go({ tab: 'rounds', round: step.name === 'endRound' ? 0 : step.round });
  if (step.name === 'openRound') panels.rounds.results.begin();
}

function drawToast({ busy, said }) {
  const text = [said.undone, said.text].filter(Boolean).join(' ');
  patch(byId('toast'), text ? [
    h('span', {}, text),
    mayUndo(said) && h('button', { type: 'button', class: 'link', 'data-undoes': said.text, 'aria-disabled': String(Boolean(busy)), onclick: () => !busy && undo() }, common.undo),
    h('button', { type: 'button', class: 'quiet icon', 'aria-label': common.close, onclick: () => hub.set({ said: NOTHING_SAID }) }, '✕'),
  ].filter(Boolean) : []);
}

function mayUndo({ ruled, undo }) {
  return Boolean(ruled) || undo.length > 0;
}

/** Once the button that undoes is gone, the focus goes back to the results. */
async function undo() {
  await hub.undo();
  if (!mayUndo(hub.now().said)) panels.rounds.results.begin();
}

globalThis.addEventListener('beforeunload', (event) => panels.rounds.editor.isChanged() && event.preventDefault());
globalThis.addEventListener('popstate', () => {
  hub.set({ url: urlOf(location.search), draft: null, slips: [], results: [] });
  hub.load();
});
// The second half of a double click is not the step after this one, nor does it undo what was done before.
steadyTaps(byId('step'));
steadyTaps(byId('toast'));
signInByLink();
request(KINDS_OF).then(({ rules }) => { settings.kinds = rules; redraw(); }, () => {});
hub.load();

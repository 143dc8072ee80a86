// The dialog for the key of this device: made, shown, registered with a player, forgotten.

import { deviceKey as words } from '../words/device-key.js';
import { moment } from '../words/locale.js';
import { errorWords, request } from './api.js';
import { deviceKey, forgetKey, makeKey, obstacle } from './device-key.js';
import { h, marked, openDialog } from './dom.js';
import { patch } from './patch.js';

const HOLDER = 'query Holder { me { role game { id } player { id name keys { key since until } } } }';
const ADD_KEY = 'mutation AddKey($player: ID!, $key: PublicKey!) { addPlayerKey(player: $player, key: $key) { id } }';
const REMOVE_KEY = 'mutation RemoveKey($player: ID!, $key: PublicKey!) { removePlayerKey(player: $player, key: $key) { id } }';

/**
 * Opens the dialog.
 * @param {{as?: string, why?: string, changed?: () => void}} [how] as: the token to use instead of the reader's; why: what the key
 *   is wanted for; changed: called when the key, or whose it is, has changed
 */
export async function openKeyDialog({ as, why = '', changed = () => {} } = {}) {
  const place = h('div', { class: 'device-key', id: 'device-key', 'aria-busy': 'true' });
  openDialog(words.title, place);
  let state = { key: null, me: null, isForgetting: false, said: '', bad: '' };
  const draw = (change) => { state = { ...state, ...change }; patch(place, content(state, why, acts)); };
  const look = async (change = {}) => {
    const [key, holder] = await Promise.all([deviceKey(), request(HOLDER, {}, as).catch(() => null)]);
    draw({ key, me: holder?.me ?? null, isForgetting: false, bad: '', ...change });
    place.setAttribute('aria-busy', 'false');
  };
  /** Does something, and shows what came of it. */
  const attempt = async (what, said) => {
    try {
      await what();
      await look({ said });
      changed();
    } catch (error) {
      draw({ bad: errorWords(error) });
    }
  };
  const acts = {
    make: () => attempt(makeKey, words.isMade),
    copy: async () => {
      const isDone = await navigator.clipboard?.writeText(state.key.publicKey).then(() => true, () => false);
      draw({ said: isDone ? words.isCopied : words.notCopied });
    },
    register: () => attempt(() => registerKey(state.me.player.id, state.key.publicKey, as), words.isRegistered(state.me.player.name)),
    ask: (isForgetting) => draw({ isForgetting, said: '' }),
    forget: () => attempt(forgetKey, words.isGone),
  };
  await look();
  place.querySelector('button')?.focus();
}

/** Adds a key to a player's log. @param {string} player @param {string} key @param {string} [as] */
export function registerKey(player, key, as) {
  return request(ADD_KEY, { player, key }, as);
}

/** Removes a key from those that a player signs with. @param {string} player @param {string} key @param {string} [as] */
export function removeKey(player, key, as) {
  return request(REMOVE_KEY, { player, key }, as);
}

function content({ bad, isForgetting, key, me, said }, why, acts) {
  const told = [said && h('p', { class: 'hint', role: 'status', id: 'key-said' }, said), bad && h('p', { class: 'bad', role: 'alert' }, ...marked(bad))];
  if (obstacle()) return [why && h('p', {}, why), h('p', { class: 'notice', id: 'key-obstacle' }, obstacle())].filter(Boolean);
  if (!key) {
    return [
      why && h('p', {}, why),
      h('p', {}, words.whatFor),
      ...told,
      h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', id: 'make-key', onclick: acts.make }, words.make)),
    ].filter(Boolean);
  }
  if (isForgetting) {
    return [
      h('p', { id: 'forget-asked' }, h('strong', {}, words.forgetAsked)),
      h('p', {}, words.forgetMeans, ' ',
        registration(me, key)?.isCurrent ? words.staysRegistered(me.player.name) : words.removeToo),
      ...told,
      h('div', { class: 'row' }, h('button', { type: 'button', id: 'keep-key', onclick: () => acts.ask(false) }, words.keep), h('button', { type: 'button', class: 'danger', id: 'forget-key', onclick: acts.forget }, words.forgetNow)),
    ].filter(Boolean);
  }
  return [
    h('dl', { class: 'pairs' }, h('dt', {}, words.publicKey), h('dd', {}, h('code', { id: 'public-key' }, key.publicKey)), h('dt', {}, words.made), h('dd', {}, moment(key.made)),
      h('dt', {}, words.whose), h('dd', { id: 'key-holder' }, ...holder(me, key, acts))),
    ...told,
    h('div', { class: 'row' }, h('button', { type: 'button', id: 'copy-key', onclick: acts.copy }, words.copy), h('button', { type: 'button', class: 'quiet', id: 'ask-forget', onclick: () => acts.ask(true) }, words.forget)),
  ].filter(Boolean);
}

/** What the log of the player who has the token says of this device's key last. */
function registration(me, key) {
  const found = me?.player?.keys.findLast((each) => each.key === key.publicKey);
  return found && { ...found, isCurrent: !found.until };
}

function holder(me, key, acts) {
  const { player } = me ?? {};
  const found = registration(me, key);
  if (!player) return [me && me.role !== 'spectator' ? words.nobodys : words.notSignedIn, ' ', words.arbiterCan];
  const page = h('a', { href: `/players/${encodeURIComponent(player.id)}` }, player.name);
  if (found?.isCurrent) return words.since(page, moment(found.since));
  if (me.game) return words.onlyThisGame(page);
  return [found ? words.noLonger : words.notYet, ' ', h('button', { type: 'button', class: 'primary', id: 'register-key', onclick: acts.register }, words.register(player.name))];
}

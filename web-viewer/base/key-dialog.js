// The dialog for the key of this device: made, shown, registered with a player, forgotten.

import { errorWords, request } from './api.js';
import { deviceKey, forgetKey, makeKey, obstacle } from './device-key.js';
import { h, openDialog } from './dom.js';
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
  openDialog('The key of this device', place);
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
    make: () => attempt(makeKey, 'This device has a key.'),
    copy: async () => {
      const isDone = await navigator.clipboard?.writeText(state.key.publicKey).then(() => true, () => false);
      draw({ said: isDone ? 'The public key is copied.' : 'The browser did not copy it: select it and copy it by hand.' });
    },
    register: () => attempt(() => registerKey(state.me.player.id, state.key.publicKey, as), `It is registered: what it signs is ${state.me.player.name}’s.`),
    ask: (isForgetting) => draw({ isForgetting, said: '' }),
    forget: () => attempt(forgetKey, 'The key is gone.'),
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
  const told = [said && h('p', { class: 'hint', role: 'status', id: 'key-said' }, said), bad && h('p', { class: 'bad', role: 'alert' }, bad)];
  if (obstacle()) return [why && h('p', {}, why), h('p', { class: 'notice', id: 'key-obstacle' }, obstacle())].filter(Boolean);
  if (!key) {
    return [
      why && h('p', {}, why),
      h('p', {}, 'With a key, this device signs what you do in a game. Then nobody can change it in your name, not even whoever runs the service. The private key stays in this browser: it cannot be read, copied or sent.'),
      ...told,
      h('div', { class: 'row' }, h('button', { type: 'button', class: 'primary', id: 'make-key', onclick: acts.make }, 'Make a key')),
    ].filter(Boolean);
  }
  if (isForgetting) {
    return [
      h('p', { id: 'forget-asked' }, h('strong', {}, 'Forget this key? Nobody can bring it back.')),
      h('p', {}, 'What it signed stays signed. In running games that demand signatures, a player can go on only with another registered key. ',
        registration(me, key)?.isCurrent ? `It stays registered with ${me.player.name} until it is removed on the player's page.` : 'If it is registered with a player, remove it on the player’s page.'),
      ...told,
      h('div', { class: 'row' }, h('button', { type: 'button', id: 'keep-key', onclick: () => acts.ask(false) }, 'Keep it'), h('button', { type: 'button', class: 'danger', id: 'forget-key', onclick: acts.forget }, 'Forget it')),
    ].filter(Boolean);
  }
  return [
    h('dl', { class: 'pairs' }, h('dt', {}, 'Public key'), h('dd', {}, h('code', { id: 'public-key' }, key.publicKey)), h('dt', {}, 'Made'), h('dd', {}, new Date(key.made).toLocaleString()),
      h('dt', {}, 'Whose it is'), h('dd', { id: 'key-holder' }, ...holder(me, key, acts))),
    ...told,
    h('div', { class: 'row' }, h('button', { type: 'button', id: 'copy-key', onclick: acts.copy }, 'Copy the public key'), h('button', { type: 'button', class: 'quiet', id: 'ask-forget', onclick: () => acts.ask(true) }, 'Forget this key…')),
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
  if (!player) return [me && me.role !== 'spectator' ? 'Your token is nobody’s in particular: what this key signs is signed by whoever has the token. ' : 'You are not signed in. ', 'An arbiter can register the public key on the page of a player.'];
  const page = h('a', { href: `/players/${encodeURIComponent(player.id)}` }, player.name);
  if (found?.isCurrent) return [page, `, since ${new Date(found.since).toLocaleString()}`];
  if (me.game) return ['It is not among the keys of ', page, '. Your link is for one game only: register it with a token of your own, or ask an arbiter.'];
  return [found ? 'It is not registered any more. ' : 'It is not registered yet. ', h('button', { type: 'button', class: 'primary', id: 'register-key', onclick: acts.register }, `Register it with ${player.name}`)];
}

// The dialog for entering an access token, and the header button that opens it.

import { common } from '../words/common.js';
import { SIGNED_OUT, checkToken, errorWords, holder, setToken, token } from './api.js';
import { byId, h, marked, openDialog, setText } from './dom.js';

function open() {
  const field = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'off', spellcheck: 'false', required: true });
  const said = h('p', { class: 'bad', role: 'alert' });
  const form = h('form', { class: 'sign-in', onsubmit: (event) => { event.preventDefault(); attempt(field, said); } },
    h('p', {}, common.whatFor),
    h('label', { for: 'token' }, common.token),
    field,
    said,
    h('div', { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, common.signIn),
      token() && h('button', { type: 'button', onclick: () => keep('') }, common.signOut),
      h('button', { type: 'button', class: 'quiet', id: 'open-key', onclick: openKey }, common.deviceKey)));
  const dialog = openDialog(common.signInTitle, form);
  field.focus();

  async function openKey() {
    dialog.close();
    const { openKeyDialog } = await import('./key-dialog.js');
    openKeyDialog();
  }
}

/** A token is kept only if the service knows it. */
async function attempt(field, said) {
  setText(said, '');
  const value = field.value.trim();
  try {
    const { player, role } = await checkToken(value);
    keep(value, player?.name ?? common.roles[role] ?? role);
  } catch (why) {
    said.replaceChildren(...marked(why.code === 'UNAUTHENTICATED' ? common.unknownToken : errorWords(why)));
    field.focus();
  }
}

/** A change of token reloads the page. */
function keep(value, name = '') {
  setToken(value, name);
  location.reload();
}

function show() {
  const name = token() && holder();
  setText(byId('sign-in'), name ? common.signedInAs(name) : token() ? common.signedIn : common.signIn);
}

show();
globalThis.addEventListener(SIGNED_OUT, () => {
  show();
  if (document.querySelector('.signed-out')) return;
  byId('sign-in').closest('header').after(h('p', { class: 'notice signed-out', role: 'status' },
    common.signedOut));
});
byId('sign-in').addEventListener('click', open);

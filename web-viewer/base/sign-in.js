// The dialog for entering an access token, and the header button that opens it.

import { SIGNED_OUT, checkToken, errorWords, setToken, token } from './api.js';
import { byId, h, openDialog, setText } from './dom.js';
import { openKeyDialog } from './key-dialog.js';

function open() {
  const field = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'off', spellcheck: 'false', required: true });
  const said = h('p', { class: 'bad', role: 'alert' });
  const form = h('form', { class: 'sign-in', onsubmit: (event) => { event.preventDefault(); attempt(field, said); } },
    h('p', {}, 'Replays and tournaments are open to everybody. A token lets you see what your seat may see, or run a tournament. It is kept in this browser only.'),
    h('label', { for: 'token' }, 'Token'),
    field,
    said,
    h('div', { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
      token() && h('button', { type: 'button', onclick: () => keep('') }, 'Sign out'),
      h('button', { type: 'button', class: 'quiet', id: 'open-key', onclick: () => { dialog.close(); openKeyDialog(); } }, 'The key of this device…')));
  const dialog = openDialog('Sign in with a token', form);
  field.focus();
}

/** A token is kept only if the service knows it. */
async function attempt(field, said) {
  setText(said, '');
  const value = field.value.trim();
  try {
    await checkToken(value);
    keep(value);
  } catch (why) {
    setText(said, why.code === 'UNAUTHENTICATED' ? 'The service does not know this token. Check that it was copied whole.' : errorWords(why));
    field.focus();
  }
}

/** A change of token reloads the page. */
function keep(value) {
  setToken(value);
  location.reload();
}

function show() {
  setText(byId('sign-in'), token() ? 'Signed in' : 'Sign in');
}

show();
globalThis.addEventListener(SIGNED_OUT, () => {
  show();
  if (document.querySelector('.signed-out')) return;
  byId('sign-in').closest('header').after(h('p', { class: 'notice signed-out', role: 'status' },
    'The token kept in this browser is no longer valid. You see what everybody sees; sign in again for more.'));
});
byId('sign-in').addEventListener('click', open);

// The dialog for entering an access token, and the header button that opens it.

import { setToken, token } from './api.js';
import { byId, h, openDialog, setText } from './dom.js';

function open() {
  const field = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'off', spellcheck: 'false', required: true });
  const form = h('form', { class: 'sign-in', onsubmit: (event) => { event.preventDefault(); keep(field.value.trim()); } },
    h('p', {}, 'Replays and tournaments are open to everybody. A token lets you see what your seat may see, or run a tournament. It is kept in this browser only.'),
    h('label', { for: 'token' }, 'Token'),
    field,
    h('div', { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
      token() && h('button', { type: 'button', onclick: () => keep('') }, 'Sign out')));
  openDialog('Sign in with a token', form);
  field.focus();
}

/** A change of token loads the page anew. */
function keep(value) {
  setToken(value);
  location.reload();
}

setText(byId('sign-in'), token() ? 'Signed in' : 'Sign in');
byId('sign-in').addEventListener('click', open);

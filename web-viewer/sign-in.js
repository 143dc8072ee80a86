// The dialog in which a reader keeps a token, and the button that opens it.

import { setToken, token } from './api.js';
import { byId, h, openDialog, setText } from './dom.js';

/** Wires the page's sign-in button. A change of token loads the page anew. */
export function wireSignIn() {
  const button = byId('sign-in');
  setText(button, token() ? 'Signed in' : 'Sign in');
  button.addEventListener('click', open);
}

function open() {
  const field = h('input', { type: 'password', id: 'token', name: 'token', autocomplete: 'off', spellcheck: 'false', required: true });
  const leave = () => keep('');
  const form = h('form', { class: 'sign-in', onsubmit: (event) => { event.preventDefault(); keep(field.value.trim()); } },
    h('p', {}, 'Replays are open to everybody. A token lets you see what your seat may see. It is kept in this browser only.'),
    h('label', { for: 'token' }, 'Token'),
    field,
    h('div', { class: 'row' },
      h('button', { type: 'submit', class: 'primary' }, 'Sign in'),
      token() && h('button', { type: 'button', onclick: leave }, 'Sign out')));
  openDialog('Sign in with a token', form);
  field.focus();
}

function keep(value) {
  setToken(value);
  location.reload();
}

// The header's button for the theme: as the system has it, light, dark. Kept in this browser.

import { common } from '../words/common.js';
import { byId } from './dom.js';

const THEME = 'plybook.theme';
const THEMES = ['', 'light', 'dark'];
const button = byId('theme');

/** @returns {string} `light` or `dark`; empty as the system has it */
const chosen = () => document.documentElement.dataset.theme ?? '';

function show(theme) {
  document.documentElement.dataset.theme = theme;
  const name = THEMES.includes(theme) && theme ? theme : 'system';
  button.dataset.theme = name;
  button.setAttribute('aria-label', common.themes[name]);
  button.title = common.changeTheme(common.themes[name]);
}

function change() {
  const theme = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length];
  show(theme);
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // Without storage, it holds until the page is left.
  }
}

button.addEventListener('click', change);
// What is chosen in another tab holds here too.
globalThis.addEventListener('storage', ({ key, newValue }) => key === THEME && show(newValue ?? ''));
show(chosen());

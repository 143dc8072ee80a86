// The header's button for the theme: as the system has it, light, dark. Kept in this browser.

import { byId } from './dom.js';

const THEME = 'plybook.theme';
const THEMES = ['', 'light', 'dark'];
const WORDS = { light: 'light', dark: 'dark' };
const button = byId('theme');

/** @returns {string} `light` or `dark`; empty as the system has it */
const chosen = () => document.documentElement.dataset.theme ?? '';

function show(theme) {
  document.documentElement.dataset.theme = theme;
  button.dataset.theme = WORDS[theme] ?? 'system';
  const label = `Theme: ${WORDS[theme] ?? 'as the system'}`;
  button.setAttribute('aria-label', label);
  button.title = `${label}. Change it`;
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

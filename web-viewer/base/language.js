// The languages at the end of a page. The reader's choice is kept in this browser, and `first.js` asks for it from then on.

import { byId } from './dom.js';

const CHOSEN = 'plybook.language';

for (const button of byId('languages').children) {
  if (button.value === document.documentElement.lang) button.setAttribute('aria-current', 'true');
  button.addEventListener('click', () => choose(button.value));
}

/** @param {string} language */
function choose(language) {
  try {
    localStorage.setItem(CHOSEN, language);
  } catch {
    // Without storage, it holds until the page is left.
  }
  const here = new URL(location.href);
  here.searchParams.set('lang', language);
  location.replace(here);
}

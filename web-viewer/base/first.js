// The reader's theme and language, before anything is painted. Not a module: those run later. `theme.js` and `language.js` change
// them.

(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name) ?? '';
    } catch {
      // Without storage, the theme is the system's, and the language the browser's.
      return '';
    }
  };
  const page = document.documentElement;
  page.dataset.theme = kept('plybook.theme');
  const here = new URL(location.href);
  const asked = here.searchParams.get('lang');
  const chosen = kept('plybook.language');
  if (asked !== null) {
    // Addresses that are shared carry no language, unless they are for a frame in another site's page: that keeps nothing.
    if (isEmbedded()) return;
    here.searchParams.delete('lang');
    history.replaceState(history.state, '', here);
  } else if (chosen && chosen !== page.lang && !isEmbedded()) {
    here.searchParams.set('lang', chosen);
    location.replace(here);
  }

  function isEmbedded() {
    return /\/embed\/[^/]*$/.test(location.pathname);
  }
})();

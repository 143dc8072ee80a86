// Pages whose address says what they show: another choice is another address, without leaving the page.

import { common } from '../words/common.js';
import { errorWords } from './api.js';
import { byId, h, marked } from './dom.js';
import { store } from './store.js';

/**
 * The state of such a page: `url`, what its address says; whether it is `loading`; the `error` of the last request; and what `load` answers.
 * @param {{parse: (search: string) => any, search: (url: any) => string, load: (url: any, part?: any) => Promise<any>}} of
 *   part: the only part to load, as the caller of `go` or `load` says
 * @param {any} first the rest of the state
 * @param {() => void} draw
 */
export function addressed({ parse, search, load }, first, draw) {
  let asked = 0;
  const { state, update } = store({ url: parse(location.search), loading: true, error: null, ...first }, draw);
  const again = async (part = undefined) => {
    const ask = ++asked;
    update({ loading: true, error: null });
    try {
      const found = await load(state().url, part);
      if (ask === asked) update({ ...found, loading: false });
    } catch (error) {
      if (ask === asked) update({ error, loading: false });
    }
  };
  const go = (change, part = undefined) => {
    const url = { ...state().url, ...change };
    history.pushState(null, '', location.pathname + search(url));
    update({ url });
    return again(part);
  };
  globalThis.addEventListener('popstate', () => {
    update({ url: parse(location.search) });
    again();
  });
  return { state, update, go, load: again };
}

/**
 * A link that is followed within the page.
 * @param {string} href
 * @param {() => void} go
 * @param {Record<string, any>} properties
 * @param {...any} content
 */
export function within(href, go, properties, ...content) {
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go();
  };
  return h('a', { href, onclick, ...properties }, ...content);
}

/**
 * A link to another page of a list; without one, it leads nowhere.
 * @param {string} id of the link
 * @param {string} href empty if there is no such page
 * @param {() => void} go
 * @param {HTMLElement} list where the reader goes on
 */
export function turnPage(id, href, go, list) {
  const link = /** @type {HTMLAnchorElement} */ (byId(id));
  if (href) link.href = href;
  else link.removeAttribute('href');
  link.setAttribute('aria-disabled', String(!href));
  link.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!href) return;
    go();
    list.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  };
}

/** Shown instead of something that could not be loaded. `gone`: where else to look if there is no such thing. */
export function failure(error, again, gone = h('a', { href: '/' }, common.allGames)) {
  return h('div', { class: 'empty', role: 'alert' },
    h('p', {}, ...marked(errorWords(error))),
    error.code === 'NOT_FOUND' ? gone : h('button', { type: 'button', class: 'primary', onclick: () => again() }, common.again));
}

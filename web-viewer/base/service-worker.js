// Keeps pages that were opened before, and the files they need, for when there is no connection. The network always
// comes first, so that no stale code runs after an update.
//
// Served as `/service-worker.js`. The service writes a number of all files of the viewer into the name of the cache,
// so that each version starts with an empty one.

const CACHE = 'plybook VERSION';
const PAGES = [/^\/record\/[^/]+$/, /^\/table$/];

const worker = /** @type {any} */ (globalThis);

worker.addEventListener('install', () => worker.skipWaiting());
worker.addEventListener('activate', (event) => event.waitUntil(begin()));
worker.addEventListener('fetch', (event) => {
  const path = pathOf(event.request);
  if (path) event.respondWith(fetched(event.request, path));
});
/** A page tells what it loaded before this worker ran. */
worker.addEventListener('message', (event) => event.waitUntil(keepAll(event.data)));

async function begin() {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await worker.clients.claim();
}

/** The path under which the answer to a request is kept; empty if it is not. */
function pathOf({ method, url }) {
  const { origin, pathname } = new URL(url);
  return method === 'GET' && origin === location.origin ? keyOf(pathname) : '';
}

/** The page of one game is the page of all, in whatever language it was opened last. */
function keyOf(pathname) {
  const page = PAGES.findIndex((each) => each.test(pathname));
  return page >= 0 ? `/${page}` : pathname.startsWith('/static/') ? pathname : '';
}

async function fetched(request, path) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(path, answer.clone()).catch(() => {});
    return answer;
  } catch (error) {
    const kept = await cache.match(path);
    if (kept) return kept;
    throw error;
  }
}

/** @param {string[]} addresses */
async function keepAll(addresses) {
  const cache = await caches.open(CACHE);
  await Promise.all(addresses.map(async (address) => {
    const { pathname, search } = new URL(address);
    const path = keyOf(pathname);
    if (!path || await cache.match(path)) return;
    const answer = await fetch(`${pathname}${search}`).catch(() => null);
    if (answer?.ok) await cache.put(path, answer).catch(() => {});
  }));
}

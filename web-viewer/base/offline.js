// Makes a page open without a connection, once it was opened with one (service-worker.js).

/** Browsers without service workers, and addresses without TLS, need a connection as before. */
export async function keepForOffline() {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/service-worker.js');
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage([here(), ...performance.getEntriesByType('resource').map(({ name }) => name).filter(isOwn)]);
  } catch {
    // The page works all the same while there is a connection.
  }
}

/** The address of this page in its language. */
function here() {
  const address = new URL(location.href);
  address.searchParams.set('lang', document.documentElement.lang);
  return address.href;
}

function isOwn(address) {
  const { origin, pathname } = new URL(address);
  return origin === location.origin && pathname.startsWith('/static/');
}

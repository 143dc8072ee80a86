// Keeps the screen awake while a game is recorded, where the browser can.

/** @type {any} */ let lock = null;
let isWanted = false;

/** @param {boolean} wanted */
export function keepAwake(wanted) {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) take();
  else {
    lock?.release().catch(() => {});
    lock = null;
  }
}

async function take() {
  if (!isWanted || document.hidden || !('wakeLock' in navigator)) return;
  // The browser refuses when the battery is low, for instance: then the screen goes dark as usual.
  lock = await navigator.wakeLock.request('screen').catch(() => null);
}

// The browser lets go of it whenever the page is hidden.
document.addEventListener('visibilitychange', take);

// Work that waits until a frame is painted.

/** A reader who holds a key sees what waits so many times a second at most, and the rest of the time goes to the frames. */
const EVERY_MS = 100;

/**
 * Work that may follow the next frame, once for all who ask for it until then.
 * @param {() => void} work
 * @returns {{later: () => void, soon: () => void}} later: after the frame, or at once on a page that is not seen, since it paints none;
 *   soon: at once, unless it waits for a frame that will come
 */
export function afterFrame(work) {
  let isWaiting = false;
  let doneAt = -Infinity;
  const now = () => {
    isWaiting = false;
    doneAt = performance.now();
    work();
  };
  const later = () => {
    if (document.hidden) {
      now();
      return;
    }
    if (isWaiting) return;
    isWaiting = true;
    // The callback comes before the frame is painted, the timer after it.
    requestAnimationFrame(() => setTimeout(now, doneAt + EVERY_MS - performance.now()));
  };
  return { later, soon: () => (isWaiting && !document.hidden) || now() };
}

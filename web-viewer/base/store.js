// A page's state in one place. It is replaced as a whole, and the page is redrawn once for all changes made
// together.

/**
 * @template S
 * @param {S} first
 * @param {() => void} draw called after changes, once for all simultaneous ones
 * @param {(state: S, ...message: any[]) => S} [next] the state after a message; by default messages are changes
 */
export function store(first, draw, next = (state, change) => ({ ...state, ...change })) {
  let state = Object.freeze(first);
  let isWaiting = false;
  return {
    state: () => state,
    update(...message) {
      state = Object.freeze(next(state, ...message));
      if (isWaiting) return;
      isWaiting = true;
      queueMicrotask(() => {
        isWaiting = false;
        draw();
      });
    },
  };
}

// Limits how often calls are made.

/**
 * Makes calls at once as long as there are few; of many in a row, the latest is made as soon as a call is due.
 * @template T
 * @param {(value: T) => void} call if it throws, the latest value is tried again later
 * @param {{burst: number, everyMs: number, retryMs: number}} limits how many at once, then one per interval
 * @param {() => number} [clock] in milliseconds
 * @returns {(value: T) => void}
 */
export function throttled(call, { burst, everyMs, retryMs }, clock = () => performance.now()) {
  let left = burst;
  let at = clock();
  let timer = 0;
  /** @type {{value: T} | null} */ let waiting = null;

  function attempt() {
    timer = 0;
    const now = clock();
    const due = Math.floor((now - at) / everyMs);
    left = Math.min(burst, left + due);
    at = left === burst ? now : at + due * everyMs;
    if (!waiting) return;
    if (left === 0) {
      wait(at + everyMs - now);
      return;
    }
    left -= 1;
    const { value } = waiting;
    try {
      call(value);
      waiting = null;
    } catch {
      wait(retryMs);
    }
  }

  function wait(ms) {
    timer = setTimeout(attempt, ms);
  }

  return (value) => {
    waiting = { value };
    if (!timer) attempt();
  };
}

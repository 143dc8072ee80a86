// Calls that may come often, made at most so often.

/**
 * Makes calls at once as long as there are few; of many in a row the latest is made as soon as one is due.
 * @template T
 * @param {(value: T) => void} call what it throws is taken as "not now": the latest value is tried again
 * @param {{burst: number, everyMs: number, retryMs: number}} limits so many at once, then one every so often
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

// A subscription over WebSocket (graphql-transport-ws) that reconnects after every interruption.

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 20_000;
/** How long a connection may be silent before it is asked whether it lives, and how long the answer may take. */
const SILENCE_MS = 20_000;
const ANSWER_MS = 8000;
/** Closes after which trying again cannot help: bad request, not allowed, protocol not spoken. */
const FINAL_CODES = new Set([4400, 4401, 4403, 4406]);

/**
 * @typedef {'connecting'|'live'|'offline'|'refused'} LiveState
 * @typedef {{url: string, token: string, query: string, variables: () => object,
 *   next: (data: any) => void, state: (state: LiveState) => void}} Options
 */

/**
 * Follows a subscription; `variables` is asked anew for every connection.
 * @param {Options} options
 * @returns {() => void} stops it
 */
export function follow(options) {
  let socket = null;
  let timer = 0;
  let beat = 0;
  let failures = 0;
  let stopped = false;

  function connect() {
    clearTimeout(timer);
    socket = new WebSocket(options.url, 'graphql-transport-ws');
    socket.onopen = () => send({ type: 'connection_init', payload: options.token ? { token: options.token } : {} });
    socket.onmessage = ({ data }) => {
      listen();
      receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => closed(code);
    listen();
  }

  /** Asks after a time of silence whether the other side still lives. */
  function listen() {
    clearTimeout(beat);
    beat = setTimeout(probe, SILENCE_MS);
  }

  function probe() {
    clearTimeout(beat);
    beat = setTimeout(drop, ANSWER_MS);
    if (socket.readyState === WebSocket.OPEN) send({ type: 'ping' });
  }

  /** Leaves a connection that died without a word; its closing may take minutes, so it is not waited for. */
  function drop() {
    const dead = socket;
    [dead.onopen, dead.onmessage, dead.onclose] = [null, null, null];
    dead.close();
    closed(1006);
  }

  function send(message) {
    socket.send(JSON.stringify(message));
  }

  function receive(message) {
    switch (message.type) {
      case 'connection_ack':
        failures = 0;
        options.state('live');
        return send({ id: '1', type: 'subscribe', payload: { query: options.query, variables: options.variables() } });
      case 'ping': return send({ type: 'pong' });
      case 'next': return message.payload.data && options.next(message.payload.data);
      case 'error': return refuse();
      case 'complete': return socket.close(1000);
      default: return undefined;
    }
  }

  function refuse() {
    stopped = true;
    socket.close(1000);
    options.state('refused');
  }

  function closed(code) {
    clearTimeout(beat);
    if (stopped) return;
    if (FINAL_CODES.has(code)) {
      refuse();
      return;
    }
    options.state('offline');
    timer = setTimeout(connect, backoff(failures++));
  }

  function hurry() {
    if (stopped) return;
    if (socket.readyState === WebSocket.OPEN) probe();
    else if (socket.onclose === null || socket.readyState === WebSocket.CLOSED) connect();
  }

  /** A device that slept asks at once. */
  function wake() {
    if (document.visibilityState === 'visible') hurry();
  }

  options.state('connecting');
  globalThis.addEventListener('online', hurry);
  document.addEventListener('visibilitychange', wake);
  connect();
  return () => {
    stopped = true;
    clearTimeout(timer);
    clearTimeout(beat);
    globalThis.removeEventListener('online', hurry);
    document.removeEventListener('visibilitychange', wake);
    socket.close(1000);
  };
}

/**
 * How long to wait before trying again, in milliseconds: doubling, with jitter, bounded.
 * @param {number} failures in a row so far
 * @param {() => number} [random] in 0..1
 */
export function backoff(failures, random = Math.random) {
  const full = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** Math.min(failures, 10));
  return full / 2 + (full / 2) * random();
}

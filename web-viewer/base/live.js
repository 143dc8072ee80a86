// Subscriptions over one WebSocket (graphql-transport-ws) that reconnects after every interruption.

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 20_000;
/** How long a connection may be silent before it is pinged, and how long the answer may take. */
const SILENCE_MS = 20_000;
const ANSWER_MS = 8000;
/** Close codes after which retrying cannot help: bad request, forbidden, unsupported protocol. */
const FINAL_CODES = new Set([4400, 4401, 4403, 4406]);

/**
 * `variables` is called for every connection; `refused` is called if the service rejects the subscription.
 * @typedef {'connecting'|'live'|'offline'|'refused'} LiveState
 * @typedef {{query: string, variables: () => object, next: (data: any) => void, refused?: () => void}} Subscription
 */

/** Any number of subscriptions by key. It connects as soon as there is one. */
export class Live {
  /** @param {{url: string, token: string, state?: (state: LiveState) => void}} options */
  constructor({ url, token, state = () => {} }) {
    this.url = url;
    this.token = token;
    this.state = state;
    /** @type {Map<string, Subscription>} */ this.subscriptions = new Map();
    /** @type {WebSocket | null} */ this.socket = null;
    this.isReady = false;
    this.failures = 0;
    this.timer = 0;
    this.beat = 0;
    this.stopped = false;
    this.hurry = () => this.hurryUp();
    /** After sleep, the device pings at once. */
    this.wake = () => document.visibilityState === 'visible' && this.hurryUp();
    globalThis.addEventListener('online', this.hurry);
    document.addEventListener('visibilitychange', this.wake);
  }

  /** @param {string} key @param {Subscription} subscription */
  add(key, subscription) {
    this.subscriptions.set(key, subscription);
    if (this.isReady) this.subscribe(key, subscription);
    else if (!this.socket) {
      this.state('connecting');
      this.connect();
    }
  }

  /** @param {string} key */
  remove(key) {
    if (this.subscriptions.delete(key) && this.isReady) this.send({ id: key, type: 'complete' });
  }

  /**
   * Makes these subscriptions the only ones; those that continue are not touched.
   * @param {Map<string, Subscription>} wanted
   */
  keep(wanted) {
    for (const key of [...this.subscriptions.keys()]) if (!wanted.has(key)) this.remove(key);
    for (const [key, subscription] of wanted) if (!this.subscriptions.has(key)) this.add(key, subscription);
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.beat);
    globalThis.removeEventListener('online', this.hurry);
    document.removeEventListener('visibilitychange', this.wake);
    this.socket?.close(1000);
  }

  hurryUp() {
    if (this.stopped || !this.socket) return;
    if (this.socket.readyState === WebSocket.OPEN) this.probe();
    else if (this.socket.onclose === null || this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.socket = new WebSocket(this.url, 'graphql-transport-ws');
    this.socket.onopen = () => this.send({ type: 'connection_init', payload: this.token ? { token: this.token } : {} });
    this.socket.onmessage = ({ data }) => {
      this.listen();
      this.receive(JSON.parse(data));
    };
    this.socket.onclose = ({ code }) => this.closed(code);
    this.listen();
  }

  /** Pings the other side after a period of silence. */
  listen() {
    clearTimeout(this.beat);
    this.beat = setTimeout(() => this.probe(), SILENCE_MS);
  }

  probe() {
    clearTimeout(this.beat);
    this.beat = setTimeout(() => this.drop(), ANSWER_MS);
    if (this.socket?.readyState === WebSocket.OPEN) this.send({ type: 'ping' });
  }

  /** Abandons a connection that died silently; closing it may take minutes, so nothing waits for that. */
  drop() {
    const dead = this.socket;
    if (!dead) return;
    [dead.onopen, dead.onmessage, dead.onclose] = [null, null, null];
    dead.close();
    this.closed(1006);
  }

  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  subscribe(key, { query, variables }) {
    this.send({ id: key, type: 'subscribe', payload: { query, variables: variables() } });
  }

  receive(message) {
    switch (message.type) {
      case 'connection_ack':
        this.failures = 0;
        this.isReady = true;
        this.state('live');
        for (const [key, subscription] of this.subscriptions) this.subscribe(key, subscription);
        break;
      case 'ping': this.send({ type: 'pong' }); break;
      case 'next': if (message.payload.data) this.subscriptions.get(message.id)?.next(message.payload.data); break;
      case 'error': this.refusedOne(message.id); break;
      // The service ends subscriptions that it cannot continue; a new connection starts them again.
      case 'complete': if (this.subscriptions.has(message.id)) this.socket?.close(1000); break;
      default:
    }
  }

  refusedOne(key) {
    const { refused } = this.subscriptions.get(key) ?? {};
    this.subscriptions.delete(key);
    refused?.();
    if (this.subscriptions.size === 0) this.refuse();
  }

  refuse() {
    this.stopped = true;
    this.socket?.close(1000);
    this.state('refused');
  }

  closed(code) {
    clearTimeout(this.beat);
    this.isReady = false;
    if (this.stopped) return;
    if (FINAL_CODES.has(code)) {
      this.refuse();
      return;
    }
    this.state('offline');
    this.timer = setTimeout(() => this.connect(), backoff(this.failures++));
  }
}

/** The address of subscriptions. */
export function liveUrl() {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/graphql`;
}

/**
 * Follows one subscription.
 * @param {Subscription & {url: string, token: string, state: (state: LiveState) => void}} options
 * @returns {() => void} stops it
 */
export function follow({ url, token, state, ...subscription }) {
  const live = new Live({ url, token, state });
  live.add('1', subscription);
  return () => live.stop();
}

/**
 * How long to wait before a retry, in milliseconds: doubling, with jitter, bounded.
 * @param {number} failures in a row so far
 * @param {() => number} [random] in 0..1
 */
export function backoff(failures, random = Math.random) {
  const full = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** Math.min(failures, 10));
  return full / 2 + (full / 2) * random();
}

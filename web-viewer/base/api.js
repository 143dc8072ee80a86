// Requests to the service.

import { english } from '../model/english.js';
import { RECORD } from '../model/queries.js';
import { common } from '../words/common.js';
import { LANGUAGE } from '../words/language.js';
import { standalone } from './standalone.js';

const TOKEN = 'plybook.token';
const HOLDER = 'plybook.holder';

/** A refusal by the service, or a failure to reach it (`OFFLINE`). */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {string} code one of the contract's codes, `OFFLINE` or `CANCELLED`
   * @param {any} [details] further details from the service: `why`, `near`
   */
  constructor(message, code, details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Whether this is a page for frames of other sites. It knows no token: nobody acts there by a click that was meant for something else. */
export const isEmbedded = () => globalThis.document?.body?.classList.contains('embed') ?? false;

/** @returns {string} the reader's token; empty for a spectator */
export function token() {
  if (isEmbedded() || standalone()) return '';
  try {
    return localStorage.getItem(TOKEN) ?? '';
  } catch {
    return '';
  }
}

/**
 * @param {string} value empty to sign out
 * @param {string} [holder] whose it is
 */
export function setToken(value, holder = '') {
  for (const [name, text] of [[TOKEN, value], [HOLDER, holder]]) {
    if (text) localStorage.setItem(name, text);
    else localStorage.removeItem(name);
  }
}

/** @returns {string} the name or the role of the signed-in reader; empty if it is not known */
export const holder = () => localStorage.getItem(HOLDER) ?? '';

/**
 * Asks whose a token is.
 * @param {string} value
 * @returns {Promise<{role: string, player: {name: string} | null}>}
 * @throws {ApiError} `UNAUTHENTICATED` if the service does not know it
 */
export async function checkToken(value) {
  return (await ask('query Holder { me { role player { name } } }', {}, value)).me;
}

/** Tells the page that the stored token is no longer valid, so that it continues as a spectator. */
export const SIGNED_OUT = 'plybook-signed-out';

/**
 * Runs a query. If the service does not know the token, the query is repeated without it.
 * @param {string} query
 * @param {object} [variables]
 * @param {string} [as] another token to use, such as that of a table; by default the reader's
 * @param {AbortSignal} [signal] cancels it
 * @returns {Promise<any>} its data
 * @throws {ApiError} `CANCELLED` if it was cancelled
 */
export async function request(query, variables = {}, as = undefined, signal = undefined) {
  const page = standalone();
  if (page) return page.answer(query, variables);
  if (as) return ask(query, variables, as, signal);
  const own = token();
  try {
    return await ask(query, variables, own, signal);
  } catch (why) {
    if (!own || why.code !== 'UNAUTHENTICATED') throw why;
    // Another tab may have signed in meanwhile.
    if (token() === own) {
      setToken('');
      globalThis.dispatchEvent(new Event(SIGNED_OUT));
    }
    // Nothing is written in somebody else's name.
    if (query.startsWith('mutation')) throw why;
    return ask(query, variables, token(), signal);
  }
}

async function ask(query, variables, own, signal = undefined) {
  const response = await reach('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json, application/json', ...bearer(own) },
    body: JSON.stringify({ query, variables }),
    signal,
  });
  const answer = await response.json().catch(() => null);
  const error = answer?.errors?.[0];
  if (error) throw new ApiError(error.message, error.extensions?.code ?? 'INTERNAL', error.extensions);
  if (!answer?.data) throw new ApiError(common.answered(response.status), 'INTERNAL');
  return answer.data;
}

/**
 * The exact log of a game: one event a line.
 * @param {string} id
 * @returns {Promise<string>}
 * @throws {ApiError}
 */
export async function fetchLog(id) {
  const page = standalone();
  if (page) return page.lines(id).map((line) => `${line}\n`).join('');
  const response = await reach(logPath(id), { headers: bearer(), cache: 'no-store' });
  if (!response.ok) throw new ApiError(common.noLog(response.status), 'INTERNAL');
  return response.text();
}

/**
 * A game as one page that needs no service, in the language of this page.
 * @param {string} id
 * @returns {Promise<string>}
 * @throws {ApiError}
 */
export async function fetchPage(id) {
  const { game } = await request(RECORD, { id, format: 'HTML', language: LANGUAGE.toUpperCase() });
  return game.record;
}

/** How scenes look, for files that stand by themselves. @returns {Promise<string>} */
export async function sceneStyle() {
  return standalone()?.style ?? (await reach('/static/base/scene.css', {})).text();
}

/** @param {string} id */
export function logPath(id) {
  return `/games/${encodeURIComponent(id)}/log.ndjson`;
}

/**
 * What went wrong, for people; see `marked` in dom.js.
 * @param {any} why
 */
export function errorWords(why) {
  switch (why?.code) {
    case 'OFFLINE': return common.offline;
    case 'UNAUTHENTICATED': return common.signInAgain;
    case 'FORBIDDEN': return common.notYet;
    case 'RATE_LIMITED': return common.tooMany;
    case 'NO_PART': return sentence(common.noPart);
    default: return refused(why?.details?.code, sentence(String(why?.message ?? why)));
  }
}

/** What the service says of a refusal is in English. */
function refused(code, text) {
  return code ? (common.refused[code] ?? String)(english(text)) : text;
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch {
    if (options.signal?.aborted) throw new ApiError('', 'CANCELLED');
    throw new ApiError(common.offline, 'OFFLINE');
  }
}

function bearer(own = token()) {
  return own ? { authorization: `Bearer ${own}` } : {};
}

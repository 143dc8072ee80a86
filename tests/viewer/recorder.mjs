// Recording a game by taps alone, as somebody with a phone beside the board does it.

import assert from 'node:assert/strict';

import { placedBy } from '../../web-viewer/entry/placing.js';
import { click, mentions } from '../../web-viewer/model/play.js';
import { ask, token } from './service.mjs';

/** Creates a game by the API; its tag tells other tests that it is none of the demo's. */
export async function newGame(input) {
  const { createGame } = await ask('mutation New($input: CreateGame!) { createGame(input: $input) { id } }', { input: { tags: { test: true }, ...input } }, token());
  return createGame.id;
}

/** What was recorded of a game. */
export async function logOf(id) {
  const { game } = await ask(`query Log($id: ID!) { game(id: $id) { status ply outcome { winners reason } verification { valid }
    moves(first: 500) { nodes { by action } } events(first: 500) { nodes { seq type by body } } } }`, { id }, token());
  return { ...game, played: game.moves.nodes.map(({ by, action }) => `${by} ${action}`), types: game.events.nodes.map(({ type }) => type) };
}

/** Records plies by the API. */
export function recorded(id, moves) {
  const actions = moves.map(({ by, action }) => ({ seat: Number(by.slice(5)) || null, action }));
  return ask('mutation All($id: ID!, $actions: [ActInput!]!) { actAll(game: $id, actions: $actions) { id } }', { id, actions }, token());
}

/** What is legal for an actor. */
export async function legal(id, by) {
  const seat = Number(by.split(':')[1]) || null;
  const { game } = await ask('query Legal($id: ID!, $seat: Int) { game(id: $id) { position { toAct legalActions(seat: $seat) } } }', { id, seat }, token());
  return game.position.legalActions ?? [];
}

/** Taps a place on the board, once it takes taps. */
export async function tapPlace(phone, place) {
  await pointOf(phone, place);
  // What has just appeared is noticed in the next frame.
  await phone.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  const at = await pointOf(phone, place);
  await phone.touchscreen.tap(at[0], at[1]);
}

/** Some point that shows a place and, if there is one, no other on top of it; waits until the board takes taps. */
async function pointOf(phone, place) {
  const found = await phone.waitForFunction((wanted) => {
    const shapes = [...document.querySelectorAll('#board > :not([aria-hidden]) [data-place]')].filter((element) => element.getAttribute('data-place') === wanted);
    if (shapes.length === 0) return false;
    shapes[0].scrollIntoView({ block: 'center' });
    const points = shapes.flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [[0.5, 0.5], [0.5, 0.7], [0.5, 0.3], [0.3, 0.6], [0.7, 0.6]].map(([x, y]) => [left + width * x, top + height * y]);
    });
    const first = ([x, y]) => document.elementsFromPoint(x, y).find((element) => element.closest('#board') && element.hasAttribute('data-place'))?.getAttribute('data-place');
    return document.elementsFromPoint(...points[0]).some((element) => element.closest('#board .scene')) && (points.find((point) => first(point) === wanted) ?? points[0]);
  }, place);
  return found.jsonValue();
}

/** Lays a set-up, tray by tray and piece by piece. */
export async function lay(phone, trays, text) {
  const placed = placedBy(trays, text);
  for (const [index, tray] of trays.entries()) {
    await phone.locator(`[data-tray="${index}"]`).tap();
    for (const { letter } of tray.pieces) {
      const places = [...placed[index]].filter(([, other]) => other === letter).map(([place]) => place);
      if (places.length === 0) continue;
      await phone.locator(`[data-piece="${letter}"]`).tap();
      for (const place of places) {
        await tapPlace(phone, place);
        await phone.locator(`[data-laid="${place}"][data-letter="${letter}"]`).first().waitFor({ state: 'attached' });
      }
    }
  }
}

/** Taps an action: its places on the board, then its button if several are left; dice by their faces. `actions`: those that the page knows. */
export async function tapAction(phone, id, { by, action }, actions = null) {
  const roll = /^roll:(.*)$/.exec(action);
  if (roll) {
    await tapDice(phone, roll[1]);
    return;
  }
  const seats = phone.locator('.who button');
  if (await seats.count() > 0) await seats.nth((await legalSeats(id)).indexOf(by)).tap();
  const button = phone.locator(`[data-action="${action}"]`);
  actions ??= await legal(id, by);
  const places = await phone.evaluate(() => [...new Set([...document.querySelectorAll('#board > :not([aria-hidden]) [data-place]')].map((element) => element.getAttribute('data-place')))]);
  const named = places.filter((place) => mentions(action, place)).sort((one, other) => action.indexOf(one) - action.indexOf(other));
  let picked = [];
  for (const place of named) {
    if (await button.isVisible()) break;
    const next = click(actions, picked, [place]);
    if (next.play && next.play !== action) break;
    await tapPlace(phone, place);
    if (next.play) return;
    picked = next.picked;
    await phone.locator('#forget').waitFor();
  }
  await button.tap();
}

async function legalSeats(id) {
  const { game } = await ask('query ToAct($id: ID!) { game(id: $id) { position { toAct } } }', { id }, token());
  return game.position.toAct;
}

async function tapDice(phone, text) {
  for (const part of text.split(',')) {
    const [seat, faces] = part.split('=');
    for (const [index, face] of faces.split('+').entries()) await phone.locator(`[data-die="${seat}:${index}"][data-face="${face}"]`).tap();
  }
  await phone.locator('#enter-dice').tap();
}

/** Waits until the page shows a ply, and nothing waits to be sent. */
export async function shows(phone, ply) {
  if (ply > 0) await phone.locator(`#ply-${ply}`).waitFor();
  await phone.locator('#waiting').waitFor({ state: 'detached' });
}

/**
 * Cuts the network while something is tapped. `leave` closes the page and opens it again.
 * @param {() => Promise<void>} taps
 */
export async function cut(phone, taps, leave = null) {
  const context = phone.context();
  await context.setOffline(true);
  await taps();
  await phone.locator('#waiting').getByText('for the connection').waitFor();
  const path = new URL(phone.url()).pathname;
  if (leave) {
    await phone.close();
    await context.setOffline(false);
    return leave(context, path);
  }
  await context.setOffline(false);
  return phone;
}

/** Every target on the page below the header is at least 44 pixels high. */
export async function usable(phone) {
  const small = await phone.locator('main').evaluate((main) => [...main.querySelectorAll('button, input:not([type=checkbox]), textarea, label.choice')].filter((element) => element.getClientRects().length > 0 && element.getBoundingClientRect().height < 44).map((element) => element.outerHTML));
  assert.deepEqual(small, []);
}

/** A finished game of the demo to record again: the shortest that its rules ended, or any. The demo's dice differ each time. */
export async function example(kind) {
  const { games } = await ask(`query Examples($kind: String!) { games(filter: { kind: $kind, status: FINISHED, origin: RECORDED, minPly: 20, maxPly: 500 }, orderBy: PLY_ASC, first: 50) {
    nodes { id tags setup seats { name } outcome { reason decidedBy } } } }`, { kind }, token());
  const all = games.nodes.filter(({ tags }) => !tags.test);
  assert.ok(all.length, `the demo has a finished game of ${kind}`);
  const found = [];
  for (const game of all) {
    const { game: { moves } } = await ask('query Moves($id: ID!) { game(id: $id) { moves(first: 500) { nodes { by action fair } } } }', { id: game.id }, token());
    found.push({ ...game, moves: moves.nodes });
    if (game.outcome?.decidedBy === 'RULES' && !moves.nodes.some(({ action }) => action.includes('?'))) return found.at(-1);
  }
  return found[0];
}

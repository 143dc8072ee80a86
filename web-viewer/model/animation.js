// The positions of consecutive plies as one animated SVG, by style sheet alone: no script, nothing from outside.

import { increasing } from './increasing.js';
import { escape, markup, shapes } from './scene.js';

/** More plies than this, or a larger file, are better shown in the replay. */
export const PLIES_MAX = 200;
export const BYTES_MAX = 4_000_000;
/** The last position stays this many times as long. */
const HOLD = 3;
const CAPTION_LENGTH = 64;

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Shape} Shape
 * @typedef {{look: string, shape: Shape, frames: Set<number>}} Layer a shape and the frames that show it
 */

/**
 * @param {{scene: Scene, caption: string}[]} frames one or more, in order
 * @param {{style: string, title: string, frameMs: number, width?: number, flipped?: boolean}} options
 * @returns {string} a self-contained SVG file that repeats; where motion is reduced, it shows the last position
 */
export function animatedSvg(frames, { style, title, frameMs, width = 640, flipped = false }) {
  const [x, y, w, board] = around(frames.map(({ scene }) => scene.view));
  const line = Math.round(w / 24);
  const captions = frames.map(({ caption }) => captionShapes(caption, [x + w / 2, y + board + line], line));
  const layers = layered(frames.map(({ scene }, index) => [...shapes(scene, flipped), ...captions[index]]));
  const slots = frames.length + HOLD - 1;
  const patterns = new Map();
  const body = grouped(layers, frames.length, patterns);
  const rules = [...patterns].map(([, { name, frames: seen }]) => animation(name, seen, frames.length, slots, slots * frameMs));
  const h = board + Math.round(line * 2.8);
  return `<svg xmlns="http://www.w3.org/2000/svg" class="scene ${escape(frames[0].scene.kind ?? '')}" role="img" viewBox="${[x, y, w, h].join(' ')}" ` +
    `width="${width}" height="${Math.round((width * h) / Math.max(w, 1))}">\n<title>${escape(title)}</title>\n<style>\n${style}${rules.join('')}</style>\n${body}</svg>\n`;
}

/** The smallest view that has all views in it. */
function around(views) {
  const [x, y] = [0, 1].map((axis) => Math.min(...views.map((view) => view[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...views.map((view) => view[axis] + view[axis + 2])));
  return [x, y, right - x, bottom - y];
}

/** What is written under the board, in two lines at most. */
function captionShapes(caption, [x, y], line) {
  const words = caption.split(' ');
  let first = '';
  while (words.length > 0 && (first === '' || first.length + words[0].length < CAPTION_LENGTH)) first += `${first && ' '}${words.shift()}`;
  const rest = words.join(' ');
  const second = rest.length > CAPTION_LENGTH ? `${rest.slice(0, CAPTION_LENGTH - 1)}…` : rest;
  const items = [first, second].filter(Boolean).map((text, index) => ({
    shape: /** @type {const} */ ('TEXT'), class: 'note', text, size: Math.round(line * 0.62), at: /** @type {[number, number]} */ ([Math.round(x), Math.round(y + index * line * 0.85)]),
  }));
  return shapes({ view: [0, 0, 1, 1], items });
}

/**
 * All shapes of all frames in one order that agrees with each frame's, back to front; shapes that look the same in several frames
 * are there once, unless the order forbids it.
 * @param {Shape[][]} frames
 * @returns {Layer[]}
 */
function layered(frames) {
  /** @type {Layer[]} */ let all = [];
  frames.forEach((frame, number) => {
    const known = new Map();
    all.forEach((layer, index) => known.set(layer.look, [...known.get(layer.look) ?? [], index]));
    const looks = frame.map((shape) => JSON.stringify(shape));
    const places = looks.map((look) => known.get(look)?.shift() ?? -1);
    const kept = increasing(places);
    /** @type {Layer[]} */ const next = [];
    let from = 0;
    frame.forEach((shape, index) => {
      if (!kept.has(index)) {
        next.push({ look: looks[index], shape, frames: new Set([number]) });
        return;
      }
      while (from < places[index]) next.push(all[from++]);
      const layer = all[from++];
      layer.frames.add(number);
      next.push(layer);
    });
    all = [...next, ...all.slice(from)];
  });
  return all;
}

/** The markup of layers; neighbours that are seen in the same frames share a group. */
function grouped(layers, count, patterns) {
  let body = '';
  let open = '';
  for (const { frames, shape } of layers) {
    const key = frames.size === count ? '' : [...frames].join();
    if (key !== open) {
      if (open) body += '</g>\n';
      if (key) {
        const pattern = patterns.get(key) ?? { name: `f${patterns.size}`, frames };
        patterns.set(key, pattern);
        body += `<g class="${pattern.name}">\n`;
      }
      open = key;
    }
    body += markup(shape);
  }
  return open ? `${body}</g>\n` : body;
}

/** The rules that show something in some of the frames. */
function animation(name, seen, count, slots, ms) {
  const steps = [];
  for (let frame = 0; frame < count; frame += 1) {
    if (frame === 0 || seen.has(frame) !== seen.has(frame - 1)) steps.push(`${+((100 * frame) / slots).toFixed(3)}%{visibility:${seen.has(frame) ? 'visible' : 'hidden'}}`);
  }
  const last = seen.has(count - 1) ? 'visible' : 'hidden';
  return `@keyframes ${name}{${steps.join('')}100%{visibility:${last}}}\n.${name}{visibility:${last};animation:${name} ${ms}ms step-end infinite}\n@media(prefers-reduced-motion:reduce){.${name}{animation:none}}\n`;
}

// Pictures of positions as files: one as SVG, several as an animated WebP.

import { replay as words } from '../../words/replay.js';
import { ApiError } from '../../base/api.js';
import { s } from '../../base/dom.js';
import { drawing, sceneClass } from '../../base/drawing.js';
import { animatedWebp } from '../../model/webp.js';

/** @typedef {import('../../model/scene.js').Scene} Scene */

const WIDTH = 640;
const CAPTION = 40;
const QUALITY = 0.85;

/**
 * A position as an SVG file that needs nothing else.
 * @param {Scene} scene
 * @param {{style: string, title: string, flipped: boolean, view?: number[]}} how view: what of the plane is seen
 */
export function svgFile(scene, { style, title, flipped, view = scene.view }) {
  const height = Math.round((WIDTH * view[3]) / Math.max(view[2], 1));
  const svg = s('svg', { class: sceneClass(scene), viewBox: view.join(' '), width: WIDTH, height },
    s('title', {}, title), s('style', {}, style), ...drawing(scene, flipped));
  return new XMLSerializer().serializeToString(svg);
}

/**
 * Positions as a picture that plays by itself, each with a sentence under it.
 * @param {{scene: Scene, caption: string}[]} frames
 * @param {{style: string, frameMs: number, flipped: boolean}} how
 * @throws {ApiError} where the browser makes no WebP
 */
export async function animatedPicture(frames, { style, frameMs, flipped }) {
  const view = around(frames.map(({ scene }) => scene.view));
  const height = Math.round((WIDTH * view[3]) / Math.max(view[2], 1));
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: height + CAPTION });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));
  const stills = [];
  for (const { scene, caption } of frames) {
    const image = Object.assign(new Image(), { src: `data:image/svg+xml,${encodeURIComponent(svgFile(scene, { style, title: caption, flipped, view }))}` });
    await image.decode();
    Object.assign(pen, { fillStyle: 'white', font: '17px sans-serif', textAlign: 'center', textBaseline: 'middle', direction: document.dir });
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0);
    pen.fillStyle = 'black';
    pen.fillText(caption, WIDTH / 2, height + CAPTION / 2, WIDTH - CAPTION);
    const still = /** @type {Blob} */ (await new Promise((done) => { canvas.toBlob(done, 'image/webp', QUALITY); }));
    if (still.type !== 'image/webp') throw new ApiError(words.noWebp, 'BAD_INPUT');
    stills.push(new Uint8Array(await still.arrayBuffer()));
  }
  return animatedWebp(stills, { width: canvas.width, height: canvas.height, frameMs });
}

/** The smallest view that has all views in it. */
function around(views) {
  const [x, y] = [0, 1].map((axis) => Math.min(...views.map((view) => view[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...views.map((view) => view[axis] + view[axis + 2])));
  return [x, y, right - x, bottom - y];
}

// Converts scenes (rules/src/scene.rs) to descriptions of SVG elements.

/**
 * @typedef {[number, number]} Point
 * @typedef {{shape: 'polygon'|'circle'|'line'|'text', points?: Point[], at?: Point, r?: number, size?: number,
 *   text?: string, class: string, place?: string, title?: string, group?: string}} Item
 * @typedef {{groups: string[], about: Point, degrees: number}} Motion
 * @typedef {{view: [number, number, number, number], items: Item[], motion?: Motion}} Scene
 * @typedef {{tag: string, attributes: Record<string, string>, text: string, title: string, place: string, group: string}} Shape
 */

/**
 * The SVG elements of a scene, back to front.
 * @param {Scene} scene
 * @param {boolean} flipped turned by 180 degrees about the middle of the view; texts stay upright
 * @returns {Shape[]}
 */
export function shapes(scene, flipped = false) {
  const place = turned(scene, flipped);
  return scene.items.map((item) => ({
    ...outline(item, place),
    text: item.shape === 'text' ? item.text ?? '' : '',
    title: item.title ?? '',
    place: item.place ?? '',
    group: item.group ?? '',
  }));
}

/**
 * Where points of a scene are drawn.
 * @param {Scene} scene
 * @param {boolean} flipped
 * @returns {(point: Point) => Point}
 */
export function turned({ view: [x, y, width, height] }, flipped) {
  return flipped ? ([px, py]) => [2 * x + width - px, 2 * y + height - py] : (point) => point;
}

/**
 * The turn to be seen when one position follows another by a single ply, forwards or back: items of
 * the groups start turned by `degrees` about the point and come to rest in their place.
 * @param {{ply: number, scene: Scene}} from what was shown
 * @param {{ply: number, scene: Scene}} to what is shown now
 * @param {boolean} flipped
 * @returns {Motion | null}
 */
export function turn(from, to, flipped = false) {
  const forwards = to.ply === from.ply + 1;
  if (!forwards && to.ply !== from.ply - 1) return null;
  const { motion } = forwards ? to.scene : from.scene;
  if (!motion) return null;
  const about = turned(to.scene, flipped)(motion.about);
  return { groups: motion.groups, about, degrees: forwards ? -motion.degrees : motion.degrees };
}

/**
 * The letter that stands for each seat's pieces, where a seat has one letter only.
 * @param {Scene} scene
 * @returns {Map<number, string>}
 */
export function seatGlyphs(scene) {
  const glyphs = new Map();
  for (const item of scene.items) {
    const classes = item.class.split(' ');
    const seat = Number(classes.find((name) => name.startsWith('seat-'))?.slice(5));
    if (item.shape !== 'text' || !seat || !classes.includes('glyph')) continue;
    glyphs.set(seat, glyphs.has(seat) && glyphs.get(seat) !== item.text ? '' : item.text);
  }
  const texts = [...glyphs.values()];
  const telling = texts.every((text) => text.length === 1 && texts.filter((other) => other === text).length === 1);
  return telling ? glyphs : new Map();
}

/**
 * A scene as an SVG file that stands on its own.
 * @param {Scene} scene
 * @param {{style: string, caption: string, width?: number, flipped?: boolean}} options
 * @returns {string}
 */
export function svgFile(scene, { style, caption, width = 640, flipped = false }) {
  const [, , w, h] = scene.view;
  const head = `<svg xmlns="http://www.w3.org/2000/svg" class="scene" role="img" viewBox="${scene.view.join(' ')}" ` +
    `width="${width}" height="${Math.round((width * h) / Math.max(w, 1))}">\n` +
    `<title>${escape(caption)}</title>\n<style>\n${style}</style>\n`;
  const body = shapes(scene, flipped).map(({ tag, attributes, text, title }) => {
    const pairs = Object.entries(attributes).map(([name, value]) => ` ${name}="${escape(value)}"`).join('');
    return `<${tag}${pairs}>${escape(text)}${title && `<title>${escape(title)}</title>`}</${tag}>\n`;
  });
  return `${head}${body.join('')}</svg>\n`;
}

/** @returns {{tag: string, attributes: Record<string, string>}} */
function outline(item, place) {
  const attributes = { class: item.class };
  if (item.shape === 'polygon' || item.shape === 'line') {
    attributes.points = item.points.map((point) => place(point).join(',')).join(' ');
    return { tag: item.shape === 'line' ? 'polyline' : 'polygon', attributes };
  }
  const [x, y] = place(item.at).map(String);
  if (item.shape === 'circle') return { tag: 'circle', attributes: { ...attributes, cx: x, cy: y, r: String(item.r) } };
  return { tag: 'text', attributes: { ...attributes, x, y, 'font-size': String(item.size) } };
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

// What charts are made of: lines and labels, as descriptions of SVG elements in CSS pixels.

/**
 * @typedef {{tag: string, attributes: Record<string, string | number>, text?: string, title?: string}} Shape
 * @typedef {{width: number, height: number, shapes: Shape[]}} Chart
 */

export const LETTER = 6.4; // the usual width of a letter of 11.5 px
export const AXIS = 22;

export function line(name, x1, y1, x2, y2) {
  return { tag: 'line', attributes: { class: name, x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) } };
}

export function label(name, x, y, text) {
  return { tag: 'text', attributes: { class: name, x: round(x), y: round(y) }, text };
}

export function round(value) {
  return Number(value.toFixed(2));
}

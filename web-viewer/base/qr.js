// Draws QR codes that the service computes.

import { s } from './dom.js';

/**
 * A QR code, with the quiet zone that readers need.
 * @param {{size: number, path: string}} code
 */
export function qrCode({ size, path }) {
  return s('svg', { viewBox: `-4 -4 ${size + 8} ${size + 8}`, class: 'qr', 'shape-rendering': 'crispEdges', 'aria-hidden': 'true' },
    s('rect', { x: -4, y: -4, width: size + 8, height: size + 8, class: 'qr-ground' }), s('path', { d: path, class: 'qr-modules' }));
}

// A game as one page with no service behind it: what the page has instead.

/**
 * @typedef {{id: string, style: string, module: Uint8Array, record: string, lines: (id: string) => string[],
 *   answer: (query: string, variables: any) => Promise<any>}} Standalone
 *   style: of drawn boards; module: the rules of the game, compressed; lines: the exact events of a log
 */

/** @type {Standalone | null} */ let page = null;

/** Says what the page has. Everything that would ask a service asks this from now on. @param {Standalone} own */
export function standAlone(own) {
  page = own;
}

/** @returns {Standalone | null} null on pages of a service */
export const standalone = () => page;

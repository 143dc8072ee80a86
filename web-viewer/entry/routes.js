// A path drawn by tapping its places one after the other (`ActionForm` of the service). The path is the text of the
// action, so that tapping and typing never disagree.

/** @typedef {{action: string, places: string[]}} Route */

/**
 * The places of the path that is typed, the one where it starts first; null if the text is no path.
 * @param {Route[]} routes
 * @param {string} text
 * @returns {string[] | null}
 */
export function pathOf(routes, text) {
  const typed = text.trim();
  if (typed === '') return routes[0].places.slice(0, 1);
  return routes.find(({ action }) => action === typed)?.places ?? null;
}

/**
 * The places that the path can go on to.
 * @param {Route[]} routes
 * @param {string[]} path
 * @returns {string[]}
 */
export function nextPlaces(routes, path) {
  return [...new Set(routes.filter(({ places }) => places.length === path.length + 1 && begins(places, path)).map(({ places }) => places[path.length]))];
}

/**
 * The actions that lead over exactly these places.
 * @param {Route[]} routes
 * @param {string[]} path
 * @returns {string[]}
 */
export function actionsAlong(routes, path) {
  return routes.filter(({ places }) => places.length === path.length && begins(places, path)).map(({ action }) => action).sort((one, other) => one.length - other.length);
}

/**
 * The text after a tap: a step further; a step less if the end of the path is tapped; from the start also the shortest path
 * to any place in reach.
 * @param {Route[]} routes
 * @param {string} text
 * @param {string[]} tapped places, topmost first
 * @returns {{text: string, none?: string}} none: the place that no step leads to
 */
export function tapStep(routes, text, tapped) {
  const path = pathOf(routes, text) ?? routes[0].places.slice(0, 1);
  const textOf = (places) => (places.length > 1 ? actionsAlong(routes, places)[0] : '');
  const next = nextPlaces(routes, path);
  const on = tapped.find((place) => next.includes(place));
  if (on) return { text: textOf([...path, on]) };
  if (tapped.includes(path[path.length - 1])) return { text: textOf(path.slice(0, -1)) };
  const away = path.length > 1 ? [] : routes.filter(({ places }) => tapped.includes(places[places.length - 1])).sort((one, other) => one.places.length - other.places.length);
  return away.length > 0 ? { text: textOf(away[0].places) } : { text, none: tapped[0] };
}

function begins(places, path) {
  return path.every((place, index) => places[index] === place);
}

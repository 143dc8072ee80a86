// A path drawn by tapping its places one after the other (`ActionForm` of the service). The path is the text of the
// action, so that tapping and typing never disagree; if the routes do not say where it starts, that is tapped first.

/** @typedef {{action: string, places: string[]}} Route */

/**
 * The places of the path that is typed, the one where it starts first: none as long as that is not known, null if the text is
 * no path.
 * @param {Route[]} routes
 * @param {string} text
 * @param {string} [start] the place that was chosen
 * @returns {string[] | null}
 */
export function pathOf(routes, text, start = '') {
  const typed = text.trim();
  const fit = routes.filter(({ action, places }) => (typed === '' ? places.length === 1 : action === typed) && (!start || places[0] === start));
  if (fit.length === 0) return null;
  return fit.every(({ places }) => places[0] === fit[0].places[0]) ? fit[0].places : [];
}

/** The places that the path can go on to. */
export function nextPlaces(routes, path) {
  return [...new Set(routes.filter(({ places }) => places.length === path.length + 1 && begins(places, path)).map(({ places }) => places[path.length]))];
}

/** The actions that lead over exactly these places. */
export function actionsAlong(routes, path) {
  return routes.filter(({ places }) => places.length === path.length && begins(places, path)).map(({ action }) => action).sort((one, other) => one.length - other.length);
}

/**
 * The path after a tap: a step further; a step less if its end is tapped; from the start also the shortest way to any place in
 * reach.
 * @param {Route[]} routes
 * @param {string} text
 * @param {string[]} tapped places, topmost first
 * @param {string} [start] the place that was chosen
 * @returns {{text: string, start: string, none?: string}} none: the place that no step leads to
 */
export function tapStep(routes, text, tapped, start = '') {
  const path = pathOf(routes, text, start) ?? pathOf(routes, '', start) ?? [];
  const along = (places) => ({ text: places.length > 1 ? actionsAlong(routes, places)[0] : '', start: places[0] ?? '' });
  // What is typed already begins where is tapped.
  const typed = path.length > 0 ? undefined : routes.find(({ action, places }) => action === text.trim() && tapped.includes(places[0]));
  if (typed) return { text, start: typed.places[0] };
  const next = nextPlaces(routes, path);
  const on = tapped.find((place) => next.includes(place));
  if (on) return along([...path, on]);
  if (path.length > 0 && tapped.includes(path[path.length - 1])) return along(path.slice(0, -1));
  const away = path.length !== 1 ? [] : routes.filter(({ places }) => begins(places, path) && tapped.includes(places[places.length - 1])).sort((one, other) => one.places.length - other.places.length);
  return away.length > 0 ? along(away[0].places) : { text, start, none: tapped[0] };
}

function begins(places, path) {
  return path.every((place, index) => places[index] === place);
}

// A position that is changed by hand.

/**
 * A position in which two places have exchanged what stands on them.
 * @param {Record<string, any>} position as the service writes it: places are the names of what stands there, or entries of a list
 * @param {string[]} places of the board
 * @param {string} one
 * @param {string} other
 */
export function exchanged(position, places, one, other) {
  const [is, swapped] = [(place) => places.includes(place), (place) => (place === one ? other : place === other ? one : place)];
  const isMap = (value) => value && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0 && Object.keys(value).every(is);
  const isList = (value) => Array.isArray(value) && value.some(is) && value.every((each) => each === null || is(each));
  // Where things have places as names, lists of places say something else, such as where a seat is at home.
  const isPlaced = Object.values(position).some(isMap) ? isMap : isList;
  const changed = (value) => (Array.isArray(value) ? value.map(swapped) : Object.fromEntries(Object.entries(value).map(([place, thing]) => [swapped(place), thing])));
  return Object.fromEntries(Object.entries(position).map(([name, value]) => [name, isPlaced(value) ? changed(value) : value]));
}

// What the script of a page begins with: its modules, each a function that is called when the module is first used. The service
// writes them below it, and what they import from each other as `$use`, `$later` and `$url`.

/** @type {Map<string, () => any>} */ const makers = new Map();
/** @type {Map<string, any>} what modules export */ const made = new Map();

/**
 * Adds a module, unless it is there.
 * @param {string} path
 * @param {() => any} make
 */
export function $define(path, make) {
  if (!makers.has(path)) makers.set(path, make);
}

/** What a module exports. @param {string} path */
export function $use(path) {
  if (!made.has(path)) made.set(path, makers.get(path)());
  return made.get(path);
}

/** The same for a module that may have a script of its own, beside this one. @param {string} path */
export async function $later(path) {
  if (!makers.has(path)) await import(import.meta.url.replace(/js$/, path.replaceAll('/', '.'))).catch(absent);
  return $use(path);
}

/** Without a connection, or because the service has another version now. @returns {never} */
function absent() {
  throw Object.assign(new Error('a part of this page could not be loaded: reload the page'), { code: 'NO_PART' });
}

/** The address of a file of the viewer. @param {string} path */
export function $url(path) {
  return new URL(`../../${path}`, import.meta.url);
}

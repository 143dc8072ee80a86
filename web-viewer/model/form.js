// How an action is put together on the board, in the form of the service.

/** @param {any} form as the rules for browsers give it: `trays` or `routes`, or nothing */
export function formOf(form) {
  return form ? { trays: [], routes: [], ...form } : null;
}

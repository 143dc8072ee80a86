// The address of the service for other devices.

import { serviceAddress } from '../model/tournament-url.js';

/** As this page says of itself to other sites; a page that says nothing has the address it was opened with. */
export function publicAddress() {
  const said = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[property="og:url"]'))?.content ?? '';
  return serviceAddress(said, location.pathname) || location.origin;
}

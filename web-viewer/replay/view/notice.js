// Explains why there is no game or position to show, and what the reader can do about it.

import { errorWords } from '../../base/api.js';
import { byId, h, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { alarm } from '../../model/badge.js';
import { counted } from '../../model/format.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {{retry: () => void, view: (viewer: string) => void}} acts
 */
export function drawNotice({ finding, head, mismatch, named, notice, viewer }, { retry, view }) {
  byId('notice').hidden = !notice;
  patch(byId('notice'), notice ? content(notice, viewer, { retry, view }) : []);
  const alarms = [alarm({ finding, mismatch }), named?.state === 'missing' && missingWords(head)].filter(Boolean);
  byId('alarm').hidden = alarms.length === 0;
  setText(byId('alarm'), alarms.join(' '));
  const told = namedWords(named, head);
  byId('named').hidden = !told;
  byId('named').dataset.state = named?.state ?? '';
  setText(byId('named'), told);
}

/** What it means that the log does not have the event that a link names. */
function missingWords(head) {
  if (!/^[0-9a-f]{64}$/.test(head)) return 'The link names an event that it does not give in full: open the whole link, or scan the code again.';
  return `This is not the record that the link was made for: no event of this log has the hash ${head.slice(0, 16)}… that the link names. Either the link is wrong, or the record was changed since. Compare them, and keep the slip.`;
}

/** That the log has the event that a link names. */
function namedWords(named, head) {
  const short = `${head.slice(0, 16)}…`;
  switch (named?.state) {
    case 'waiting': return `The link names the event ${short}. The log is being compared with it.`;
    case 'unknown': return `The link names the event ${short}. The log could not be fetched, so nothing is compared.`;
    case 'there': return `The log has the event ${short} that the link names: everything up to event ${named.seq} is as it was then. ${named.since === 0 ? 'Nothing came after it.' : `${counted(named.since, 'event')} came after it.`}`;
    default: return '';
  }
}

function content(why, viewer, { retry, view }) {
  const button = (text, onclick) => h('button', { type: 'button', onclick }, text);
  if (why.code === 'NOT_FOUND') {
    setText(byId('title'), 'No such game');
    return ['There is no game with this address. ', h('a', { href: '/' }, 'All games')];
  }
  if (why.code === 'FORBIDDEN' && viewer) {
    return ['You may not see what this viewer sees while the game runs. ', button('Show what I may see', () => view(''))];
  }
  return [`${errorWords(why)} `, button('Try again', retry)];
}

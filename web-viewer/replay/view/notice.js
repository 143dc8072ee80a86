// Explains why there is no game or position to show, and what the reader can do about it.

import { errorWords } from '../../base/api.js';
import { byId, h, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {{retry: () => void, view: (viewer: string) => void}} acts
 */
export function drawNotice({ finding, mismatch, notice, viewer }, { retry, view }) {
  byId('notice').hidden = !notice;
  patch(byId('notice'), notice ? content(notice, viewer, { retry, view }) : []);
  const bad = mismatch || (finding && !finding.valid ? `Event ${finding.firstBad} ${finding.problem}.` : '');
  byId('alarm').hidden = !bad;
  setText(byId('alarm'), bad && `Do not trust this page: it does not show what the record says. ${bad}`);
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

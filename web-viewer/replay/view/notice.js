// Explains why there is no game or position to show, and what the reader can do about it.

import { common } from '../../words/common.js';
import { replay as words } from '../../words/replay.js';
import { errorWords } from '../../base/api.js';
import { byId, h, marked, setAttribute, setHidden, setText } from '../../base/dom.js';
import { patch } from '../../base/patch.js';
import { alarm } from '../../model/badge.js';

/**
 * @param {import('../derive.js').Now} now
 * @param {{retry: () => void, view: (viewer: string) => void}} acts
 */
export function drawNotice({ finding, head, mismatch, named, notice, viewer }, { retry, view }) {
  setHidden(byId('notice'), !notice);
  patch(byId('notice'), notice ? content(notice, viewer, { retry, view }) : []);
  const alarms = [alarm({ finding, mismatch }), named?.state === 'missing' && missingWords(head)].filter(Boolean);
  setHidden(byId('alarm'), alarms.length === 0);
  patch(byId('alarm'), marked(alarms.join(' ')));
  const told = namedWords(named, head);
  setHidden(byId('named'), !told);
  setAttribute(byId('named'), 'data-state', named?.state ?? '');
  setText(byId('named'), told);
}

/** What it means that the log does not have the event that a link names. */
function missingWords(head) {
  return /^[0-9a-f]{64}$/.test(head) ? words.headMissing(head.slice(0, 16)) : words.headNotWhole;
}

/** That the log has the event that a link names. */
function namedWords(named, head) {
  const short = head.slice(0, 16);
  switch (named?.state) {
    case 'waiting': return words.headWaiting(short);
    case 'unknown': return words.headUnknown(short);
    case 'there': return named.since === 0 ? words.headLast(short, named.seq) : words.headThere(short, named.seq, named.since);
    default: return '';
  }
}

function content(why, viewer, { retry, view }) {
  const button = (text, onclick) => h('button', { type: 'button', onclick }, text);
  if (why.code === 'NOT_FOUND') {
    setText(byId('title'), words.noGame);
    document.title = `${words.noGame} · Plybook`;
    byId('replay').classList.add('none');
    return [words.noneHere, h('a', { href: '/' }, common.allGames)];
  }
  if (why.code === 'FORBIDDEN' && viewer) {
    return [words.notYours, button(words.showMine, () => view(''))];
  }
  return [...marked(errorWords(why)), ' ', button(common.again, retry)];
}

// The page about the service.

import { lists as words } from '../words/lists.js';
import { errorWords, request } from '../base/api.js';
import { byId, h, marked } from '../base/dom.js';
import { welcome } from '../base/welcome.js';
import { KINDS, PUBLIC_LOG } from '../model/list-queries.js';

request(KINDS).then(({ rules }) => byId('welcome').replaceChildren(welcome(rules)), (why) => byId('welcome').replaceChildren(h('p', { role: 'alert' }, ...marked(errorWords(why)))))
  .then(() => byId('welcome').setAttribute('aria-busy', 'false'));
request(PUBLIC_LOG).then(({ checkpoint: { origin } }) => byId('log').replaceChildren(
  ...words.log(h('bdi', { lang: 'en' }, origin), h('a', { href: '/checkpoint/keys' }, words.keys), h('a', { href: '/checkpoint' }, words.checkpoint))), () => {});

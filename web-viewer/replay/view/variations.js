// Variations in the move list: plies in a row, each followed by its alternatives.

import { playing as words } from '../../words/playing.js';
import { common } from '../../words/common.js';
import { moment } from '../../words/locale.js';
import { actorName, capital, seatOf } from '../../model/format.js';
import { chip, h } from '../../base/dom.js';
import { SHOWN_FIRST } from '../../model/listing.js';
import { wordsOf } from '../../model/own.js';
import { actionWords, lineName, nodeId, placeOf, placeWords } from '../../model/tree.js';
import { placeAddress } from '../../model/url.js';

/**
 * The variations of one ply.
 * @param {import('../../model/listing.js').Variation[]} blocks
 * @param {string} key of the place, for "more"
 * @param {import('../derive.js').Now} now
 * @returns {Node[]}
 */
export function variationRows(blocks, key, now) {
  const shown = now.more.get(key) ?? SHOWN_FIRST;
  const rest = blocks.length - shown;
  return [
    ...blocks.slice(0, shown).map((block) => variation(block, now)),
    ...rest > 0 ? [h('button', { type: 'button', class: 'link more', tabindex: '-1', 'data-more': key, 'data-shown': shown + 50 }, words.linesMore(rest))] : [],
  ];
}

function variation(block, now) {
  const { line, items, isFolded, size } = block;
  const name = lineName(now.tree, line.id);
  const body = `variation-${block.id}`;
  const fold = items.length > 0 && h('button', {
    type: 'button', class: 'fold', tabindex: '-1', 'data-fold': block.id, 'aria-expanded': String(!isFolded),
    'aria-label': words.size(name, size),
  }, h('span', { 'aria-hidden': 'true' }, isFolded ? '▸' : '▾'));
  const shown = isFolded ? items.slice(0, 1) : items;
  const head = [
    fold,
    (line.name || items.length === 0) && h('a', { ...place(line.id, block.from + Math.min(1, items.length), now), class: 'name' }, name),
    line.hidden && h('span', { class: 'tag' }, words.linesHidden),
    items.length === 0 && h('span', { class: 'tag' }, line.plies > line.ply ? words.same : words.empty),
  ];
  return h('div', { class: line.hidden ? 'variation hidden-line' : 'variation', role: 'group', 'aria-label': words.variation(name) }, ...head,
    items.length > 0 && h('ol', { class: 'plies', id: body }, ...shown.map((item) => ply(item, isFolded, now))),
    isFolded && size > 1 && h('span', { class: 'tag' }, words.rest(size - 1)));
}

function ply({ node, blocks }, isFolded, now) {
  const seat = seatOf(node.by ?? '');
  const link = h('a', { ...place(node.log, node.ply, now), 'data-node': node.id, class: 'node' },
    h('span', { class: 'ply' }, String(node.ply)), chip(seat, ''),
    h('span', { class: 'hidden' }, `${actorName(node.by ?? '', now.game.seats)} `),
    h('span', { class: 'text' }, actionWords(node)),
    node.glyphs?.length ? h('span', { class: 'glyphs' }, node.glyphs.join(' ')) : null);
  return h('li', {}, link, ' ',
    node.same && same(node.same, now),
    ...commentsAt(now, node.log, node.ply, node.comment),
    ...isFolded ? [] : variationRows(blocks, node.id, now));
}

/** What is said of a ply, by whom and when, and the reader's own note. */
export function commentsAt({ comments, game, kept }, log, ply, comment) {
  const told = comments.get(log)?.get(ply) ?? (wordsOf(comment) ? [{ comment }] : []);
  const note = kept[nodeId(log, ply)]?.note;
  return [
    ...told.filter((each) => wordsOf(each.comment)).map((each) => h('p', { class: 'comment', dir: 'auto' }, wordsOf(each.comment), each.at && h('span', { class: 'by' }, authorOf(each, game.seats), ' · ', h('time', { datetime: each.at }, moment(each.at))))),
    note && h('p', { class: 'comment own', dir: 'auto' }, note, h('span', { class: 'by' }, words.thisPageOnly)),
  ];
}

function authorOf({ by, who = '' }, seats) {
  return h('bdi', {}, seatOf(by) ? actorName(by, seats) : capital(common.roles[who.split(':')[0]] ?? actorName(by, seats)));
}

function same(id, now) {
  const told = placeWords(now.tree, id);
  const { log, ply: number } = placeOf(now.tree, id);
  return h('a', { ...place(log, number, now), class: 'same', title: words.samePosition(told) }, `= ${told}`);
}

function place(line, number, { id, viewer }) {
  return { href: placeAddress({ id, line, viewer, ply: number }), 'data-line': line, 'data-at': number, tabindex: '-1' };
}

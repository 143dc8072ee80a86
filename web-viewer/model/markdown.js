// Parses a small subset of Markdown into plain data: headings, paragraphs, lists, tables and code, with
// inline code, emphasis and links. Unrecognised syntax is left as text.

/**
 * @typedef {{kind: 'text'|'code'|'strong'|'em'|'link', text: string, href?: string}} Span
 * @typedef {{kind: 'heading', level: number, spans: Span[]} | {kind: 'paragraph', spans: Span[]}
 *   | {kind: 'list', ordered: boolean, start: number, items: Span[][]} | {kind: 'code', text: string}
 *   | {kind: 'table', rows: Span[][][]}} Block
 */

const BULLET = /^\s*(?:[-*]|(\d+)[.)])\s+(.*)$/;
const SPAN = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/**
 * @param {string} source
 * @returns {Block[]}
 */
export function parseMarkdown(source) {
  const lines = source.replaceAll('\r', '').split('\n');
  const blocks = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at].trim() === '') {
      at += 1;
      continue;
    }
    const [block, next] = read(lines, at);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

/**
 * @param {string} text
 * @returns {Span[]}
 */
export function parseSpans(text) {
  const spans = [];
  let at = 0;
  for (const match of text.matchAll(SPAN)) {
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) });
    spans.push(span(match));
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) });
  return spans;
}

function span([whole, code, strong, em, label, href]) {
  if (code) return { kind: 'code', text: code };
  if (strong) return { kind: 'strong', text: strong };
  if (em) return { kind: 'em', text: em };
  return /^https?:\/\//.test(href) ? { kind: 'link', text: label, href } : { kind: 'text', text: label || whole };
}

function read(lines, at) {
  const line = lines[at];
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading) return [{ kind: 'heading', level: heading[1].length, spans: parseSpans(heading[2]) }, at + 1];
  if (/^( {4}|\t)/.test(line)) return readCode(lines, at);
  if (line.trimStart().startsWith('|')) return readTable(lines, at);
  if (BULLET.test(line)) return readList(lines, at);
  const end = paragraphEnd(lines, at + 1);
  return [{ kind: 'paragraph', spans: parseSpans(lines.slice(at, end).map((part) => part.trim()).join(' ')) }, end];
}

function paragraphEnd(lines, at) {
  let end = at;
  while (end < lines.length && lines[end].trim() !== '' && !/^(#{1,6}\s|\s*\|)/.test(lines[end]) && !BULLET.test(lines[end])) end += 1;
  return end;
}

function readCode(lines, at) {
  let end = at;
  while (end < lines.length && (/^( {4}|\t)/.test(lines[end]) || (lines[end].trim() === '' && /^( {4}|\t)/.test(lines[end + 1] ?? '')))) end += 1;
  return [{ kind: 'code', text: lines.slice(at, end).map((line) => line.replace(/^( {4}|\t)/, '')).join('\n') }, end];
}

function readTable(lines, at) {
  let end = at;
  while (end < lines.length && lines[end].trimStart().startsWith('|')) end += 1;
  const rows = lines.slice(at, end)
    .filter((line) => !/^[\s|:-]+$/.test(line))
    .map((line) => line.trim().replace(/^\||\|$/g, '').split('|').map((cell) => parseSpans(cell.trim())));
  return [{ kind: 'table', rows }, end];
}

function readList(lines, at) {
  const number = BULLET.exec(lines[at])[1];
  const items = [];
  let next = at;
  while (next < lines.length) {
    const bullet = BULLET.exec(lines[next]);
    if (!bullet || Boolean(bullet[1]) !== Boolean(number)) break;
    const end = paragraphEnd(lines, next + 1);
    items.push(parseSpans([bullet[2], ...lines.slice(next + 1, end).map((line) => line.trim())].join(' ')));
    next = end;
    while (lines[next]?.trim() === '' && BULLET.test(lines[next + 1] ?? '')) next += 1;
  }
  return [{ kind: 'list', ordered: Boolean(number), start: Number(number ?? 1), items }, next];
}

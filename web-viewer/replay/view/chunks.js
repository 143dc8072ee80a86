// A long list in chunks: only chunks whose rows changed are made anew, and browsers lay out only
// those in view (`content-visibility` in viewer.css).

const CHUNK = 100;

/** A list of rows, each made from one entry; a chunk is an `ol`, a row its `li`. */
export class Chunks {
  /**
   * @param {HTMLElement} list
   * @param {(entry: any) => Node} row
   */
  constructor(list, row) {
    this.list = list;
    this.row = row;
    /** @type {{entries: any[], element: HTMLElement}[]} */
    this.chunks = [];
  }

  /**
   * Shows these entries. Entries are compared by identity.
   * @param {any[]} entries
   */
  show(entries) {
    const count = Math.ceil(entries.length / CHUNK);
    for (const { element } of this.chunks.splice(count)) element.remove();
    for (let index = 0; index < count; index++) this.showChunk(index, entries.slice(index * CHUNK, (index + 1) * CHUNK));
  }

  showChunk(index, entries) {
    const old = this.chunks[index];
    if (old && old.entries.length === entries.length && entries.every((entry, at) => entry === old.entries[at])) return;
    const element = old?.element ?? document.createElement('ol');
    element.className = 'chunk';
    element.style.setProperty('--rows', String(entries.length));
    element.replaceChildren(...entries.map(this.row));
    if (!old) this.list.append(element);
    this.chunks[index] = { entries, element };
  }
}

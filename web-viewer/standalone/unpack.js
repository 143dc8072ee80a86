// Unpacks a page that stands alone: the viewer, the game, and the rules, each compressed, and written as 31 bits in two
// characters, which take four bytes in UTF-16.

(async () => {
  const FIRST = 0x0100;
  const BASE = 46341;
  const wait = document.getElementById('wait');

  /** The bytes in an element. */
  const bytesOf = (id) => {
    const { dataset, textContent: text } = document.getElementById(id);
    const bytes = new Uint8Array(Number(dataset.bytes));
    let at = 0;
    let held = 0;
    let bits = 0;
    const take = (value, count) => {
      held = ((held << count) | value) & 0x7fffff;
      for (bits += count; bits >= 8 && at < bytes.length; at += 1) {
        bits -= 8;
        bytes[at] = held >> bits;
      }
    };
    for (let index = 0; index < text.length; index += 2) {
      const number = (text.charCodeAt(index) - FIRST) * BASE + text.charCodeAt(index + 1) - FIRST;
      take(number >> 16, 15);
      take(number & 0xffff, 16);
    }
    return bytes;
  };

  const unpacked = (id) => new Response(new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream('gzip'))).json();

  try {
    const [{ body, style, scene, script }, game] = await Promise.all([unpacked('packed-viewer'), unpacked('packed-game')]);
    document.head.append(Object.assign(document.createElement('style'), { textContent: scene + style }));
    // The replay's own page, with nothing of the game in it.
    wait.after(...new DOMParser().parseFromString(body, 'text/html').body.childNodes);
    const { $use } = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    await $use('standalone/start.js').start({ ...game, style: scene }, bytesOf('packed-rules'));
    wait.remove();
  } catch (why) {
    wait.textContent = wait.dataset.failed.replace('{why}', () => why.message);
  }
})();

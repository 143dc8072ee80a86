// Unpacks a page that stands alone: the viewer, the game, and the rules, each compressed, and written as 15 bits a character,
// which take two bytes in UTF-16.

(async () => {
  const FIRST = 0x3400;
  const BITS = 15;
  const wait = document.getElementById('wait');

  /** The bytes in an element. */
  const bytesOf = (id) => {
    const { dataset, textContent: text } = document.getElementById(id);
    const bytes = new Uint8Array(Number(dataset.bytes));
    for (let index = 0, at = 0, held = 0, bits = 0; index < text.length; index += 1) {
      held = ((held << BITS) | (text.charCodeAt(index) - FIRST)) & 0x3fffff;
      for (bits += BITS; bits >= 8 && at < bytes.length; at += 1) {
        bits -= 8;
        bytes[at] = held >> bits;
      }
    }
    return bytes;
  };

  const unpacked = (id) => new Response(new Blob([bytesOf(id)]).stream().pipeThrough(new DecompressionStream('gzip'))).json();

  try {
    const [{ body, style, scene, script }, game] = await Promise.all([unpacked('packed-viewer'), unpacked('packed-game')]);
    document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
    // The replay's own page, with nothing of the game in it.
    wait.after(...new DOMParser().parseFromString(body, 'text/html').body.childNodes);
    const { $use } = await import(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
    await $use('standalone/start.js').start({ ...game, style: scene }, bytesOf('packed-rules'));
    wait.remove();
  } catch (why) {
    wait.textContent = wait.dataset.failed.replace('{why}', () => why.message);
  }
})();

// Unpacks a page that stands alone: the viewer, the game, and the rules, each compressed, as base64.

(async () => {
  const wait = document.getElementById('wait');

  /** The bytes in an element. */
  const bytesOf = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (character) => character.charCodeAt(0));

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

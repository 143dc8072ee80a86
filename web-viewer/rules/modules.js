// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-d58379d8f2b6b054.wasm.gz'],
  ['tri', 'tri-5d7f3611ac1e99cd.wasm.gz'],
  ['triforce', 'triforce-30ba0c9c9d29ca31.wasm.gz'],
  ['triforce-building', 'triforce-building-959ee61fda74e12e.wasm.gz'],
  ['thrones', 'thrones-e4e407fd3a6423f7.wasm.gz'],
]);

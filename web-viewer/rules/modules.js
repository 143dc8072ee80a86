// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-139e2d8d6826c597.wasm.gz'],
  ['tri', 'tri-81797d61c4d51531.wasm.gz'],
  ['triforce', 'triforce-8197a380cb577196.wasm.gz'],
  ['triforce-building', 'triforce-building-33f25dad24371d5c.wasm.gz'],
  ['thrones', 'thrones-30deadb3243a3ee2.wasm.gz'],
]);

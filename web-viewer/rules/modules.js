// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-ece96023122532cb.wasm.gz'],
  ['tri', 'tri-1af0649bdbaf6cb6.wasm.gz'],
  ['triforce', 'triforce-a9afa04767ff5fd3.wasm.gz'],
  ['triforce-building', 'triforce-building-3013b24fdafc97e4.wasm.gz'],
  ['thrones', 'thrones-b676efbf366ccfaf.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-1e23af431efa1e95.wasm.gz'],
  ['tri', 'tri-2d42613c1913119e.wasm.gz'],
  ['triforce', 'triforce-3c0f7d0e6a23cdb9.wasm.gz'],
  ['triforce-building', 'triforce-building-3628bd35f1d19043.wasm.gz'],
  ['thrones', 'thrones-e9c757bf0c01553c.wasm.gz'],
]);

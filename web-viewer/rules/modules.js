// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-6e97a5fecfe33caa.wasm.gz'],
  ['tri', 'tri-feee3b3f8186fc35.wasm.gz'],
  ['triforce', 'triforce-8926db0c0b6feeaf.wasm.gz'],
  ['triforce-building', 'triforce-building-cf3c3780b4a0b6e1.wasm.gz'],
  ['thrones', 'thrones-e1d17973cd021379.wasm.gz'],
]);

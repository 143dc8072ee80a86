// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-76bec992fe2d41b2.wasm.gz'],
  ['tri', 'tri-ca03b3f7ee4cba85.wasm.gz'],
  ['triforce', 'triforce-80d0f2de4c16ee59.wasm.gz'],
  ['triforce-building', 'triforce-building-55775e638d34cd8d.wasm.gz'],
  ['thrones', 'thrones-0d32eb2720a96026.wasm.gz'],
]);

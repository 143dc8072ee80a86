// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-3b457033a2f93237.wasm.gz'],
  ['tri', 'tri-35db08e615276606.wasm.gz'],
  ['triforce', 'triforce-b27a424e1777f371.wasm.gz'],
  ['triforce-building', 'triforce-building-43469ed197457302.wasm.gz'],
  ['thrones', 'thrones-c2f8c6ac91169673.wasm.gz'],
]);

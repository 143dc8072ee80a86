// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-96d44fdf8ecccb76.wasm.gz'],
  ['tri', 'tri-4b17a5e0bccb386b.wasm.gz'],
  ['triforce', 'triforce-9d0c1e335b426d5c.wasm.gz'],
  ['triforce-building', 'triforce-building-c3e2a626ff3cff3a.wasm.gz'],
  ['thrones', 'thrones-b58f840c8ae984b8.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-71b07edde55928ff.wasm.gz'],
  ['tri', 'tri-7fb667f484bb2773.wasm.gz'],
  ['triforce', 'triforce-f3e54b6c1948b468.wasm.gz'],
  ['triforce-building', 'triforce-building-9b8ad9e0ff1a07e7.wasm.gz'],
  ['thrones', 'thrones-fb168c87536baca1.wasm.gz'],
]);

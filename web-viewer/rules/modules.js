// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-fc015312cf6a030b.wasm.gz'],
  ['tri', 'tri-994ff9cc44ced7d1.wasm.gz'],
  ['triforce', 'triforce-e7179ce5e36b4395.wasm.gz'],
  ['triforce-building', 'triforce-building-de81223544721a51.wasm.gz'],
  ['thrones', 'thrones-8589bc13f5cd9f3a.wasm.gz'],
]);

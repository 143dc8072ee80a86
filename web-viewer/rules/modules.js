// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-ed842cee89c73160.wasm.gz'],
  ['tri', 'tri-e0518758a84e8afa.wasm.gz'],
  ['triforce', 'triforce-453a7929d73e5f19.wasm.gz'],
  ['triforce-building', 'triforce-building-1d46941b7d86ffea.wasm.gz'],
  ['thrones', 'thrones-3fe97681bf7e457a.wasm.gz'],
]);

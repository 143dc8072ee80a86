// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-05cf2881dd9bc25d.wasm.gz'],
  ['tri', 'tri-7cef52fe82e0e5f9.wasm.gz'],
  ['triforce', 'triforce-8d409384f2812771.wasm.gz'],
  ['triforce-building', 'triforce-building-2d4268dee045db30.wasm.gz'],
  ['thrones', 'thrones-6a33130f2b3f510f.wasm.gz'],
]);

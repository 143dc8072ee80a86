// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-4b4e3b7350044daa.wasm.gz'],
  ['tri', 'tri-1c690813ef9292cd.wasm.gz'],
  ['triforce', 'triforce-726cfb478c63b9fc.wasm.gz'],
  ['triforce-building', 'triforce-building-21b9306abbec6c79.wasm.gz'],
  ['thrones', 'thrones-baca41b5477c52e1.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-6e81c8d6b4c9662d.wasm.gz'],
  ['tri', 'tri-10d1d30570d82f0a.wasm.gz'],
  ['triforce', 'triforce-8f254e9dff64fadd.wasm.gz'],
  ['triforce-building', 'triforce-building-7c9974a71aa98ea0.wasm.gz'],
  ['thrones', 'thrones-ee4ee8630b59439f.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-35edc3fe94e71fd8.wasm.gz'],
  ['tri', 'tri-b97c776de08736e6.wasm.gz'],
  ['triforce', 'triforce-89821a88ecfa6839.wasm.gz'],
  ['triforce-building', 'triforce-building-6e21387a906cbfa9.wasm.gz'],
  ['thrones', 'thrones-c496c184b3256e24.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-b9c0ff9c94f36337.wasm.gz'],
  ['tri', 'tri-0c39e7f422ede087.wasm.gz'],
  ['triforce', 'triforce-bc1e800af0d1dd95.wasm.gz'],
  ['triforce-building', 'triforce-building-5a1b530185b653af.wasm.gz'],
  ['thrones', 'thrones-1f462403d29e6990.wasm.gz'],
]);

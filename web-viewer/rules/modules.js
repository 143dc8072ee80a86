// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-394352a14f7eb2f3.wasm.gz'],
  ['tri', 'tri-869a2126ceda13af.wasm.gz'],
  ['triforce', 'triforce-5e69d1034f3ce8d3.wasm.gz'],
  ['triforce-building', 'triforce-building-3314d00a7fd21d10.wasm.gz'],
  ['thrones', 'thrones-2c0dcacc96cac7aa.wasm.gz'],
]);

// Written by `build`. Each name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULES = new Map([
  ['triangulate', 'triangulate-a096cce91be4d917.wasm.gz'],
  ['tri', 'tri-e1b68596ac102cee.wasm.gz'],
  ['triforce', 'triforce-af1be07e0753cb9e.wasm.gz'],
  ['triforce-building', 'triforce-building-95eb72ca83e9afc2.wasm.gz'],
  ['thrones', 'thrones-596236ce14f1b709.wasm.gz'],
]);

// Written by `build`. The name has the first digits of the module's SHA-256, so it may be kept for ever.
export const MODULE = 'rules-18168c368299f9a5.wasm';

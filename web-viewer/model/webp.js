// Animated WebP (RFC 9649), put together from still pictures of one size. No DOM here.

const ANIMATED = 2;
const NOT_BLENDED = 2;
/** The chunks of a still picture that are its pixels. */
const PIXELS = ['ALPH', 'VP8 ', 'VP8L'];
/** The last picture is shown this many times as long. */
const HOLD = 3;

/**
 * @param {Uint8Array[]} stills as browsers encode them, in order
 * @param {{width: number, height: number, frameMs: number}} how the size in pixels, and how long each is shown
 * @returns {Blob} a picture that repeats
 */
export function animatedWebp(stills, { width, height, frameMs }) {
  const frames = stills.map((still, index) => {
    const ms = frameMs * (index === stills.length - 1 ? HOLD : 1);
    return chunk('ANMF', numbers(3, 0, 0, width - 1, height - 1, ms), numbers(1, NOT_BLENDED), ...pixelsOf(still));
  });
  return chunk('RIFF', 'WEBP', chunk('VP8X', numbers(4, ANIMATED), numbers(3, width - 1, height - 1)), chunk('ANIM', numbers(4, 0), numbers(2, 0)), ...frames);
}

/** The chunks of a still picture's pixels. */
function pixelsOf(still) {
  const view = new DataView(still.buffer, still.byteOffset, still.byteLength);
  const found = [];
  for (let at = 12; at < still.length;) {
    const end = at + 8 + view.getUint32(at + 4, true);
    if (PIXELS.includes(String.fromCharCode(...still.subarray(at, at + 4)))) found.push(still.subarray(at, end + (end % 2)));
    at = end + (end % 2);
  }
  return found;
}

/** A chunk: its name, its size, and its content, which has an even number of bytes. */
function chunk(name, ...parts) {
  const content = new Blob(parts);
  return new Blob([name, numbers(4, content.size), content, content.size % 2 ? '\0' : '']);
}

/** Numbers of so many bytes each, the lowest first. */
function numbers(bytes, ...values) {
  return Uint8Array.from(values.flatMap((value) => Array.from({ length: bytes }, (_, index) => (value >> (8 * index)) & 255)));
}

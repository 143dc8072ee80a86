// Nothing takes a tap until it has stood still for a while: a tap means what was there when the finger came down.

/** How long something stands where it is before it takes taps. */
const STEADY_MS = 400;

/** As far, in pixels, something may move and still be where it was. */
const NEAR = 3;

const TAPPED = 'button, a, [role=option], .scene';

/**
 * Keeps taps from whatever in an element has just appeared, moved or become something else.
 * @param {HTMLElement} within
 */
export function steadyTaps(within) {
  /** @type {Map<Element, {name: string, x: number, y: number}>} */
  let seen = new Map();
  let isDue = false;
  const look = () => {
    isDue = false;
    const before = seen;
    seen = new Map();
    for (const element of within.querySelectorAll(TAPPED)) {
      const { left, top, width } = element.getBoundingClientRect();
      if (width === 0) continue;
      const [was, now] = [before.get(element), { name: nameOf(element), x: left + scrollX, y: top + scrollY }];
      const isSteady = was?.name === now.name && Math.hypot(was.x - now.x, was.y - now.y) <= NEAR;
      seen.set(element, isSteady ? was : now);
      if (!isSteady) element.animate({ pointerEvents: ['none', 'none'] }, STEADY_MS);
    }
  };
  const lookSoon = () => {
    if (!isDue) requestAnimationFrame(look);
    isDue = true;
  };
  new MutationObserver(lookSoon).observe(within, { attributes: true, characterData: true, childList: true, subtree: true });
  addEventListener('resize', lookSoon);
  lookSoon();
}

/** What a tap would mean; what is written on a board changes with every action, and means the same. */
function nameOf(element) {
  if (element instanceof SVGElement) return element.getAttribute('viewBox') ?? '';
  return Object.values(element.dataset).join(' ') || element.textContent;
}

// Stepping on the board without keys: by the wheel, by swiping, by holding a button.

const WHEEL_STEP = 60;
const WHEEL_REST_MS = 250;
const SWIPE_PX = 40;
const HOLD_MS = 400;
const REPEAT_MS = 90;

/** Watches the board and the step buttons. */
export class Gestures {
  /**
   * @param {HTMLElement} board
   * @param {import('./controls.js').Acts} acts
   */
  constructor(board, acts) {
    this.acts = acts;
    this.turned = 0;
    this.wheeledAt = 0;
    /** @type {{x: number, y: number} | null} */ this.touched = null;
    board.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    board.addEventListener('touchstart', (event) => this.touch(event), { passive: true });
    board.addEventListener('touchend', (event) => this.lift(event), { passive: true });
    for (const [id, by] of /** @type {const} */ ([['prev', -1], ['next', 1]])) this.hold(/** @type {HTMLElement} */ (document.getElementById(id)), by);
  }

  /** A turn of the wheel is a ply; at both ends the page scrolls as usual. */
  wheel(event) {
    const { settings, ply, last } = this.acts.now();
    const by = Math.sign(event.deltaY);
    if (!settings.wheel || event.ctrlKey || event.metaKey || !by || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    if ((by < 0 && ply === 0) || (by > 0 && ply >= last)) return;
    event.preventDefault();
    if (event.timeStamp - this.wheeledAt > WHEEL_REST_MS || Math.sign(this.turned) !== by) this.turned = 0;
    this.wheeledAt = event.timeStamp;
    this.turned += event.deltaY * [1, 20, 200][event.deltaMode];
    if (Math.abs(this.turned) < WHEEL_STEP) return;
    this.turned = 0;
    this.acts.step(by);
  }

  touch({ touches }) {
    this.touched = touches.length === 1 ? { x: touches[0].clientX, y: touches[0].clientY } : null;
  }

  lift({ changedTouches: [end], touches }) {
    if (!this.touched || touches.length > 0) return;
    const [dx, dy] = [end.clientX - this.touched.x, end.clientY - this.touched.y];
    this.touched = null;
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 2 * Math.abs(dy)) this.acts.step(dx < 0 ? 1 : -1);
  }

  /** A held button keeps stepping; each position is drawn before the next one is requested. */
  hold(button, by) {
    let timer = 0;
    let held = false;
    const repeat = () => {
      held = true;
      if (this.acts.now().position) this.acts.step(by);
      timer = setTimeout(repeat, REPEAT_MS);
    };
    const release = () => clearTimeout(timer);
    button.addEventListener('pointerdown', (event) => {
      held = false;
      if (event.button === 0) timer = setTimeout(repeat, HOLD_MS);
    });
    for (const name of ['pointerup', 'pointercancel', 'pointerleave']) button.addEventListener(name, release);
    button.addEventListener('contextmenu', (event) => event.preventDefault());
    // The click that ends a hold is not another step.
    button.addEventListener('click', (event) => {
      if (held) event.stopImmediatePropagation();
      held = false;
    }, { capture: true });
  }
}

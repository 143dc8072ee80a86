// Sounds of steps, for readers who asked for them: a capture is lower, dice are higher.

import { isCapture } from '../../model/happened.js';

/** Sounds when a step leads to a position. */
export class Sounds {
  constructor() {
    /** @type {AudioContext | null} */ this.audio = null;
    /** @type {any} */ this.heard = null;
  }

  /** @param {import('../derive.js').Now} now */
  draw({ ply, position, settings, shown, walk }) {
    if (!settings.sound || !position || position === this.heard) return;
    const isFirst = !this.heard;
    this.heard = position;
    if (isFirst || ply === 0) return;
    const by = walk[ply - 1]?.by;
    const pitch = by === 'chance' ? 880 : shown.before && isCapture(shown.before.scene, position.scene, by) ? 220 : 440;
    this.audio ??= new AudioContext();
    const { currentTime, destination } = this.audio;
    const [tone, volume] = [new OscillatorNode(this.audio, { frequency: pitch, type: 'triangle' }), new GainNode(this.audio, { gain: 0.15 })];
    volume.gain.exponentialRampToValueAtTime(0.001, currentTime + 0.12);
    tone.connect(volume).connect(destination);
    tone.start();
    tone.stop(currentTime + 0.12);
  }
}

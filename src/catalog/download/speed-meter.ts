const windowMs = 5000;

/** Speed over the last seconds, of a count that only grows. */
export class SpeedMeter {
  readonly #now: () => number;
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Bytes per second after `bytes` have come in all; 0 until there is something to compare with. */
  update(bytes: number): number {
    const atMs = this.#now();
    this.#samples.push({ atMs, bytes });
    while (this.#samples.length > 2 && atMs - (this.#samples[1]?.atMs ?? atMs) >= windowMs)
      this.#samples.shift();
    const [first] = this.#samples;
    if (first === undefined || atMs <= first.atMs) return 0;
    return Math.max(0, ((bytes - first.bytes) * 1000) / (atMs - first.atMs));
  }
}

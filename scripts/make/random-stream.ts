/** A seeded stream of random numbers that is the same on every machine (exact integer arithmetic only). */
export class RandomStream {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** The next number in 0 (included) to 1 (excluded), by mulberry32. */
  uniform(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * The next number of mean 0 and standard deviation 1, near enough to a normal distribution.
   * A sum of uniforms, because the last bit of `Math.log` and `Math.cos` may differ between machines.
   */
  normal(): number {
    const sum = this.uniform() + this.uniform() + this.uniform() + this.uniform();
    return (sum - 2) * Math.sqrt(3);
  }
}

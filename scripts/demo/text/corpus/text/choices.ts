import { RandomStream } from '../../../../make/random-stream.ts';

/** Seeded choices, the same on every machine. */
export class Choices {
  readonly #random: RandomStream;

  constructor(seed: number) {
    this.#random = new RandomStream(seed);
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.#random.uniform() * (most - least + 1));
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#random.uniform() < probability;
  }

  /** One of the options, each as likely as the others. */
  pick<Option>(options: readonly [Option, ...Option[]] | readonly Option[]): Option {
    const option = options[this.integer(0, options.length - 1)];
    if (option === undefined) throw new RangeError('nothing to pick from');
    return option;
  }

  /** `count` different options in random order. */
  sample<Option>(options: readonly Option[], count: number): Option[] {
    return this.shuffle(options).slice(0, count);
  }

  shuffle<Option>(options: readonly Option[]): Option[] {
    const shuffled = [...options];
    for (let index = shuffled.length - 1; index > 0; index--) {
      const other = this.integer(0, index);
      [shuffled[index], shuffled[other]] = [shuffled[other] as Option, shuffled[index] as Option];
    }
    return shuffled;
  }

  /** One of the options by weight: `[option, weight]`. */
  weighted<Option>(options: readonly (readonly [Option, number])[]): Option {
    const total = options.reduce((sum, [, weight]) => sum + weight, 0);
    let left = this.#random.uniform() * total;
    for (const [option, weight] of options) {
      left -= weight;
      if (left < 0) return option;
    }
    return this.pick(options.map(([option]) => option));
  }
}

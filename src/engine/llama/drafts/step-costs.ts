/**
 * The time of a pass over the model by its number of tokens, as a multiple of a pass with one token. These values hold
 * until this machine is measured; they lie between those of models of 135M and 0.5B parameters on two cores of a
 * processor whose memory is slower than its arithmetic. Elsewhere a pass with 4 tokens takes up to three times as long as
 * one with one.
 */
const priors: readonly (readonly [tokens: number, cost: number])[] = [
  [1, 1],
  [2, 1.26],
  [4, 1.32],
  [8, 1.88],
  [16, 2.6],
  [32, 4.5],
  [64, 8],
  [512, 60],
];

/** The time of a head, which is one layer and the output, before it is measured: of a pass with one token. */
const headPrior = 0.15;
/** Weight of the newest step in the time of a pass with one token: that grows with the text before it. */
const scaleRate = 0.15;
/** The least weight of the newest step in the estimated extra time of passes with more tokens. The first steps weigh more. */
const shapeRate = 0.05;
/** Passes with one number of tokens are known after 8 steps. */
const stepsUntilKnown = 8;
/** How fast a cost that has not been measured for long is forgotten. */
const forgetRate = 0.0005;
/** A step that other processes held up tells little; one of a kind that is not known yet may well be this far off. */
const mostSurprise = { known: 1.5, unknown: 3 } as const;

/** A mean whose first values count equally, and whose last ones weigh at least `shapeRate`. */
interface Mean {
  readonly value: number;
  readonly steps: number;
}

/** How long steps that decode take by the number of their tokens, as far as earlier steps tell. */
export class StepCosts {
  /** Of a pass with one token, in milliseconds. */
  #scaleMs: number | undefined;
  /** Measured costs of passes, in passes with one token, by their number of tokens. */
  readonly #shape = new Map<number, Mean>();
  /** Of guessing a token for each sequence by the model's own heads, in passes with one token. */
  #head: Mean = { value: headPrior, steps: 0 };
  /** How many times as much as expected further tokens cost on this machine, whatever their number. */
  #stretch: Mean = { value: 1, steps: 0 };

  /** In passes with one token. `passes`: the tokens of each. */
  costOf(passes: readonly number[]): number {
    return passes.reduce(
      (total, tokens) => total + (this.#shape.get(tokens)?.value ?? this.#expected(tokens)),
      0,
    );
  }

  /** Guessing a token for each sequence by the model's own heads, in passes with one token. */
  get headCost(): number {
    return this.#head.value;
  }

  /** Learns how long the heads took to guess `tokens` tokens, one after the other. */
  observeHeads(tokens: number, elapsedMs: number): void {
    if (this.#scaleMs === undefined) return;
    const { unknown: most } = mostSurprise;
    const ratio = elapsedMs / Math.max(1e-6, tokens * this.#scaleMs * this.#head.value);
    this.#head = next(this.#head, this.#head.value * Math.min(most, Math.max(1 / most, ratio)));
  }

  /** Learns how long a step took. */
  observe(passes: readonly number[], elapsedMs: number): void {
    const cost = this.costOf(passes);
    if (cost === 0) return;
    this.#scaleMs ??= elapsedMs / cost;
    const ratio = elapsedMs / Math.max(1e-6, this.#scaleMs * cost);
    const isKnown = passes.every((tokens) => this.#isKnown(tokens));
    const most = mostSurprise[isKnown ? 'known' : 'unknown'];
    const surprise = Math.min(most, Math.max(1 / most, ratio));
    if (isKnown) this.#scaleMs *= 1 + scaleRate * (surprise - 1);
    this.#stretch = { ...this.#stretch, value: this.#stretch.value + forgetRate * (1 - this.#stretch.value) };
    for (const [tokens, { value, steps }] of this.#shape)
      this.#shape.set(tokens, { value: value + forgetRate * (this.#expected(tokens) - value), steps });
    for (const tokens of new Set(passes)) this.#learn(tokens, this.costOf([tokens]) * surprise);
  }

  /** Learns the cost of a pass with `tokens` tokens, in passes with one. */
  #learn(tokens: number, cost: number): void {
    if (tokens === 1) return;
    const further = priorOf(tokens) - 1;
    this.#shape.set(tokens, next(this.#shape.get(tokens) ?? { value: cost, steps: 0 }, cost));
    this.#stretch = next(this.#stretch, Math.max(0, (cost - 1) / further));
  }

  /** Whether a surprise by a pass with this number of tokens says that all passes take another time than before. */
  #isKnown(tokens: number): boolean {
    return tokens === 1 || (this.#shape.get(tokens)?.steps ?? 0) >= stepsUntilKnown;
  }

  #expected(tokens: number): number {
    return 1 + this.#stretch.value * (priorOf(tokens) - 1);
  }
}

function next({ value, steps }: Mean, measured: number): Mean {
  const rate = Math.max(shapeRate, 1 / (steps + 1));
  return { value: value + rate * (measured - value), steps: steps + 1 };
}

function priorOf(tokens: number): number {
  const after = Math.max(
    1,
    priors.findIndex(([most]) => most >= tokens),
  );
  const [[low, lowCost] = [0, 0], [high, highCost] = [1, 1]] = [priors[after - 1], priors[after]];
  return lowCost + ((tokens - low) / (high - low)) * (highCost - lowCost);
}

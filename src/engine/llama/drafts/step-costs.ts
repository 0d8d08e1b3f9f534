/**
 * The time of a pass over the model by its number of tokens, as a multiple of a pass with one token. These values hold
 * until this machine is measured; they lie between those of models of 135M and 0.5B parameters on two cores.
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

/** Weight of the newest step in the time of a pass with one token: that grows with what stands before it. */
const scaleRate = 0.15;
/** Weight of the newest step in how much longer a pass with more tokens takes. */
const shapeRate = 0.05;
/** How fast what has not been measured for long is forgotten. */
const forgetRate = 0.0005;
/** A step that other processes held up tells little. */
const mostSurprise = 1.5;

/** How long steps that decode take by the number of their tokens, as far as earlier steps tell. */
export class StepCosts {
  /** Of a pass with one token, in milliseconds. */
  #scaleMs: number | undefined;
  /** By its tokens, what a pass takes in passes with one. */
  readonly #shape = new Map<number, number>();

  /** In passes with one token. `passes`: the tokens of each. */
  costOf(passes: readonly number[]): number {
    return passes.reduce((total, tokens) => total + (this.#shape.get(tokens) ?? priorOf(tokens)), 0);
  }

  /** Learns how long a step took. */
  observe(passes: readonly number[], elapsedMs: number): void {
    const cost = this.costOf(passes);
    if (cost === 0) return;
    this.#scaleMs ??= elapsedMs / cost;
    const ratio = elapsedMs / Math.max(1e-6, this.#scaleMs * cost);
    const surprise = Math.min(mostSurprise, Math.max(1 / mostSurprise, ratio)) - 1;
    this.#scaleMs *= 1 + scaleRate * surprise;
    for (const [tokens, shape] of this.#shape)
      this.#shape.set(tokens, shape + forgetRate * (priorOf(tokens) - shape));
    for (const tokens of new Set(passes))
      this.#shape.set(tokens, (this.#shape.get(tokens) ?? priorOf(tokens)) * (1 + shapeRate * surprise));
  }
}

function priorOf(tokens: number): number {
  const after = Math.max(
    1,
    priors.findIndex(([most]) => most >= tokens),
  );
  const [[low, lowCost] = [0, 0], [high, highCost] = [1, 1]] = [priors[after - 1], priors[after]];
  return lowCost + ((tokens - low) / (high - low)) * (highCost - lowCost);
}

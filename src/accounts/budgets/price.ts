/** Amounts of the operator's units are counted in whole millionths, so that their sums are exact. */
export const microUnits = 1_000_000;

/** The costs of a model, in the operator's units. */
export interface Price {
  /** For a million tokens of prompts. */
  readonly inputTokens?: number | undefined;
  /** For a million of those that were in the cache; undefined: as much as the others. */
  readonly cachedTokens?: number | undefined;
  /** For a million. */
  readonly outputTokens?: number | undefined;
  readonly audioSeconds?: number | undefined;
  readonly requests?: number | undefined;
}

/** By model id; `*` is the price of all models that are not named. */
export type Prices = Readonly<Record<string, Price>>;

export interface Priced {
  readonly requests: number;
  readonly inputTokens: number;
  /** Those of the input tokens that were in the cache. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly audioMs: number;
}

/** Most that a request is charged, which keeps sums exact whatever a price is: a thousand million units. */
const mostMicroUnits = 1e15;

const toMicro = (units: number | undefined) => BigInt(Math.round((units ?? 0) * microUnits));

/** Millionths of a unit, all of a request rounded up once: each price has at most six decimals. */
export function costOf(price: Price, used: Priced): number {
  const { inputTokens, cachedTokens = inputTokens, outputTokens, audioSeconds, requests } = price;
  const cached = Math.min(used.cachedTokens, used.inputTokens);
  const perMillion =
    BigInt(used.inputTokens - cached) * toMicro(inputTokens) +
    BigInt(cached) * toMicro(cachedTokens) +
    BigInt(used.outputTokens) * toMicro(outputTokens) +
    BigInt(used.audioMs) * toMicro(audioSeconds) * 1000n +
    BigInt(used.requests) * toMicro(requests) * 1_000_000n;
  return Math.min(Number((perMillion + 999_999n) / 1_000_000n), mostMicroUnits);
}

/**
 * The limiter's decisions, computed as plainly as possible and without regard to cost: a level is a fraction,
 * and time is walked through in small steps. Knows neither the store nor the arithmetic under test.
 */
import { windowMs, type Measure, type Window } from '../../../src/accounts/plans.ts';

export interface ReferenceRule {
  readonly measure: Measure;
  readonly window: Window;
  readonly limit: number;
}

class Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator = 1n) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  plus(other: Fraction): Fraction {
    if (this.denominator === other.denominator) {
      return new Fraction(this.numerator + other.numerator, this.denominator);
    }
    const numerator = this.numerator * other.denominator + other.numerator * this.denominator;
    return new Fraction(numerator, this.denominator * other.denominator);
  }

  isLess(other: Fraction): boolean {
    return this.numerator * other.denominator < other.numerator * this.denominator;
  }

  floor(): number {
    const rest = ((this.numerator % this.denominator) + this.denominator) % this.denominator;
    return Number((this.numerator - rest) / this.denominator);
  }
}

const zero = new Fraction(0n);
const one = new Fraction(1n);

class ReferenceBucket {
  level: Fraction;
  atMs: number;
  readonly rule: ReferenceRule;

  constructor(rule: ReferenceRule, nowMs: number) {
    this.rule = rule;
    this.level = new Fraction(BigInt(rule.limit));
    this.atMs = nowMs;
  }

  /** Walks to `nowMs`, until full: by single milliseconds at first, then by a prime number of them. */
  walk(nowMs: number): void {
    if (nowMs < this.atMs) this.atMs = nowMs;
    const full = BigInt(this.rule.limit);
    let steps = 0;
    while (this.atMs < nowMs) {
      const stepMs = Math.min(nowMs - this.atMs, steps < 100 ? 1 : 1_048_573);
      this.atMs += stepMs;
      steps += 1;
      if (this.level.numerator === full * this.level.denominator) this.atMs = nowMs;
      this.add(new Fraction(BigInt(stepMs) * BigInt(this.rule.limit), BigInt(windowMs[this.rule.window])));
    }
  }

  /** The level at `nowMs`, without moving there. */
  peek(nowMs: number): Fraction {
    const copy = new ReferenceBucket(this.rule, this.atMs);
    copy.level = this.level;
    copy.walk(nowMs);
    return copy.level;
  }

  add(amount: Fraction): void {
    const full = new Fraction(BigInt(this.rule.limit));
    const sum = this.level.plus(amount);
    this.level = full.isLess(sum) ? full : sum;
  }

  /** Least whole seconds from `nowMs` on until it admits, found by bisection over the definition. */
  secondsUntilAdmitted(nowMs: number): number {
    const level = this.peek(nowMs);
    const admitsAfter = (seconds: number) => {
      const refill = BigInt(seconds) * 1000n * BigInt(this.rule.limit);
      const later = level.plus(new Fraction(refill, BigInt(windowMs[this.rule.window])));
      return this.rule.measure === 'requests' ? !later.isLess(one) : zero.isLess(later);
    };
    let [low, high] = [-1, 1];
    while (!admitsAfter(high)) high *= 2;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (admitsAfter(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** All buckets of all keys and models, in memory. */
export class Reference {
  readonly #rules: readonly ReferenceRule[];
  readonly #buckets = new Map<string, ReferenceBucket[]>();

  constructor(rules: readonly ReferenceRule[]) {
    this.#rules = rules;
  }

  #of(owner: string, nowMs: number): ReferenceBucket[] {
    let buckets = this.#buckets.get(owner);
    if (buckets === undefined) {
      buckets = this.#rules.map((rule) => new ReferenceBucket(rule, nowMs));
      this.#buckets.set(owner, buckets);
    }
    return buckets;
  }

  /** 0 when the request is admitted and paid, else the seconds to wait. */
  admit(owner: string, nowMs: number): number {
    const buckets = this.#of(owner, nowMs);
    // Looking moves a bucket only when the clock is behind it: time counts from the last time it was changed.
    for (const bucket of buckets) if (nowMs < bucket.atMs) bucket.walk(nowMs);
    const seconds = Math.max(...buckets.map((bucket) => bucket.secondsUntilAdmitted(nowMs)));
    if (seconds > 0) return seconds;
    this.#take(owner, 'requests', 1, nowMs);
    return 0;
  }

  settle(owner: string, tokens: { input: number; output: number }, refund: boolean, nowMs: number): void {
    this.#take(owner, 'inputTokens', tokens.input, nowMs);
    this.#take(owner, 'outputTokens', tokens.output, nowMs);
    if (refund) this.#take(owner, 'requests', -1, nowMs);
  }

  /** Whole units per bucket at `nowMs`, by `measure window`. */
  levels(owner: string, nowMs: number): Record<string, number> {
    const levels: Record<string, number> = {};
    for (const bucket of this.#of(owner, nowMs)) {
      const { measure, window } = bucket.rule;
      levels[`${measure} ${window}`] = bucket.peek(nowMs).floor();
    }
    return levels;
  }

  #take(owner: string, measure: Measure, amount: number, nowMs: number): void {
    if (amount === 0) return;
    for (const bucket of this.#of(owner, nowMs)) {
      if (bucket.rule.measure !== measure) continue;
      bucket.walk(nowMs);
      bucket.add(new Fraction(BigInt(-amount)));
    }
  }
}

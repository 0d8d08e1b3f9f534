/**
 * An allowance that refills, computed as plainly as possible and without regard to cost: a level is a fraction, and time
 * is walked through in small steps. Knows neither the store nor the arithmetic under test.
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

export class ReferenceBucket {
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

  /** The same at `nowMs`, if its limit became that of `rule` at `changedAtMs`. */
  under(rule: ReferenceRule, changedAtMs: number, nowMs: number): ReferenceBucket {
    const before = new ReferenceBucket(this.rule, this.atMs);
    before.level = this.level;
    if (rule.limit !== this.rule.limit && changedAtMs > this.atMs) before.walk(Math.min(changedAtMs, nowMs));
    const after = new ReferenceBucket(rule, before.atMs);
    after.level = before.level;
    after.add(zero);
    after.walk(nowMs);
    return after;
  }

  /** Adds whole units at `nowMs`, or takes them. */
  give(units: number, nowMs: number): void {
    this.walk(nowMs);
    this.add(new Fraction(BigInt(units)));
  }

  /** Whole units, and the rest in `windowMs`-ths of one. */
  split(): { units: number; fraction: number } {
    const units = this.level.floor();
    const rest = this.level.plus(new Fraction(BigInt(-units)));
    return {
      units,
      fraction: Number((rest.numerator * BigInt(windowMs[this.rule.window])) / rest.denominator),
    };
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

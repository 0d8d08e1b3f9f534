/**
 * One allowance that refills continuously. Nothing in this file reads a clock or keeps state.
 *
 * A level is an integer count of unit-milliseconds: one unit is `windowMs` of them, and every millisecond
 * adds `limit` of them. So a refill over any split of a time is the same as over the whole of it, to the
 * last bit, and a level can be recomputed from the ledger. A 30-day budget passes 2^53, hence bigint.
 */
export interface Bucket {
  /** In unit-milliseconds; below zero: debt. */
  readonly level: bigint;
  /** Whole units that fit, and that refill within one window; at least 1. */
  readonly limit: number;
  readonly windowMs: number;
  /** Unix ms that the level is of. */
  readonly atMs: number;
}

export function fullBucket(limit: number, windowMs: number, nowMs: number): Bucket {
  return { level: toLevel(limit, windowMs), limit, windowMs, atMs: nowMs };
}

function toLevel(units: number, windowMs: number): bigint {
  return BigInt(units) * BigInt(windowMs);
}

function capped(level: bigint, limit: number, windowMs: number): bigint {
  const full = toLevel(limit, windowMs);
  return level < full ? level : full;
}

/**
 * The bucket at `nowMs`. When the clock went back nothing is refilled, and refilling goes on from the new time: waiting
 * for the old time would block a key for as long as the clock had been wrong.
 */
export function advance(bucket: Bucket, nowMs: number): Bucket {
  const elapsedMs = nowMs - bucket.atMs;
  if (elapsedMs === 0) return bucket;
  if (elapsedMs < 0) return { ...bucket, atMs: nowMs };
  const { limit, windowMs } = bucket;
  const refill = BigInt(elapsedMs) * BigInt(limit);
  return { level: capped(bucket.level + refill, limit, windowMs), limit, windowMs, atMs: nowMs };
}

/** The bucket at `nowMs` when its limit became `limit` at `changedAtMs`: it keeps its level, capped at the new full. */
export function changeLimit(bucket: Bucket, limit: number, changedAtMs: number, nowMs: number): Bucket {
  const before = changedAtMs > bucket.atMs ? advance(bucket, Math.min(changedAtMs, nowMs)) : bucket;
  return advance({ ...before, limit, level: capped(before.level, limit, bucket.windowMs) }, nowMs);
}

/** The bucket after `units` were taken, whether or not it held them. */
export function take(bucket: Bucket, units: number): Bucket {
  return { ...bucket, level: bucket.level - toLevel(units, bucket.windowMs) };
}

/** The bucket after `units` came back, at most full. */
export function giveBack(bucket: Bucket, units: number): Bucket {
  const { limit, windowMs } = bucket;
  return { ...bucket, level: capped(bucket.level + toLevel(units, windowMs), limit, windowMs) };
}

/** Level that a bucket must hold to admit: one whole unit, or anything above zero. */
export function neededLevel(need: 'unit' | 'positive', windowMs: number): bigint {
  return need === 'unit' ? BigInt(windowMs) : 1n;
}

function ceilDivide(dividend: bigint, divisor: bigint): number {
  return Number((dividend + divisor - 1n) / divisor);
}

/** Least whole seconds after which the bucket holds `need`, if nothing is taken; 0: it does now. */
export function secondsUntil(bucket: Bucket, need: 'unit' | 'positive'): number {
  const missing = neededLevel(need, bucket.windowMs) - bucket.level;
  return missing <= 0n ? 0 : ceilDivide(missing, BigInt(bucket.limit) * 1000n);
}

/** Least whole milliseconds after which the bucket is full, if nothing is taken. */
export function msUntilFull(bucket: Bucket): number {
  const missing = toLevel(bucket.limit, bucket.windowMs) - bucket.level;
  return missing <= 0n ? 0 : ceilDivide(missing, BigInt(bucket.limit));
}

/** The level as two safe integers: `units + fraction / windowMs`, 0 ≤ fraction < windowMs. */
export function splitLevel({ level, windowMs }: Bucket): { units: number; fraction: number } {
  const window = BigInt(windowMs);
  const remainder = level % window;
  // BigInt division rounds towards zero; a debt needs rounding down.
  const fraction = remainder < 0n ? remainder + window : remainder;
  return { units: Number((level - fraction) / window), fraction: Number(fraction) };
}

/** The level that `splitLevel` took apart. */
export function joinLevel(units: number, fraction: number, windowMs: number): bigint {
  return toLevel(units, windowMs) + BigInt(fraction);
}

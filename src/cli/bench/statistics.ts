/** The value below which the share `fraction` (0..1) of `values` lies, interpolated; undefined without values. */
export function quantile(values: readonly number[], fraction: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (position - Math.floor(position));
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median and extremes; undefined without values. */
export function spread(values: readonly number[]): Spread | undefined {
  const median = quantile(values, 0.5);
  if (median === undefined) return undefined;
  return { median, min: Math.min(...values), max: Math.max(...values) };
}

const mostSteps = 5;

/**
 * Where the lines of a scale are, at steps that are easily read: the last one is not below `max`. Counted things have
 * no halves.
 */
export function linesUpTo(max: number, isCounted: boolean): number[] {
  const top = max || 1;
  const least = Math.max(top / mostSteps, isCounted ? 1 : 0);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

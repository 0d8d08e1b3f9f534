const units = ['', 'K', 'M', 'B', 'T'] as const;

/** A parameter count with three significant digits and a unit: `596M`, `8.03B`; `0` when it is not known. */
export function parametersNumber(count: number): string {
  if (!(count >= 1)) return '0';
  let scaled = count;
  let unit = 0;
  // From 999.5 on, three digits would round up to 1000 of this unit: that is 1.00 of the next.
  while (unit < units.length - 1 && scaled >= (unit === 0 ? 1000 : 999.5)) {
    scaled /= 1000;
    unit++;
  }
  if (unit === 0 || scaled >= 999.5) return `${Math.round(scaled)}${units[unit]}`;
  return `${scaled.toPrecision(3)}${units[unit]}`;
}

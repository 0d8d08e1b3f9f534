const unitMs = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
} as const satisfies Record<string, number>;

const longestMs = 100 * 365 * unitMs.d;

function isUnit(text: string | undefined): text is keyof typeof unitMs {
  return text !== undefined && Object.hasOwn(unitMs, text);
}

/** Milliseconds of `30s`, `1.5h` or `90d`; Infinity for -1, never. Throws RangeError with a public message. */
export function parseDurationMs(value: string | number): number {
  const text = String(value).trim();
  if (text === '-1') return Number.POSITIVE_INFINITY;
  if (text === '0') return 0;
  const match = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(text);
  const unit = match?.[2];
  if (!isUnit(unit)) {
    throw new RangeError(`"${text}" is not a duration; write it like 500ms, 30s, 15m, 1h or 90d`);
  }
  const durationMs = Math.round(Number(match?.[1]) * unitMs[unit]);
  if (durationMs > longestMs) throw new RangeError(`"${text}" is longer than 100 years; -1 means never`);
  return durationMs;
}

/** The same; undefined where the value is no duration. */
export function toDurationMs(value: string | number): number | undefined {
  try {
    return parseDurationMs(value);
  } catch {
    return undefined;
  }
}

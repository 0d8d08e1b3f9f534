import { toDurationMs } from './duration.ts';

/** Unix milliseconds at which a span begins or ends, given the current time; -Infinity: no bound. */
export type TimeBound = (nowMs: number) => number;

/** The forms that are understood, for messages. */
export const timeBoundForms =
  'a time such as 2026-11-20, 2026-11-20T09:30:00Z or 1795165800, or an age such as 7d';

/** Whole seconds since 1970, a date, or a time of ISO 8601 with its zone, so that no zone must be guessed. */
const timePattern =
  /^(?:\d{1,11}|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?)$/;

/** Whether the calendar has this day: Date.parse takes the 30th of February for the 2nd of March. */
function isDay(date: string): boolean {
  const atMs = Date.parse(date);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(date);
}

/** The bound of a time, of an age before now, or of -1 (none); undefined for anything else. A date begins in UTC. */
export function parseTimeBound(text: string): TimeBound | undefined {
  const isSeconds = /^\d+$/.test(text);
  const durationMs = isSeconds ? undefined : toDurationMs(text);
  if (durationMs !== undefined) return (nowMs) => nowMs - durationMs;
  if (!timePattern.test(text) || !(isSeconds || isDay(text.slice(0, 10)))) return undefined;
  const atMs = isSeconds ? Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(atMs) ? undefined : () => atMs;
}

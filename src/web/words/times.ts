/** Times for people; apart from the other words, because the first visit needs none of them. */

const ages = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const ageUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** A Unix time in seconds, from now: `3 minutes ago`, `in 2 days`. */
export function toAge(unixSeconds: number, nowMs = Date.now()): string {
  const seconds = unixSeconds - nowMs / 1000;
  const [unit, size] = ageUnits.find(([, each]) => Math.abs(seconds) >= each) ?? [undefined, 1];
  return unit === undefined ? 'just now' : ages.format(Math.round(seconds / size), unit);
}

/** `seconds` as a clock that runs shows them: `0:03`. */
export const toMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;

/** `seconds` as a position in a recording: `1:02.5`. */
export function toPosition(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(1).padStart(4, '0')}`;
}

/** One clock of 24 hours in all views, whose texts are of no country. */
export const hourCycle = 'h23';

/** A Unix time in seconds as the time of the day, to the second. */
export const toClock = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toLocaleTimeString(undefined, { timeStyle: 'medium', hourCycle });

/** The day of a Unix time in seconds: `today`, `yesterday`, or its date. */
export function toDay(unixSeconds: number, nowMs = Date.now()): string {
  const day = new Date(unixSeconds * 1000);
  const days = Math.round(
    (new Date(nowMs).setHours(0, 0, 0, 0) - new Date(day).setHours(0, 0, 0, 0)) / 86_400_000,
  );
  return days < 2
    ? ages.format(-days, 'day')
    : day.toLocaleDateString('en', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** The date of a Unix time in seconds: `Nov 27, 2026`. */
export const toDate = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toLocaleDateString(undefined, { dateStyle: 'medium' });

/** As `toDate`, without a year where no other one could be meant: `Nov 27`. */
export const toShortDate = (unixSeconds: number, nowMs = Date.now()): string =>
  Math.abs(unixSeconds * 1000 - nowMs) < 300 * 86_400_000
    ? new Date(unixSeconds * 1000).toLocaleDateString(undefined, { month: 'short', day: 'numeric' })
    : toDate(unixSeconds);

/** A Unix time in seconds as the person's own date and time. */
export const toTime = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toLocaleString(undefined, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle,
  });

/** As `toTime`, to the second. */
export const toExactTime = (unixSeconds: number): string => `${toDate(unixSeconds)}, ${toClock(unixSeconds)}`;

/** A time that is near, as in `full again …`: `today at 18:30`, `tonight at midnight`, `on Tuesday at 9:00`. */
export function toMoment(time: Date, nowMs = Date.now()): string {
  const days = Math.round(
    (new Date(time).setHours(0, 0, 0, 0) - new Date(nowMs).setHours(0, 0, 0, 0)) / 86_400_000,
  );
  const format =
    days > 0 && days < 7 ? ({ weekday: 'long' } as const) : ({ day: 'numeric', month: 'long' } as const);
  const day = ['today', 'tomorrow'][days] ?? `on ${time.toLocaleDateString('en', format)}`;
  // `Midnight` of any other day could be its beginning or its end.
  if (days === 1 && time.getHours() + time.getMinutes() === 0) return 'tonight at midnight';
  return `${day} at ${time.toLocaleTimeString(undefined, { timeStyle: 'short', hourCycle })}`;
}

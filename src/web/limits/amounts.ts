import { toSpan } from '../words/span.ts';
import { toAmount } from '../words/formats.ts';

/** By measure and window. */
export type Amounts = Readonly<Record<string, Readonly<Record<string, number | undefined>> | null>>;

/** Each amount with its measure and window. */
export const listOf = (amounts: Amounts) =>
  Object.entries(amounts).flatMap(([measure, times]) =>
    Object.entries(times ?? {}).map(([window, amount]) => [measure, window, Number(amount)] as const),
  );

const sizes: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, b: 1e9 };
const times: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
export const isTime = (measure: string) => measure === 'audio_seconds';

const summedTimes = /^(?:[\d.,]+\s*[a-z]+\s*){2,}$/i;

/**
 * The amount that `text` says of a measure: 20,000 for `20K`, 36,000 seconds for `10 h`, 5400 for `1 h 30 min`. NaN: it
 * says none.
 */
export function toNumber(measure: string, text: string): number {
  if (isTime(measure) && summedTimes.test(text.trim())) {
    const parts = text.match(/[\d.,]+\s*[a-z]+/gi) ?? [];
    return parts.reduce((sum, part) => sum + toNumber(measure, part), 0);
  }
  const [, figures = '', unit = ''] = /^(-?[\d.,]+)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  const size = (isTime(measure) ? times : sizes)[unit.toLowerCase()];
  // Without the error of doubles: 20.1K would become 20,100.000000000004.
  return figures === '' || size === undefined
    ? Number.NaN
    : Number((Number(figures.replaceAll(',', '')) * size).toPrecision(15));
}

const leastShort = 10_000;

/** A time for the server, which knows one unit: `90m` for `1 h 30 min`. A text that is no time with its unit is kept. */
export function toDuration(text: string): string {
  const seconds = toNumber('audio_seconds', text);
  if (Number.isNaN(seconds) || !/[a-z]/i.test(text)) return text;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** An allowed amount, as messages of the server have it where that is short to say: `2,000`, `20K`, `1.25M`. */
export const toAllowed = (amount: number): string =>
  amount < leastShort ? toFigures(amount) : toAmount(amount);

const shortRests = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumSignificantDigits: 3,
  roundingMode: 'floor',
});
const rests = new Intl.NumberFormat('en', { maximumSignificantDigits: 4, roundingMode: 'floor' });

/** The rest of an amount, rounded down: `29.9M` where 100 of 30 million were taken, and `1,999` of 2,000. */
export const toRest = (amount: number): string => (amount < leastShort ? rests : shortRests).format(amount);

/** The rest of an amount of time, rounded down: `89 min` of 90 where a second was taken. */
export function toRestTime(seconds: number): string {
  const [unit, size] =
    seconds < 90 ? ['s', 1] : seconds < 36_000 && seconds % 3600 !== 0 ? ['min', 60] : ['h', 3600];
  return `${toFigures(Math.floor(seconds / size))} ${unit}`;
}

const toFigures = (count: number) => count.toLocaleString('en', { maximumFractionDigits: 6 });

/** A limit of `amount`: short where that is exact, such as `20K` or `90 min`. */
export function toAmountText(measure: string, amount: number): string {
  const short = isTime(measure) ? toSpan(amount) : toAllowed(amount);
  if (toNumber(measure, short) === amount) return short;
  if (!isTime(measure)) return toFigures(amount);
  return amount % 60 === 0 ? `${toFigures(amount / 60)} min` : `${toFigures(amount)} s`;
}

import { toSpan } from './span.ts';

/** Facts side by side, without those that are missing. */
export const joined = (...facts: readonly (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(' · ');

/** Whether an address of this host leads from any machine to that machine itself. */
export const isThisMachine = (host: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** The order of names for people: `b` after `A`, `10` after `9`. */
export const inOrder = new Intl.Collator('en', { numeric: true }).compare;

/** A name in an account: one that was removed has its id in it, which tells people nothing. */
export const withoutId = (name: string): string => name.replace(/ \(removed, \w+\)/, ' (removed)');

/** The name of a key for people, with its account's. */
export const nameOfKey = (key: {
  readonly name: string;
  readonly redacted_value: string;
  readonly account_name: string;
}): string => joined(key.name || key.redacted_value, withoutId(key.account_name));

/** A wait for people: `300 ms`, `1.2 s`, `4 min`. */
export const toWait = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : ms < 90_000 ? `${(ms / 1000).toFixed(1)} s` : toSpan(ms / 1000);

const amounts = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });
const thousands = new Intl.NumberFormat('en', {
  notation: 'compact',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: 'lessPrecision',
});

/** An amount that somebody set, short: `5K`, `1.25M`. */
export const toAmount = (amount: number): string => amounts.format(amount);

/** A count, as exact as the amounts beside it: `26`, `9.0K`, `85.7K`, `330K`. Parts of one: `0.0043`. */
export const toCount = (count: number): string => (count < 1000 ? amounts : thousands).format(count);

/** A context of so many tokens, as everybody calls it: `32K` are 32 times 1,024. */
export const toContext = (tokens: number): string =>
  tokens % 1024 === 0 ? `${tokens / 1024}K` : toAmount(tokens);

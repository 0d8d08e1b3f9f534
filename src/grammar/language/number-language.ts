import { charRange } from '../char-set.ts';
import type { Language } from './language.ts';
import type { Languages } from './languages.ts';
import { limits } from '../budget/limits.ts';

/** The number `numerator / 2^halvings`, of which others have to be multiples. */
export interface Divisor {
  readonly numerator: number;
  readonly halvings: number;
}

export interface NumberShape {
  readonly integer: boolean;
  /** True for numbers with a fraction that is not zero only. */
  readonly fraction: boolean;
  readonly min: number;
  readonly minExcluded: boolean;
  readonly max: number;
  readonly maxExcluded: boolean;
  /** The number has to be a multiple of each. */
  readonly divisors: readonly Divisor[];
  readonly excluded: readonly number[];
}

/**
 * The decimal texts of the numbers of `shape`: at most `digits` digits, 15 or fewer, no exponent, no `-0`. Decimals of
 * at most 15 digits never round onto or across a bound, so comparing digits is comparing doubles.
 */
export function numberLanguage(l: Languages, shape: NumberShape, digits: number = limits.digits): Language {
  const decimals = new Decimals(l);
  const all = shape.integer ? decimals.whole(digits) : decimals.all(digits);
  let positive = all;
  let negative = l.both([all, l.not(decimals.equal('0'))]);
  const restrict = (which: 'positive' | 'negative', to: Language) => {
    if (which === 'positive') positive = l.both([positive, to]);
    else negative = l.both([negative, to]);
  };
  const atLeast = (text: string, strict: boolean) => (strict ? decimals.above(text) : decimals.from(text));
  const atMost = (text: string, strict: boolean) =>
    l.not(strict ? decimals.from(text) : decimals.above(text));

  if (shape.min >= 0) {
    negative = l.none;
    restrict('positive', atLeast(plainDecimal(shape.min), shape.minExcluded));
  } else if (shape.min !== -Infinity)
    restrict('negative', atMost(plainDecimal(-shape.min), shape.minExcluded));
  if (shape.max < 0) {
    positive = l.none;
    restrict('negative', atLeast(plainDecimal(-shape.max), shape.maxExcluded));
  } else if (shape.max !== Infinity) restrict('positive', atMost(plainDecimal(shape.max), shape.maxExcluded));
  for (const divisor of shape.divisors) {
    restrict('positive', decimals.multiples(divisor));
    restrict('negative', decimals.multiples(divisor));
  }
  for (const value of shape.excluded)
    restrict(value < 0 ? 'negative' : 'positive', l.not(decimals.equal(plainDecimal(Math.abs(value)))));
  if (shape.fraction)
    for (const side of ['positive', 'negative'] as const) restrict(side, l.not(decimals.wholeValues()));
  return l.either([positive, l.concat(l.text('-'), negative)]);
}

/** Languages of decimal numbers without a sign. */
class Decimals {
  readonly #l: Languages;
  readonly #digit: Language;
  readonly #point: Language;
  readonly #fraction: Language;
  readonly #zeros: Language;

  constructor(l: Languages) {
    this.#l = l;
    this.#digit = l.chars(charRange(0x30, 0x39));
    this.#point = l.text('.');
    const digits = l.repeat(this.#digit, 1, Infinity);
    this.#fraction = l.either([l.emptyText, l.concat(this.#point, digits)]);
    this.#zeros = l.repeat(l.text('0'), 0, Infinity);
  }

  whole(digits: number): Language {
    const l = this.#l;
    const leading = l.chars(charRange(0x31, 0x39));
    return l.either([l.text('0'), l.concat(leading, l.repeat(this.#digit, 0, digits - 1))]);
  }

  all(digits: number): Language {
    const l = this.#l;
    const length = l.repeat(l.anyChar, 1, digits + 1);
    return l.both([l.concat(this.whole(digits), this.#fraction), length]);
  }

  /** Whole numbers, also those that are written with a fraction of zeros. */
  wholeValues(): Language {
    const l = this.#l;
    return l.concat(l.repeat(this.#digit, 1, Infinity), this.#zeroFraction());
  }

  equal(decimal: string): Language {
    const l = this.#l;
    const [whole = '', fraction = ''] = decimal.split('.');
    if (fraction === '') return l.concat(l.text(whole), this.#zeroFraction());
    return l.sequence([l.text(`${whole}.${fraction}`), this.#zeros]);
  }

  /** Multiples of a divisor: with n digits after the point, all digits together are a multiple of numerator · 5^n. */
  multiples({ numerator, halvings }: Divisor): Language {
    const l = this.#l;
    const whole = l.repeat(this.#digit, 1, Infinity);
    const options = Array.from({ length: halvings + 1 }, (_, places) => {
      const fraction = l.concat(this.#point, l.repeat(this.#digit, places, places));
      const digits = places === 0 ? whole : l.concat(whole, fraction);
      return l.both([digits, l.multiple(numerator * 5 ** places)]);
    });
    return l.either(options);
  }

  above(decimal: string): Language {
    return this.#l.both([this.from(decimal), this.#l.not(this.equal(decimal))]);
  }

  /** Numbers of at least `decimal`. */
  from(decimal: string): Language {
    const l = this.#l;
    const [whole = '', fraction = ''] = decimal.split('.');
    const larger = l.concat(this.#greaterWhole(whole), this.#fraction);
    if (fraction === '') return l.either([larger, l.concat(l.text(whole), this.#fraction)]);
    const digits = Array.from(fraction, Number);
    const rest = l.repeat(this.#digit, 0, Infinity);
    const fractions = digits.map((digit, at) =>
      l.sequence([l.text(fraction.slice(0, at)), this.#above(digit), rest]),
    );
    fractions.push(l.concat(l.text(fraction), rest));
    return l.either([larger, l.sequence([l.text(whole), this.#point, l.either(fractions)])]);
  }

  #greaterWhole(whole: string): Language {
    const l = this.#l;
    const digits = Array.from(whole, Number);
    const longer = l.concat(l.chars(charRange(0x31, 0x39)), l.repeat(this.#digit, whole.length, Infinity));
    const same = digits.map((digit, at) =>
      l.sequence([
        l.text(whole.slice(0, at)),
        this.#above(digit),
        l.repeat(this.#digit, digits.length - at - 1, digits.length - at - 1),
      ]),
    );
    return l.either([longer, ...same]);
  }

  #above(digit: number): Language {
    return digit === 9 ? this.#l.none : this.#l.chars(charRange(0x31 + digit, 0x39));
  }

  #zeroFraction(): Language {
    const l = this.#l;
    return l.either([l.emptyText, l.concat(this.#point, l.repeat(l.text('0'), 1, Infinity))]);
  }
}

/** `value`, which is finite and not negative, written with digits and at most one point. */
export function plainDecimal(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toString().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return trimmed('0', '0'.repeat(-point) + digits);
  return trimmed(digits.slice(0, point).padEnd(point, '0'), digits.slice(point));
}

function trimmed(whole: string, fraction: string): string {
  const kept = fraction.replace(/0+$/, '');
  const first = whole.replace(/^0+(?=[0-9])/, '');
  return kept === '' ? first : `${first}.${kept}`;
}

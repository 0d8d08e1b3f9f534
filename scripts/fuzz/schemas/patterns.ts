import type { Random } from '../../../test/support/grammar/gbnf-sampler.ts';

const atoms = [
  'a', 'b', '.', '\\d', '\\w', '\\s', '\\S', '[a-z]', '[^a]', '[^]', 'é', '😀', '\\p{L}', '\\p{Lu}', '\\P{N}',
  '\\u0041', '[\\w.-]', '\\-', '\\x41', '[\\d\\s]', '\\b', '\\B', '^', '$', '',
] as const; // prettier-ignore
const quantifiers = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '{2}',
  '{0,3}',
  '{1,14}',
  '{1,30}',
  '{3,}',
  '{0,1000}',
  '{0,100000}',
];
const groups = ['(', '(?:', '(?:', '(?=', '(?!', '(?<=', '(?<!'];

const whole = (random: Random, below: number): number => Math.floor(random() * below);
export const pick = <T>(random: Random, choices: readonly T[]): T => {
  const chosen = choices[whole(random, choices.length)];
  if (chosen === undefined) throw new RangeError('There is nothing to pick from.');
  return chosen;
};

/** A pattern of up to `depth` groups inside each other; some are no patterns at all. */
export function randomPattern(random: Random, depth = 3): string {
  const piece = (): string => {
    if (depth === 0 || random() < 0.6) return pick(random, atoms) + pick(random, quantifiers);
    return `${pick(random, groups)}${randomPattern(random, depth - 1)})${pick(random, quantifiers)}`;
  };
  const sequence = () => Array.from({ length: 1 + whole(random, 4) }, piece).join('');
  const text = Array.from({ length: 1 + whole(random, 3) }, sequence).join('|');
  return random() < 0.4 ? `^${text}$` : text;
}

/** Patterns that are known to be slow for one way of matching or another, of sizes that differ. */
export function hostilePattern(random: Random): string {
  const n = 1 + whole(random, 40);
  const many = (count: number, part: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => part(at));
  const letter = (at: number) => String.fromCodePoint(0x61 + (at % 26));
  return pick<() => string>(random, [
    () => `^(a+)+$`,
    () => `^(a|a)*$`,
    () => `^(a|b)*a(a|b){${n}}$`,
    () => `^((a{1,${n}}){1,${n}}){1,${n}}$`,
    () => `^(([a-c]{1,${n}}-?){1,${n}}[0-9]?){1,${n}}$`,
    () => `^${'\\p{L}?'.repeat(8 * n)}$`,
    () =>
      `^${many(4 * n, (at) => `[${letter(at)}-${letter(at + 3)}]?`.replace(/\[(.)-(.)\]/, (all, a, b) => (a <= b ? all : '[a-z]'))).join('')}$`,
    () => `^${many(n, (at) => `(?=.*${letter(at)})`).join('')}.*$`,
    () => `^${many(n, (at) => `(?!.*${letter(at)}{${at + 1}})`).join('')}.*$`,
    () => `(${many(20 * n, (at) => `w${at * 7919}`).join('|')})`,
    () => `^(.*,){${n}}x`,
    () => `${'(?:'.repeat(Math.min(n, 31))}a${')*'.repeat(Math.min(n, 31))}`,
    () => `^(${many(n, (at) => `a{${at}}b`).join('|')})*$`,
    () => `[${many(10 * n, (at) => String.fromCodePoint(0x100 + 3 * at)).join('')}]{1,${n}}`,
    () => `(?<=${'a?'.repeat(n)})b(?=${'c*'.repeat(n)}$)`,
    () => `^${'(x?'.repeat(Math.min(n, 31))}${')*'.repeat(Math.min(n, 31))}$`,
    () => 'a'.repeat(100 * n),
    () => `\\u{${n.toString(16)}}{0,${100 * n}}${'['.repeat(n % 3)}`,
    () => randomPattern(random, 6),
  ])();
}

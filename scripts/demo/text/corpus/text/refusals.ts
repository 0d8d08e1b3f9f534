import { lines, pairs } from './data.ts';

/** Names that only the evaluation uses. */
export const heldOutNames = lines('held-out names');
/** Words whose spelling only the evaluation asks for. */
export const heldOutWords = lines('held-out words');

/** True for pairs of numbers that only the evaluation adds or subtracts. */
export function isHeldOutSum(first: number, second: number): boolean {
  return (first * 7 + second) % 10 === 3 && first >= 10 && second >= 10;
}

const isHeldOutName = (name: string): boolean => heldOutNames.includes(name);
const hasHeldOutName = (name: string): boolean => name.split(/\W/u).some(isHeldOutName);

/** The same in either order. */
export const areHeldOut = (one: number, two: number): boolean =>
  isHeldOutSum(one, two) || isHeldOutSum(two, one);

function isHeldOutPair(pair: string): boolean {
  const [first = 0, second = 0] = pair.split(': ').map(Number);
  return areHeldOut(first, second);
}

const realNames = new Set(
  [
    ...pairs('countries').flat(),
    ...lines('cities'),
    ...lines('country names'),
    ...pairs('famous people').map(([name]) => name),
    ...lines('other real places'),
  ].map((name) => name.toLowerCase()),
);
const isKnown = (name: string): boolean =>
  realNames.has(name.toLowerCase()) || name.split(/[ -]/u).some(isHeldOutName);

const realWords = new Set([
  ...['spelling words', 'topic words'].flatMap(lines),
  ...pairs('opposites').flat(),
  ...heldOutWords,
]);

const translatable = new Set(pairs('words in six languages').map(([english]) => english));

const refusals: Readonly<Record<string, (text: string) => boolean>> = {
  'made-up name': isHeldOutName,
  'given name': hasHeldOutName,
  'family name': isHeldOutName,
  town: isHeldOutName,
  'made-up place': isKnown,
  'made-up person': isKnown,
  'made-up thing': (word) => realWords.has(word),
  untranslatable: (word) => translatable.has(word),
  'two names': (names) => new Set(names.split(': ')).size === 1,
};

/** True for texts that the evaluation uses, and for real things where made-up ones are wanted. */
export function isRefused(section: string, text: string): boolean {
  return section.startsWith('two numbers') ? isHeldOutPair(text) : (refusals[section]?.(text) ?? false);
}

import { lines, pairs } from './data.ts';

/** Names that only the evaluation uses. */
export const heldOutNames = lines('held-out names');
/** Words whose spelling only the evaluation asks for. */
export const heldOutWords = lines('held-out words');

const isHeldOutName = (name: string): boolean => heldOutNames.includes(name);
const hasHeldOutName = (name: string): boolean => name.split(/\W/u).some(isHeldOutName);

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
  ...lines('spelling words'),
  ...lines('topic words'),
  ...pairs('opposites').flat(),
  ...heldOutWords,
]);

const refusals: Readonly<Record<string, (text: string) => boolean>> = {
  'made-up name': isHeldOutName,
  'given name': hasHeldOutName,
  'family name': isHeldOutName,
  town: isHeldOutName,
  'made-up place': isKnown,
  'made-up person': isKnown,
  'made-up thing': (word) => realWords.has(word),
};

/** True for what the evaluation uses, and for what is real where something made up is wanted. */
export function isRefused(section: string, text: string): boolean {
  return refusals[section]?.(text) ?? false;
}

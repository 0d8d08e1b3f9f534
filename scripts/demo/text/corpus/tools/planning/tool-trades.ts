import type { Choices } from '../../text/choices.ts';
import { entries, lines, rows, words } from '../../text/data.ts';

/** A key in a tool's result, and the kind of its values. */
export type Result = readonly [key: string, kind: string];

/** "price:count stock:count" as pairs. */
export const readResults = (text: string): readonly Result[] =>
  [...text.matchAll(/(\S+):(\S+)/gu)].map(([, key = '', kind = '']) => [key, kind]);

const readVerbs = (verbs: string): string[][] =>
  words(verbs).map((group) => group.replaceAll('_', ' ').split('|'));

/** Tools of one subject: their verbs, nouns, arguments and results. */
type Trade = ReturnType<typeof readTrade>;

const readTrade = (
  lookingUp: string[][],
  [verbs = '', nouns = '', slots = '', results = '']: readonly (string | undefined)[],
) => ({
  /** True: the nouns are only looked up. */
  lookup: verbs === '',
  /** Each entry is a group of verbs that mean the same here. */
  verbs: verbs === '' ? lookingUp : readVerbs(verbs),
  nouns: nouns.split(', '),
  slots: words(slots),
  results: readResults(results),
});

// A near miss is sought in the first trade that has this very group of verbs: worlds and domains have their own.
const lookingUp = (): string[][] => [[...lines('verbs that look up')]];
const [inDomains, inWorlds] = [lookingUp(), lookingUp()];

const domains = entries('tool domains').map((entry) =>
  readTrade(
    inDomains,
    ['verbs', 'nouns', 'slots', 'results'].map((key) => entry.find(key)),
  ),
);
const worlds = ['tool worlds', 'looked-up worlds']
  .flatMap(rows)
  .map(([, ...cells]) => readTrade(inWorlds, cells));

export function drawComposition(choices: Choices): Composition {
  const trade = choices.pick(choices.chance(0.28) ? domains : worlds);
  return compose(trade, choices.pick(trade.verbs), choices.pick(trade.nouns));
}

/** A near miss: the same thing with another verb, or the same verb with another thing of the trade. */
export function drawSibling(choices: Choices, { verbs, names }: Composition): Composition | undefined {
  const isIt = (noun: string): boolean => namesOf(noun)[0] === names[0];
  const trade = [...worlds, ...domains].find((one) => one.verbs.includes(verbs) && one.nouns.some(isIt));
  const noun = trade?.nouns.find(isIt);
  if (trade === undefined || noun === undefined) return undefined;
  const otherVerbs = trade.verbs.filter((group) => group !== verbs);
  if (otherVerbs.length > 0 && choices.chance(0.5)) return compose(trade, choices.pick(otherVerbs), noun);
  const taken = new Set(names.flatMap(wordsOf));
  const others = trade.nouns.filter(
    (one) =>
      !namesOf(one)
        .flatMap(wordsOf)
        .some((word) => taken.has(word)),
  );
  return others.length === 0 ? undefined : compose(trade, verbs, choices.pick(others));
}

const namesOf = (noun: string): string[] => noun.replace('~', '').split('|');
const wordsOf = (name: string): string[] => name.split(/[ -]/u);

/** A verb and a noun that make a tool. */
export type Composition = Omit<ReturnType<typeof compose>, 'nouns'>;

const compose = (trade: Trade, verbs: string[], noun: string) => ({
  ...trade,
  /** Verbs that mean the same. */
  verbs,
  /** Nouns that mean the same; the first is in the tool's name. */
  names: namesOf(noun),
  /** True: it has neither "a" nor a plural. */
  mass: noun.startsWith('~'),
});

import type { Choices } from '../text/choices.ts';
import { words } from '../data/rows.ts';
import { domains } from '../data/tool-domains.ts';
import type { SlotName } from '../data/tool-slots.ts';
import { lookupWorlds, worlds } from '../data/tool-worlds.ts';
import type { ValueKind } from '../text/values.ts';

/** What tools of one subject do, and with what. */
interface Trade {
  readonly lookup: boolean;
  readonly verbs: readonly (readonly string[])[];
  readonly nouns: readonly string[];
  readonly slots: readonly SlotName[];
  readonly results: readonly (readonly [string, ValueKind])[];
}

/** A verb and a noun that make a tool. */
export interface Composition {
  /** Verbs that mean the same. */
  readonly verbs: readonly string[];
  /** Nouns that mean the same; the first is in the tool's name. */
  readonly names: readonly string[];
  /** True: it has neither "a" nor a plural. */
  readonly mass: boolean;
  /** True: it is only looked up. */
  readonly lookup: boolean;
  readonly slots: readonly SlotName[];
  readonly results: readonly (readonly [string, ValueKind])[];
}

const looking = [words('get find show check fetch read lookup')];
const worldTrades: readonly Trade[] = [...worlds, ...lookupWorlds].map(({ verbs, nouns, slots }) => ({
  lookup: verbs.length === 0,
  verbs: verbs.length === 0 ? looking : verbs,
  nouns,
  slots,
  results: [],
}));

export function drawComposition(choices: Choices): Composition {
  const trade = choices.chance(0.28) ? choices.pick(domains) : choices.pick(worldTrades);
  return compose(trade, choices.pick(trade.verbs), choices.pick(trade.nouns));
}

/** A near miss: the same thing with another verb, or the same verb with another thing of the trade. */
export function drawSibling(choices: Choices, { verbs, names }: Composition): Composition | undefined {
  const trade = [...worldTrades, ...domains].find(
    (one) => one.verbs.includes(verbs) && one.nouns.some((noun) => namesOf(noun)[0] === names[0]),
  );
  const noun = trade?.nouns.find((one) => namesOf(one)[0] === names[0]);
  if (trade === undefined || noun === undefined) return undefined;
  const otherVerbs = trade.verbs.filter((group) => group !== verbs);
  if (otherVerbs.length > 0 && choices.chance(0.5)) return compose(trade, choices.pick(otherVerbs), noun);
  const taken = new Set(names.flatMap((name) => name.split(/[ -]/u)));
  const others = trade.nouns.filter((one) =>
    namesOf(one).every((name) => !name.split(/[ -]/u).some((word) => taken.has(word))),
  );
  return others.length === 0 ? undefined : compose(trade, verbs, choices.pick(others));
}

const namesOf = (noun: string): string[] => noun.replace('~', '').split('|');

const compose = (trade: Trade, verbs: readonly string[], noun: string): Composition => ({
  verbs,
  names: namesOf(noun),
  mass: noun.startsWith('~'),
  lookup: trade.lookup,
  slots: trade.slots,
  results: trade.results,
});

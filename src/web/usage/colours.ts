import { parsed } from '../state/stored.ts';

export const colourCount = 8;

/** One is left for all that have none of their own, where there are more than colours. */
const ownCount = colourCount - 1;
/** So many of `count` groups have a colour that is theirs. */
export const namedOf = (count: number): number => (count > colourCount ? ownCount : count);

/** The colours that groups of a kind have had, from 1, those in sight last. */
export type Colours = ReadonlyMap<string, number>;

/**
 * `kept` with a colour of its own for each of `all`, the largest group first, or for the 7 largest of more than 8. A name
 * keeps the colour that it had. Of two names that have the same one and never met before, the smaller group gets another.
 */
export function withNames(kept: Colours, all: readonly string[]): Colours {
  const names = all.slice(0, namedOf(all.length));
  const free = new Set(Array.from({ length: ownCount }, (_, index) => index + 1));
  if (all.length <= colourCount) free.add(colourCount);
  const keeping = names.filter((name) => free.delete(kept.get(name) ?? 0));
  const colours = new Map(keeping.map((name) => [name, kept.get(name) ?? 0]));
  const others = [...kept].filter(([name]) => !names.includes(name));
  free.delete(colourCount);
  for (const name of names.filter((one) => !colours.has(one)).toSorted()) {
    // A colour that another one had is taken again once there is no new one: they may meet.
    const unused = [...free].filter((colour) => others.every(([, its]) => its !== colour));
    const choice = new Set(unused.length > 0 ? unused : free);
    let place = placeOf(name);
    while (choice.size > 0 && !choice.has((place % ownCount) + 1)) place += 1;
    const colour = choice.size > 0 ? (place % ownCount) + 1 : colourCount;
    free.delete(colour);
    colours.set(name, colour);
  }
  return new Map([...others, ...colours].slice(-mostKept));
}

/** As many as are met in a while; those that were not seen for longest are forgotten. */
const mostKept = 64;

/** The same number for the same name, so that other browsers begin with the same colours. */
function placeOf(name: string): number {
  let place = 0;
  for (let at = 0; at < name.length; at += 1) place = (place * 31 + name.charCodeAt(at)) % 65_521;
  return place;
}

const storageName = 'hearth-colours';

/** By what usage is grouped; undefined: it was not read yet. */
let stored: Map<string, Colours> | undefined;

function read(): Map<string, Colours> {
  const kept = parsed<Record<string, [string, number][]>>(localStorage.getItem(storageName), {});
  return new Map(Object.entries(kept).map(([kind, entries]) => [kind, new Map(entries)]));
}

/** `groups` with a colour for each of the largest, by its name, which it keeps in this browser. */
export function withColours<Group extends { readonly group: string }>(
  kind: string,
  groups: readonly Group[],
) {
  const names = groups.map(({ group }) => group);
  stored ??= read();
  const old: Colours = stored.get(kind) ?? new Map();
  const colours = withNames(old, names);
  stored.set(kind, colours);
  if ([...colours].some(([name, colour]) => old.get(name) !== colour)) {
    const all = [...stored].map(([one, its]) => [one, [...its]] as const);
    localStorage.setItem(storageName, JSON.stringify(Object.fromEntries(all)));
  }
  const named = namedOf(groups.length);
  return groups.map((one, rank) => ({
    ...one,
    colour: (rank < named ? colours.get(one.group) : undefined) ?? colourCount,
  }));
}

import { parsed } from '../state/stored.ts';

export const colourCount = 8;

/** One is left for all that have none of their own. */
const ownCount = colourCount - 1;

/** The colours that groups of a kind have had, from 1, those in sight last. */
export type Colours = ReadonlyMap<string, number>;

/**
 * `kept` with a colour of its own for each of `names`, the largest group first, of which there are at most 7. A name keeps
 * the colour that it had. Of two names that have the same one and never met before, the smaller group gets another.
 */
export function withNames(kept: Colours, names: readonly string[]): Colours {
  const free = new Set(Array.from({ length: ownCount }, (_, index) => index + 1));
  const keeping = names.filter((name) => free.delete(kept.get(name) ?? 0));
  const colours = new Map(keeping.map((name) => [name, kept.get(name) ?? 0]));
  const others = [...kept].filter(([name]) => !names.includes(name));
  for (const name of names.filter((one) => !colours.has(one)).toSorted()) {
    // A colour that another one had is taken again once there is no new one: they may meet.
    const unused = [...free].filter((colour) => others.every(([, its]) => its !== colour));
    const choice = new Set(unused.length > 0 ? unused : free);
    let place = placeOf(name);
    while (!choice.has((place % ownCount) + 1)) place += 1;
    free.delete((place % ownCount) + 1);
    colours.set(name, (place % ownCount) + 1);
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
  const names = groups.slice(0, ownCount).map(({ group }) => group);
  stored ??= read();
  const old: Colours = stored.get(kind) ?? new Map();
  const colours = withNames(old, names);
  stored.set(kind, colours);
  if (names.some((name) => old.get(name) !== colours.get(name))) {
    const all = [...stored].map(([one, its]) => [one, [...its]] as const);
    localStorage.setItem(storageName, JSON.stringify(Object.fromEntries(all)));
  }
  return groups.map((one, rank) => ({
    ...one,
    colour: (rank < ownCount ? colours.get(one.group) : undefined) ?? colourCount,
  }));
}

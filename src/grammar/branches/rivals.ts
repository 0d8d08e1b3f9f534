/**
 * Texts by which values of a schema can be told from others. Under '' the values that the schema spells out; under
 * `.name` those that it spells out for a required property.
 */
export type Tags = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * For each of `branches` the indices of the others that can match the same value, as far as tags tell. Most schemas
 * with many branches have a property that tells them apart, so not all pairs of branches need to be compared.
 */
export function rivalsOf(branches: readonly Tags[]): readonly (readonly number[])[] {
  const tag = mostUsedTag(branches);
  const byText = new Map<string, number[]>();
  const untagged: number[] = [];
  for (const [index, tags] of branches.entries()) {
    const texts = tag === undefined ? undefined : tags.get(tag);
    if (texts === undefined) untagged.push(index);
    for (const text of texts ?? []) {
      const known = byText.get(text);
      if (known === undefined) byText.set(text, [index]);
      else known.push(index);
    }
  }
  const all = [...branches.keys()];
  return branches.map((tags, index) => {
    const texts = tag === undefined ? undefined : tags.get(tag);
    if (texts === undefined) return all.filter((other) => other !== index);
    const sharing = new Set([...untagged, ...[...texts].flatMap((text) => byText.get(text) ?? [])]);
    sharing.delete(index);
    return [...sharing].sort((a, b) => a - b);
  });
}

function mostUsedTag(branches: readonly Tags[]): string | undefined {
  const uses = new Map<string, number>();
  for (const tags of branches) for (const tag of tags.keys()) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  let most: string | undefined;
  for (const [tag, count] of uses) if (count > (uses.get(most ?? '') ?? 0) || most === undefined) most = tag;
  return most;
}

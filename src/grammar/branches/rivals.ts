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
  const textsOf = branches.map((tags) => (tag === undefined ? undefined : tags.get(tag)));
  const untagged = [...branches.keys()].filter((index) => textsOf[index] === undefined);
  const tagged = textsOf.flatMap((texts, index) => [...(texts ?? [])].map((text) => ({ text, index })));
  const byText = Map.groupBy(tagged, ({ text }) => text);
  const all = [...branches.keys()];
  return textsOf.map((texts, index) => {
    if (texts === undefined) return all.filter((other) => other !== index);
    const sharing = [...texts].flatMap((text) => (byText.get(text) ?? []).map((one) => one.index));
    return [...new Set([...untagged, ...sharing])].filter((other) => other !== index).sort((a, b) => a - b);
  });
}

function mostUsedTag(branches: readonly Tags[]): string | undefined {
  const uses = new Map<string, number>();
  for (const tags of branches) for (const tag of tags.keys()) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  let most: string | undefined;
  for (const [tag, count] of uses) if (count > (uses.get(most ?? '') ?? 0) || most === undefined) most = tag;
  return most;
}

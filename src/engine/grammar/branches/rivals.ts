/**
 * Texts by which values of a schema can be told from others: its own ones where it names them, and those of the
 * properties that every such object has, by name.
 */
export type Tags = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * For each of `branches` the others that its tags do not rule out, in order. Most schemas with many branches have a
 * property that tells them apart: by its texts the few that share one are found without comparing all pairs.
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

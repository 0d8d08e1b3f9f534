import { editDistance } from './edit-distance.ts';

/** Most slips of the fingers between a word and the meant one. */
const maxEdits = 2;

/**
 * The one of `names` that `word` looks like a slip of, whatever its case: at most two edits away, the nearest first.
 * A name of one or two letters is that near to anything short, so not all of its letters may differ.
 */
export function nearestName(word: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestEdits = maxEdits + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= bestEdits) continue;
    const edits = editDistance(word.toLowerCase(), name.toLowerCase());
    if (edits >= bestEdits || edits >= name.length) continue;
    best = name;
    bestEdits = edits;
  }
  return best;
}

/** Longer names are compared by their beginning, because a name from a client may have any length. */
const maxComparedLength = 96;

/** At most `limit` names of models that look like `wanted`, nearest first; none when nothing is near. */
export function nearestNames(wanted: string, names: Iterable<string>, limit: number): readonly string[] {
  const needle = normalize(wanted);
  if (needle === '') return [];
  const scored: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(names)) {
    const candidate = normalize(name);
    const shorter = Math.min(needle.length, candidate.length);
    // One name inside the other is a near miss, such as a forgotten quantisation at the end.
    const contained = shorter >= 3 && (candidate.includes(needle) || needle.includes(candidate));
    const distance = editDistance(needle, candidate);
    const reach = Math.max(2, Math.floor(Math.max(needle.length, candidate.length) / 3));
    if (contained) scored.push({ name, distance: Math.min(distance, 2) + distance / 1000 });
    else if (distance <= reach) scored.push({ name, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, limit).map(({ name }) => name);
}

function normalize(name: string): string {
  // People write llama3 for llama-3.2, so only letters and digits count.
  return name
    .slice(0, maxComparedLength)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

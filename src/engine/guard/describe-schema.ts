const combining = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'dependentSchemas']);
const patterned = new Set(['pattern', 'patternProperties']);

/** What a schema is made of, as in `4,211 values, 3 patterns and 12 combinations of schemas`. Takes one walk through it. */
export function describeSchema(schema: unknown): string {
  const counts = { values: 0, patterns: 0, combinations: 0 };
  const waiting: unknown[] = [schema];
  while (waiting.length > 0) {
    const value = waiting.pop();
    counts.values++;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      if (patterned.has(key)) counts.patterns++;
      if (combining.has(key)) counts.combinations++;
      waiting.push(part);
    }
  }
  const values = counted(counts.values, 'value', 'values');
  const patterns = counted(counts.patterns, 'pattern', 'patterns');
  return `${values}, ${patterns} and ${counted(counts.combinations, 'combination', 'combinations')} of schemas`;
}

const counted = (count: number, one: string, several: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

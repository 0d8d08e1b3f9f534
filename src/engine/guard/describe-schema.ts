const combining = new Set(['anyOf', 'oneOf', 'allOf', 'if', 'not', 'dependentSchemas']);
const patterned = new Set(['pattern', 'patternProperties']);

/** What a schema consists of, as in `4,211 values, 3 patterns, 12 combinations of schemas`. */
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
  const parts = [
    counted(counts.values, 'value', 'values'),
    counted(counts.patterns, 'pattern', 'patterns'),
    counted(counts.combinations, 'combination of schemas', 'combinations of schemas'),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

const counted = (count: number, one: string, several: string) =>
  count === 0 ? '' : `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

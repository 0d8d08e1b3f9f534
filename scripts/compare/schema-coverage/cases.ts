import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Instance } from '../judge-schemas/judgement.ts';

/** One schema to be judged. */
export interface SchemaCase {
  /** The folder, or the file where that holds several schemas. */
  readonly group: string;
  readonly name: string;
  readonly schema: unknown;
  readonly equivalent?: unknown;
  readonly instances: readonly Instance[];
}

/** A schema with the other facts in its file. */
interface Entry {
  readonly name?: string;
  readonly description?: string;
  readonly schema: unknown;
  readonly equivalent?: unknown;
  readonly tests?: readonly Instance[];
}

/**
 * The schemas in `folder`: in each `.json` file one schema, or entries with a `schema` and its `tests` as in JSON Schema's
 * own test suite; in each `.jsonl` file such an entry per line. Files that are not JSON are left out.
 */
export function* casesIn(folder: string): Generator<SchemaCase> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.jsonl?$/.test(file),
  );
  for (const file of files.sort()) {
    const isList = file.endsWith('.jsonl');
    const group = isList ? file : path.dirname(file);
    const entries = entriesOf(readFileSync(path.join(folder, file), 'utf8'), isList);
    for (const [index, { schema, equivalent, tests = [], ...named }] of entries.entries()) {
      const name = `${file} ${named.name ?? named.description ?? index}`;
      yield { group, name, schema, ...(equivalent !== undefined && { equivalent }), instances: tests };
    }
  }
}

function entriesOf(text: string, isList: boolean): readonly Entry[] {
  try {
    if (isList)
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Entry);
    const content: unknown = JSON.parse(text);
    if (Array.isArray(content)) return content.filter(isEntry);
    return [isEntry(content) ? content : { schema: content }];
  } catch {
    return [];
  }
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'schema' in value && 'tests' in value;

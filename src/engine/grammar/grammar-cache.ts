import { createHash } from 'node:crypto';
import { RecentMap } from '../../recent-map.ts';
import { compileSchema } from './compile-schema.ts';
import type { CompiledSchema } from './text/gbnf-text.ts';
import { checkedSchema } from './schema/json-value.ts';

/**
 * Remembers the rules of the schemas that were used last. The key is the schema's JSON as it was written, with the
 * order of properties, since documents follow that order.
 */
export class GrammarCache {
  readonly #compiled: RecentMap<CompiledSchema>;

  constructor(capacity = 128) {
    this.#compiled = new RecentMap(capacity);
  }

  /** As `compileSchema`; a refusal is not remembered. */
  compile(schema: unknown, options: { readonly prefix?: string } = {}): CompiledSchema {
    const hash = createHash('sha256').update(`${options.prefix ?? ''}\0`);
    const key = hash.update(JSON.stringify(checkedSchema(schema))).digest('base64');
    const compiled = this.#compiled.get(key) ?? compileSchema(schema, options);
    this.#compiled.set(key, compiled);
    return compiled;
  }
}

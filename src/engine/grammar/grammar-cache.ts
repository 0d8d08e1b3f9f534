import { createHash } from 'node:crypto';
import { compileSchema } from './compile-schema.ts';
import type { CompiledSchema } from './text/gbnf-text.ts';
import { checkedSchema } from './schema/json-value.ts';

/**
 * Remembers the rules of the schemas that were used last. The key is the schema's JSON as it was written, with the
 * order of properties, since documents follow that order.
 */
export class GrammarCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, CompiledSchema>();

  constructor(capacity = 128) {
    this.#capacity = capacity;
  }

  /** As `compileSchema`; a refusal is not remembered. */
  compile(schema: unknown, options: { readonly prefix?: string } = {}): CompiledSchema {
    const hash = createHash('sha256').update(`${options.prefix ?? ''}\0`);
    const key = hash.update(JSON.stringify(checkedSchema(schema))).digest('base64');
    const known = this.#compiled.get(key);
    const compiled = known ?? compileSchema(schema, options);
    // Removed and added again at the end, so that the first one is always the least recently used.
    this.#compiled.delete(key);
    this.#compiled.set(key, compiled);
    for (const oldest of this.#compiled.keys()) {
      if (this.#compiled.size <= this.#capacity) break;
      this.#compiled.delete(oldest);
    }
    return compiled;
  }
}

import { createHash } from 'node:crypto';
import { compileSchema } from './compile-schema.ts';
import type { CompiledSchema } from './compilation.ts';
import { checkedSchema } from './schema/json-value.ts';

/**
 * Remembers what the schemas used last compile to. The key is the schema's JSON as it is written: the order of
 * properties is part of it, since documents follow that order.
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
    // Taken out and put back at the end: the first one is then the one not used for longest.
    this.#compiled.delete(key);
    this.#compiled.set(key, compiled);
    for (const oldest of this.#compiled.keys()) {
      if (this.#compiled.size <= this.#capacity) break;
      this.#compiled.delete(oldest);
    }
    return compiled;
  }
}

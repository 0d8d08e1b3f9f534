import { compileSchema, type CompileOptions } from '../../grammar/compile-schema.ts';
import type { CompiledSchema } from '../../grammar/gbnf.ts';
import { hashOf, LruMap } from '../../lru-map.ts';

/**
 * Remembers the rules of the schemas that each API key used last. They are found by the schema's JSON as it was written,
 * with the order of properties, since documents follow that order.
 */
export class GrammarCache {
  readonly #compiled: LruMap<CompiledSchema>;

  constructor(entries = 128) {
    this.#compiled = new LruMap({ entries, chars: 32 * 2 ** 20 });
  }

  /** As `compileSchema`; a refusal is not remembered. */
  compile(keyId: string, schema: unknown, options: Omit<CompileOptions, 'work'> = {}): CompiledSchema {
    const key = hashOf(JSON.stringify([keyId, options, schema]));
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const compiled = compileSchema(schema, options);
    this.#compiled.set(key, compiled, [...compiled.rules.values()].join('').length);
    return compiled;
  }
}

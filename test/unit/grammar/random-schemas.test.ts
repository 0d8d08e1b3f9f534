import { fc } from '../../support/properties.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { schemaGrammar } from './schema-grammar.ts';
import { GbnfSampler, seededRandom } from '../../support/grammar/gbnf-sampler.ts';
import { openGrammarEngine, type EngineGrammar } from '../../support/grammar/grammar-engine.ts';
import { jsonValidator } from '../../support/grammar/json-validator.ts';
import { schemas } from '../../support/grammar/random-schemas.ts';

let engine: (grammar: string) => EngineGrammar;
beforeAll(async () => {
  engine = await openGrammarEngine();
});

/** The grammar of `schema`; undefined when it is refused as the contract says. */
function grammarOf(schema: unknown): string | undefined {
  try {
    return schemaGrammar(schema);
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_json_schema') return undefined;
    throw error;
  }
}

/** The code that Ajv writes for some schemas of contradictory types names variables that it does not have. */
function judgedBy(isValid: (value: unknown) => boolean, value: unknown): boolean | 'unknown' {
  try {
    return isValid(value);
  } catch (error) {
    if (error instanceof ReferenceError) return 'unknown';
    throw error;
  }
}

describe('random schemas', () => {
  it('generate only documents that are valid', () => {
    let converted = 0;
    fc.assert(
      fc.property(schemas, fc.nat(), (schema, seed) => {
        const grammar = grammarOf(schema);
        if (grammar === undefined) return;
        converted += 1;
        const { accepts } = engine(grammar);
        const isValid = jsonValidator(schema);
        const sampler = new GbnfSampler(grammar);
        const random = seededRandom(seed);
        for (let count = 0; count < 12; count++) {
          const text = sampler.sample(random, 3 + 3 * count);
          const verdict = judgedBy(isValid, JSON.parse(text));
          if (verdict === 'unknown') return;
          expect(verdict, text).toBe(true);
          if (count === 0) expect(accepts(text), text).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
    // Contradictions are common in random schemas; most should still be ones that can be met.
    expect(converted).toBeGreaterThan(250);
  });
});

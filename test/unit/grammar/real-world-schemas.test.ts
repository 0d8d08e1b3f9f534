import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/errors.ts';
import { compileSchema } from '../../../src/grammar/compile-schema.ts';
import { schemaGrammar } from './schema-grammar.ts';
import { GbnfSampler, seededRandom } from '../../support/grammar/gbnf-sampler.ts';
import { openGrammarEngine, type EngineGrammar } from '../../support/grammar/grammar-engine.ts';
import { jsonValidator } from '../../support/grammar/json-validator.ts';

interface Fixture {
  readonly name: string;
  readonly schema: unknown;
  /** Path of the keyword for which the schema is refused. */
  readonly refused?: string;
  /** Paths of the keywords that are ignored. */
  readonly ignored?: readonly string[];
  /** The same in words that the validator knows. */
  readonly equivalent?: unknown;
}

const folder = fileURLToPath(new URL('schemas/', import.meta.url));
const fixturesOf = (file: string) =>
  readFileSync(folder + file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fixture);
const files = readdirSync(folder);
const fixtures = files.flatMap(fixturesOf);
const samples = 30;

let engine: (grammar: string) => EngineGrammar;
beforeAll(async () => {
  engine = await openGrammarEngine();
});

describe('schemas as they are found in the world', () => {
  it.each(fixtures.filter((fixture) => fixture.refused === undefined))(
    '$name',
    ({ schema, equivalent, ignored = [] }) => {
      expect(compileSchema(schema).ignored).toEqual(ignored);
      const grammar = schemaGrammar(schema);
      const { accepts } = engine(grammar);
      const isValid = jsonValidator(equivalent ?? schema);
      const sampler = new GbnfSampler(grammar);
      const random = seededRandom(1);
      for (let count = 0; count < samples; count++) {
        const text = sampler.sample(random, 4 + (count % 40));
        expect(isValid(JSON.parse(text)), text).toBe(true);
        if (count < 2) expect(accepts(text), text).toBe(true);
      }
    },
  );

  it.each(fixtures.filter((fixture) => fixture.refused !== undefined))(
    'refused: $name',
    ({ schema, refused = '' }) => {
      const error = refusalOf(schema);
      expect(error.code).toBe('invalid_json_schema');
      expect(error.param).toBe(refused);
      expect(error.message).toContain(`'${refused.replace(/.*\./, '')}'`);
    },
  );
});

it('are honoured but for a few', () => {
  // The quirks are there for their faults.
  const usual = files.filter((file) => file !== 'quirks.jsonl').flatMap(fixturesOf);
  const honoured = usual.filter(({ refused }) => refused === undefined);
  expect(usual.length).toBeGreaterThan(200);
  expect(honoured.length / usual.length).toBeGreaterThan(0.9);
});

function refusalOf(schema: unknown): AppError {
  try {
    schemaGrammar(schema);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The schema was not refused.');
}

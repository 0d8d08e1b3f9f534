import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Llama } from 'node-llama-cpp';
import { compileSchema } from '../../../../src/grammar/compile-schema.ts';
import { ReasoningParser } from '../../../../src/engine/prompt/thoughts/reasoning-parser.ts';
import { callGrammar } from '../../../support/prompt/call-grammar.ts';
import type { ToolDefinition } from '../../../../src/engine/types.ts';
import { GbnfSampler, seededRandom } from '../../../support/grammar/gbnf-sampler.ts';
import {
  openTemplate,
  openTemplateEngine,
  ownTemplates,
  realTemplates,
} from '../../../support/models/templates.ts';
import { parseCalls } from '../../../support/prompt/call-fixtures.ts';

const samples = 15;

/** Each kind of schema that arguments have, apart and together. */
const tools: readonly ToolDefinition[] = [
  { name: 'nothing', parameters: { type: 'object', properties: {}, additionalProperties: false } },
  {
    name: 'texts',
    parameters: {
      type: 'object',
      properties: {
        free: { type: 'string' },
        short: { type: 'string', minLength: 1, maxLength: 4 },
        pattern: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' },
        day: { type: 'string', format: 'date' },
        unit: { type: 'string', enum: ['kilo gram', "it's", '12'] },
        only: { const: 'x' },
      },
      required: ['free', 'pattern'],
      additionalProperties: false,
    },
  },
  {
    name: 'values',
    parameters: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 1, maximum: 99 },
        size: { type: 'number' },
        flag: { type: 'boolean' },
        list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
        object: {
          type: 'object',
          properties: { a: { type: 'integer' }, b: { type: 'null' } },
          required: ['a'],
          additionalProperties: false,
        },
        shared: { $ref: '#/$defs/point' },
      },
      required: ['count', 'list'],
      $defs: { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
    },
  },
  {
    name: 'unions',
    parameters: {
      type: 'object',
      properties: {
        optional: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        either: { type: ['string', 'integer'] },
        listed: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] },
        mixed: { enum: ['a', 1, null, true] },
        any: {},
      },
      required: ['optional', 'either', 'listed', 'mixed', 'any'],
    },
  },
];

const input = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** Tools that take free text, and the pattern that their text has to match. */
const textTools: readonly (ToolDefinition & { readonly parameters: object })[] = [
  {
    name: 'lines',
    parameters: input,
    inputGrammar: { syntax: 'regex', definition: '(?:[a-z]{1,3} = "[<0-9]{1,3}\\\\?"\\n){1,2}|\\{\\}' },
  },
  {
    name: 'edits',
    parameters: input,
    inputGrammar: {
      syntax: 'lark',
      definition: [
        'start: "*** Begin" LF edit~1..2 "*** End" LF?',
        'edit: ("*** Add: " | "*** Remove: ") /[^\\n]{1,9}/ LF ("+" /.{0,9}/ LF)?',
        '%import common.LF',
      ].join('\n'),
    },
  },
];
const textPatterns = new Map([
  ['lines', /^(?:(?:[a-z]{1,3} = "[<0-9]{1,3}\\?"\n){1,2}|\{\})$/u],
  ['edits', /^\*\*\* Begin\n(?:\*\*\* (?:Add|Remove): [^\n]{1,9}\n(?:\+.{0,9}\n)?){1,2}\*\*\* End\n?$/u],
]);

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const validators = new Map(
  [...tools, ...textTools].map((tool) => [tool.name, ajv.compile(tool.parameters ?? {})]),
);

describe.each([...Object.entries(ownTemplates), ...realTemplates])(
  'calls sampled from the grammar of %s',
  (_name, source) => {
    let engine: Llama;
    beforeAll(async () => {
      engine = await openTemplateEngine();
    });

    it.each([...tools, ...textTools].map((tool) => tool.name))(
      'parse, and fit the schema: %s',
      (toolName) => {
        const syntax = openTemplate(engine, source).facts.toolSyntax;
        const offered = [...tools, ...textTools].filter((tool) => tool.name === toolName);
        for (const from of ['start', 'trigger'] as const) {
          const grammar = callGrammar({
            syntax,
            tools: offered,
            parallel: true,
            from,
            compile: compileSchema,
          });
          const sampler = new GbnfSampler(grammar);
          const random = seededRandom(7);
          for (let turn = 0; turn < samples; turn++) {
            const generated = sampler.sample(random);
            const thoughts = new ReasoningParser({
              syntax: syntax.channels && { kind: 'channels' },
              startsInThought: false,
            });
            const text = [...thoughts.push(generated), ...thoughts.finish()]
              .map((event) => event.text)
              .join('');
            const { calls, text: around } = parseCalls(syntax, offered, text);
            expect(around.trim(), generated).toBe('');
            expect(calls.length).toBeGreaterThan(0);
            expect(calls, generated).toHaveLength(generated.split(toolName).length - 1);
            for (const call of calls) {
              expect(call, generated).toMatchObject({ name: toolName, complete: true });
              const valid = validators.get(toolName);
              expect(valid?.(call.arguments), `${generated}\n${JSON.stringify(call.arguments)}`).toBe(true);
              const pattern = textPatterns.get(toolName);
              if (pattern !== undefined)
                expect(Object.values(call.arguments ?? {})[0], generated).toMatch(pattern);
            }
          }
        }
      },
    );
  },
);

import { z } from 'zod';
import type { OutputFormat } from '../../../engine/types.ts';
import { AppError, invalidValue } from '../../../errors/errors.ts';
import { formatPath } from '../../../words/format-path.ts';
import { outputSchemaPlace, type ParameterPlace } from '../../generation/wire/to-wire-error.ts';
import { unsupported } from '../../request/validate.ts';
import { outputSchemaFields, toSchemaFormat } from './output-format.ts';
import { jsonSchemaObject, list, refuse } from '../schema-parts.ts';

const maxGrammarChars = 128 * 1024;
const maxPatternChars = 16 * 1024;
const maxSchemaChars = 512 * 1024;
const maxChoices = 1024;
const maxChoiceChars = 4096;

const responseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), schema: z.unknown().optional() }),
  // llama-server's form of both: the schema stands beside the type. Hugging Face's clients call it `value`.
  z.object({
    type: z.literal('json_object'),
    schema: jsonSchemaObject.nullish(),
    value: jsonSchemaObject.nullish(),
  }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.object(outputSchemaFields).optional(),
    schema: jsonSchemaObject.optional(),
  }),
]);

const schemaOrText = z
  .unknown()
  .transform((value, context) => {
    if (typeof value !== 'string') return value;
    if (value.length > maxSchemaChars)
      return refuse(context, `must have at most ${maxSchemaChars} characters`);
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return refuse(context, 'must be a JSON schema, or the JSON text of one');
    }
  })
  .pipe(jsonSchemaObject)
  .meta({ anyOf: [{ type: 'object' }, { type: 'string' }] });

// An empty text asks for nothing: some clients send all that they know.
const pattern = z.string().max(maxPatternChars).describe('The whole answer must match it.');
const choices = list(z.string().min(1).max(maxChoiceChars), { min: 1, max: maxChoices });
const grammar = z.string().max(maxGrammarChars).describe('In GBNF, beginning with the rule `root`.');

/** The ways to say what form the answer has: OpenAI's, vLLM's older and newer ones, and llama-server's. */
export const answerFormatParameters = {
  response_format: responseFormat.optional(),
  guided_json: schemaOrText.optional(),
  guided_regex: pattern.optional(),
  guided_choice: choices.optional(),
  guided_grammar: grammar.optional(),
  structured_outputs: z
    .looseObject({
      json: schemaOrText.nullish(),
      regex: pattern.nullish(),
      choice: choices.nullish(),
      grammar: grammar.nullish(),
      json_object: z.boolean().nullish(),
      disable_fallback: z.boolean().nullish(),
    })
    .optional(),
  json_schema: schemaOrText.optional(),
  grammar: grammar.optional(),
};

const structuredNames: ReadonlySet<string> = new Set(
  Object.keys(answerFormatParameters.structured_outputs.unwrap().shape),
);

export type AnswerFormatParameters = z.output<z.ZodObject<typeof answerFormatParameters>>;

/** The form that the answer must have, and the parameter that demands it. */
export interface AnswerFormat {
  readonly format: OutputFormat | undefined;
  readonly place: ParameterPlace;
}

/** Throws invalid_value if a request says it in two ways, and unsupported_value for ways that are not supported. */
export function toAnswerFormat(parameters: AnswerFormatParameters): AnswerFormat {
  const [found, other] = waysOf(parameters).filter(({ format }) => format !== undefined);
  if (found === undefined) return { format: undefined, place: [outputSchemaPlace, 'response_format'] };
  const path = formatPath(found.path);
  if (other === undefined) return { format: found.format, place: [outputSchemaPlace, path] };
  const param = formatPath(other.path);
  throw invalidValue(param, `'${param}' says what the answer must be, and so does '${path}'. Send one.`);
}

interface Way {
  readonly path: readonly string[];
  readonly format: OutputFormat | undefined;
}

function waysOf(parameters: AnswerFormatParameters): Way[] {
  const { guided_json: json, guided_regex: regex, guided_choice: choice } = parameters;
  const { structured_outputs: structured = {} } = parameters;
  for (const [name, value] of Object.entries(structured)) {
    if (structuredNames.has(name) || value === null || value === false) continue;
    throw unsupported(
      ['structured_outputs', name],
      'Leave it out, and use json, regex, choice, grammar or json_object.',
    );
  }
  const of = (name: string) => ['structured_outputs', name];
  return [
    ...toResponseFormats(parameters.response_format),
    { path: ['guided_json'], format: toSchema(json) },
    { path: ['guided_regex'], format: toRegex(regex) },
    { path: ['guided_choice'], format: toChoice(choice) },
    { path: ['guided_grammar'], format: toGrammar(parameters.guided_grammar) },
    { path: of('json'), format: toSchema(structured.json) },
    { path: of('regex'), format: toRegex(structured.regex) },
    { path: of('choice'), format: toChoice(structured.choice) },
    { path: of('grammar'), format: toGrammar(structured.grammar) },
    {
      path: of('json_object'),
      format: structured.json_object === true ? { kind: 'json-object' } : undefined,
    },
    { path: ['json_schema'], format: toSchema(parameters.json_schema) },
    { path: ['grammar'], format: toGrammar(parameters.grammar) },
  ];
}

function toResponseFormats(format: AnswerFormatParameters['response_format']): Way[] {
  if (format === undefined) return [];
  if (format.type === 'text') {
    if (format.schema === undefined || format.schema === null) return [];
    throw unsupported(['response_format', 'schema'], "Send it with the type 'json_schema'.");
  }
  const beside: Way = { path: ['response_format', 'schema'], format: toSchema(format.schema) };
  if (format.type === 'json_object') {
    const value: Way = { path: ['response_format', 'value'], format: toSchema(format.value) };
    const schemas = [beside, value].filter((way) => way.format !== undefined);
    return schemas.length > 0 ? schemas : [{ path: ['response_format'], format: { kind: 'json-object' } }];
  }
  const nested = {
    path: ['response_format', 'json_schema', 'schema'],
    format: format.json_schema && toSchemaFormat(format.json_schema),
  };
  if (nested.format !== undefined || beside.format !== undefined) return [nested, beside];
  throw new AppError(
    'missing_required_parameter',
    "Missing required parameter 'response_format.json_schema': it must be an object.",
    { param: 'response_format.json_schema' },
  );
}

type Given<Value> = Value | null | undefined;

const toSchema = (schema: Given<z.output<typeof jsonSchemaObject>>): OutputFormat | undefined =>
  schema ? toSchemaFormat({ schema }) : undefined;
const toRegex = (text: Given<string>): OutputFormat | undefined =>
  text ? { kind: 'regex', pattern: text.toWellFormed() } : undefined;
const toGrammar = (text: Given<string>): OutputFormat | undefined =>
  text ? { kind: 'grammar', gbnf: text.toWellFormed() } : undefined;
const toChoice = (texts: Given<readonly string[]>): OutputFormat | undefined =>
  texts ? { kind: 'choice', texts: texts.map((text) => text.toWellFormed()) } : undefined;
